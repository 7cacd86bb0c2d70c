// The backlog as it was a moment ago: counting it costs the database some milliseconds, and whoever asks for metrics may ask often.

import type { Database } from '../database/database.ts';
import { DatabaseAway, DatabaseBusy } from '../database/database-away.ts';
import type { Backlog } from '../observability/backlog.ts';
import { readBacklog, selectBacklog } from './backlog-table.ts';

const keptMs = 5_000;
const withinMs = 2_000;

export class RecentBacklog {
  readonly #database: Pick<Database, 'run'>;
  #reading: Promise<Backlog | undefined> = Promise.resolve(undefined);
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(database: Pick<Database, 'run'>) {
    this.#database = database;
  }

  /** Undefined where the database does not say it in time: the other metrics are told without it. */
  async read(): Promise<Backlog | undefined> {
    if (performance.now() - this.#readAt > keptMs) {
      this.#readAt = performance.now();
      this.#reading = this.#readAnew();
    }
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, withinMs, undefined);
    });
    return Promise.race([this.#reading, isLate]).finally(() => clearTimeout(timer));
  }

  async #readAnew(): Promise<Backlog | undefined> {
    try {
      return readBacklog(await this.#database.run(selectBacklog()));
    } catch (error) {
      this.#readAt = Number.NEGATIVE_INFINITY;
      if (error instanceof DatabaseAway || error instanceof DatabaseBusy) return undefined;
      throw error;
    }
  }
}
