// Removes what has outlived its use, a few rows at a time, every now and then.

import type { Observe } from '../observability/observation.ts';
import type { Database, Statement } from './database.ts';
import { isPassing } from './database-away.ts';

export interface HousekeepingParts {
  database: Database;
  observe: Observe;
  /** Deletes a few rows and answers something for each; nothing when there are no more. */
  deleteSome: () => Statement;
  everyMs: number;
}

export class HousekeepingLoop {
  readonly #parts: HousekeepingParts;
  #timer: NodeJS.Timeout | undefined;
  /** The round that runs; undefined between rounds. */
  #round: Promise<void> | undefined;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // A round that takes longer than the time between two is waited for, not doubled.
      this.#round ??= this.#clean().finally(() => {
        this.#round = undefined;
      });
    }, this.#parts.everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #clean(): Promise<void> {
    const { database, deleteSome, observe } = this.#parts;
    try {
      while ((await database.run(deleteSome())).length > 0);
    } catch (error) {
      // A database that is away is told by those who wait for it; the next round finds the same rows.
      if (!isPassing(error)) observe({ kind: 'housekeeping.failed', error: error as Error });
    }
  }
}
