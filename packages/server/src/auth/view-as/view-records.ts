// Writes views as another user to the audit log, before they are answered: once an hour for each caller and user.

import type { Clock } from '../../clock.ts';
import type { Actor, Database } from '../../database/database.ts';
import { Recent } from '../../recent.ts';
import { recordView } from './view-table.ts';

/** The database decides whether an hour has passed. It is asked at most this often. */
const askedEveryMs = 60_000;
const rememberedMax = 1_000;

export class ViewRecords {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #recordedAtMs = new Recent<string, number>(rememberedMax);

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** A view that cannot be recorded is not answered. */
  async record(viewer: Actor, userKey: number): Promise<void> {
    const name = `${viewer.userKey} ${viewer.client} ${userKey}`;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - (this.#recordedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < askedEveryMs) return;
    await this.#database.runTogether(viewer, [recordView(viewer, userKey)]);
    this.#recordedAtMs.set(name, nowMs);
  }
}
