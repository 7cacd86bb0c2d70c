// Caches the backlog for a few seconds: counting it costs the database milliseconds, and metrics may be read often.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { DatabaseAway, DatabaseBusy } from '../../database/database-away.ts';
import type { Backlog } from '../../observe/backlog.ts';
import { readBacklog, selectBacklog } from './backlog-table.ts';

const keptMs = 5_000;
const withinMs = 2_000;

export class RecentBacklog {
  readonly #database: Pick<Database, 'run'>;
  #reading: Promise<Backlog | undefined> = Promise.resolve(undefined);
  /** Infinite while a read is running, so that a slow database gets one query at a time. */
  #isGoodUntil = 0;

  constructor(database: Pick<Database, 'run'>) {
    this.#database = database;
  }

  /** Undefined if the database does not respond in time: the other metrics are returned without the backlog. */
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
