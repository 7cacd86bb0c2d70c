// The backlog as it was a moment ago: counting it costs the database some milliseconds, and whoever asks for metrics may ask often.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { DatabaseAway, DatabaseBusy } from '../database/database-away.ts';
import type { Backlog } from '../observability/backlog.ts';
import { readBacklog, selectBacklog } from './backlog-table.ts';

const keptMs = 5_000;
const withinMs = 2_000;

export class RecentBacklog {
  readonly #database: Pick<Database, 'run'>;
  #reading: Promise<Backlog | undefined> = Promise.resolve(undefined);
  /** Endless while it is being read: a slow database is asked once at a time. */
  #isGoodUntil = 0;

  constructor(database: Pick<Database, 'run'>) {
    this.#database = database;
  }

  /** Undefined where the database does not say it in time: the other metrics are told without it. */
  read(): Promise<Backlog | undefined> {
    if (performance.now() >= this.#isGoodUntil) {
      this.#isGoodUntil = Number.POSITIVE_INFINITY;
      this.#reading = this.#readAnew();
    }
    return Promise.race([this.#reading, sleep(withinMs, undefined, { ref: false })]);
  }

  async #readAnew(): Promise<Backlog | undefined> {
    try {
      const backlog = readBacklog(await this.#database.run(selectBacklog()));
      this.#isGoodUntil = performance.now() + keptMs;
      return backlog;
    } catch (error) {
      this.#isGoodUntil = 0;
      if (error instanceof DatabaseAway || error instanceof DatabaseBusy) return undefined;
      throw error;
    }
  }
}
