// Deletes expired rows at regular intervals, a few rows at a time.

import type { Observe } from '../observe/observation.ts';
import type { Database, Statement } from './database.ts';
import { isTemporary } from './database-away.ts';

export interface HousekeepingParts {
  database: Database;
  observe: Observe;
  /** Deletes a few rows and returns one row for each; returns no rows when none are left. */
  deleteSome: () => Statement;
  everyMs: number;
}

export class HousekeepingLoop {
  readonly #parts: HousekeepingParts;
  #timer: NodeJS.Timeout | undefined;
  /** The running round; undefined between rounds. */
  #round: Promise<void> | undefined;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // If a round takes longer than the interval, no second round starts beside it.
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
      // Outages are reported elsewhere. The next round finds the same rows.
      if (!isTemporary(error)) observe({ kind: 'housekeeping.failed', error: error as Error });
    }
  }
}
