// Ends the oldest subscriptions of the clients, so that the run has subscriptions of every age, and records what was
// matched at that time.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import type { MatchingClient } from '../matching/matching-load.ts';
import type { ServiceAnswers } from '../writes/service-answers.ts';
import type { Ending } from './delivery-ledger.ts';
import { selectHorizon } from './delivery-table.ts';
import type { KilledConnection } from './killed-database.ts';

export interface UnsubscriberOptions {
  clients: readonly MatchingClient[];
  service: ServiceAnswers;
  connection: KilledConnection;
}

/** Of each client. */
const keptMax = 6;
const pauseMs = 200;

export class Unsubscriber {
  readonly endings: Ending[] = [];
  readonly unsubscribedAt = new Map<number, number>();
  readonly findings: Finding[] = [];
  readonly #options: UnsubscriberOptions;
  #isRunning = true;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: UnsubscriberOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      for (const { subscriptions } of this.#options.clients) {
        const kept = subscriptions.filter(({ key }) => !this.unsubscribedAt.has(key));
        if (kept.length > keptMax) await this.#end(kept[0]!);
      }
      await sleep(pauseMs);
    }
  }

  async #end(subscription: Ending['subscription']): Promise<void> {
    const { service, connection } = this.#options;
    const ask = connection.ask.bind(connection);
    const { matched } = await selectHorizon(ask);
    const path = `WebhookSubscription/${subscription.key}`;
    const { status, body } = await service.askUntilAnswered({ method: 'PUT', path, body: { unsubscribed: true } });
    this.unsubscribedAt.set(subscription.key, performance.now());
    // 409: the response to the first request was lost.
    if (status !== 200 && status !== 409)
      this.findings.push({ kind: 'wrong answer', text: `PUT ${path}: ${JSON.stringify(body)}` });
    const { last } = await selectHorizon(ask);
    this.endings.push({ subscription, matched, last });
  }
}
