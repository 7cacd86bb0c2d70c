// How much waits to be delivered, for each kind of viewer. Counting costs the database milliseconds, so that it is done
// every few seconds, and only for those who look.

import type { Database } from '../database/database.ts';
import type { RecentBacklog } from '../deliver/backlog/recent-backlog.ts';
import { pendingCountedMax } from '../model/catalogue/statistics-actions.ts';
import type { Viewer } from './live-feed.ts';
import { selectUserBacklogs, type UserBacklog } from './live-table.ts';

export interface ViewerBacklog {
  backlog: number;
  oldestPendingSeconds: number;
}

const noBacklog: ViewerBacklog = { backlog: 0, oldestPendingSeconds: 0 };
const readEveryMs = 5_000;

export interface LiveBacklogsParts {
  database: Pick<Database, 'run'>;
  backlog: Pick<RecentBacklog, 'read'>;
}

export class LiveBacklogs {
  readonly #parts: LiveBacklogsParts;
  #known: ReadonlyMap<Viewer['sees'], ViewerBacklog> = new Map();
  #readAt = 0;

  constructor(parts: LiveBacklogsParts) {
    this.#parts = parts;
  }

  /** Undefined: not known yet. */
  of(sees: Viewer['sees']): ViewerBacklog | undefined {
    return sees === 'none' ? noBacklog : this.#known.get(sees);
  }

  forget(): void {
    this.#known = new Map();
  }

  /** Reads them if one is unknown, or if they are some seconds old. */
  async refresh(audiences: ReadonlySet<Viewer['sees']>): Promise<void> {
    const isUnknown = [...audiences].some((sees) => this.of(sees) === undefined);
    if (!isUnknown && performance.now() - this.#readAt < readEveryMs) return;
    this.#readAt = performance.now();
    const users = [...audiences].filter((sees): sees is number => typeof sees === 'number');
    const known = new Map<Viewer['sees'], ViewerBacklog>();
    const rows = users.length > 0 ? await this.#parts.database.run(selectUserBacklogs(users, pendingCountedMax)) : [];
    for (const { user, pending, oldest_seconds } of rows as unknown as UserBacklog[])
      known.set(Number(user), { backlog: pending, oldestPendingSeconds: oldest_seconds });
    const ofAll = audiences.has('all') ? await this.#readOfAll() : undefined;
    if (ofAll) known.set('all', ofAll);
    this.#known = known;
  }

  /** If the database does not answer in time, the last one that is known. */
  async #readOfAll(): Promise<ViewerBacklog | undefined> {
    const read = await this.#parts.backlog.read();
    if (!read) return this.#known.get('all');
    const queues = Object.values(read);
    return {
      backlog: queues.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestPendingSeconds: Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds)),
    };
  }
}
