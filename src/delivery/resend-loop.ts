// Keeps resends going, for as long as the process runs: step by step, each job in its turn, a long one together with a short one.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import { selectResends } from '../notifications/resend-progress-table.ts';
import type { Observe } from '../observability/observation.ts';
import { resendRound } from './resend-round.ts';

export interface ResendLoopParts {
  database: Database;
  observe: Observe;
  /** Something is ready to be sent. */
  onMoved(): void;
}

const askedEveryMs = 250;

export class ResendLoop {
  readonly #parts: ResendLoopParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ResendLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#work();
  }

  /** Finishes the step that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isMore = await this.#turn();
      if (!isMore) await sleep(askedEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One step of each job. A fault with one of them holds up no other. */
  async #turn(): Promise<boolean> {
    const { database, observe } = this.#parts;
    let isMore = false;
    try {
      for (const { key } of await database.run(selectResends())) {
        if (this.#stopping.signal.aborted) return false;
        isMore = (await this.#step(Number(key))) || isMore;
      }
    } catch (error) {
      if (!isPassing(error)) observe({ kind: 'delivery.failed', error: error as Error });
      return false;
    }
    return isMore;
  }

  async #step(jobKey: number): Promise<boolean> {
    const { database, observe, onMoved } = this.#parts;
    try {
      const { moved, isMore } = await resendRound(database, jobKey);
      if (moved > 0) onMoved();
      return isMore;
    } catch (error) {
      if (isPassing(error)) throw error;
      observe({ kind: 'resend.failed', job: jobKey, error: error as Error });
      return false;
    }
  }
}
