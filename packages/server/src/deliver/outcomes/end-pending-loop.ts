// Fails the pending notifications of subscriptions that have ended or were deactivated, in batches. A million of them
// must not delay the transaction that ends a subscription.

import type { Database } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import type { Observe } from '../../observe/observation.ts';
import { deleteEnded, failPending, selectEnded } from './outcome-table.ts';

const everyMs = 500;
const rowsAtOnce = 2_000;

export class EndPendingLoop {
  readonly #database: Database;
  readonly #observe: Observe;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isStopping = false;

  constructor(database: Database, observe: Observe) {
    this.#database = database;
    this.#observe = observe;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round ??= this.#endAll().finally(() => {
        this.#round = undefined;
      });
    }, everyMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  async #endAll(): Promise<void> {
    try {
      for (const { key, reason, state } of await this.#database.run(selectEnded()))
        await this.#end(Number(key), String(reason), state === 'UNSUBSCRIBED');
    } catch (error) {
      if (!isTemporary(error)) this.#observe({ kind: 'delivery.failed', error: error as Error });
    }
  }

  /** Deletes the entry only when nothing is left: matching in progress may have added notifications. */
  async #end(subscriptionKey: number, reason: string, withResends: boolean): Promise<void> {
    const some = { subscriptionKey, errorMessage: reason, withResends, rowsMax: rowsAtOnce };
    let failed = rowsAtOnce;
    while (failed === rowsAtOnce && !this.#isStopping) failed = (await this.#database.run(failPending(some))).length;
    if (failed < rowsAtOnce) await this.#database.run(deleteEnded(some));
  }
}
