// Removes remembered answers (`Idempotency-Key`) once their 24 hours are over, a few at a time.

import type { Database } from '../database/database.ts';
import { DatabaseAway } from '../database/database-away.ts';
import type { Observe } from '../observability/observation.ts';
import { deleteOldAnswers } from './idempotency-table.ts';

const pauseMs = 10 * 60_000;

export class ForgetAnswersLoop {
  readonly #database: Database;
  readonly #observe: Observe;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(database: Database, observe: Observe) {
    this.#database = database;
    this.#observe = observe;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#forget();
    }, pauseMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #forget(): Promise<void> {
    try {
      while ((await this.#database.run(deleteOldAnswers())).length > 0);
    } catch (error) {
      // A database that is away is told by those who wait for it; the next round finds the same rows.
      if (!(error instanceof DatabaseAway)) this.#observe({ kind: 'housekeeping.failed', error: error as Error });
    }
  }
}
