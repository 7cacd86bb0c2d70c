// Caches in memory who may call, and checks with the database for changes at least once a second. A disabled client or
// user is rejected by every process within that second, and immediately by the process that disabled it. If the
// database does not respond, the cache is not trusted.

import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { DatabaseAway, DatabaseStuck } from '../../database/database-away.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { type Access, buildAccess } from './access.ts';
import { type AccessRow, type RevisionRow, selectAccess, selectRevision } from './access-table.ts';

export interface AccessDirectoryParts {
  /** A database with its own connection, so that the check does not wait behind requests. */
  database: Database;
  encryption: Encryption;
  clock: Clock;
}

const pollEveryMs = 250;
const trustedMs = 900;

export class AccessDirectory {
  readonly #parts: AccessDirectoryParts;
  #access: Access | undefined;
  #trustedUntil = 0;
  #staleMarks = 0;
  #refreshing: Promise<Access> | undefined;
  readonly #loop = new WorkLoop({
    round: async () => {
      await this.refresh();
      return false;
    },
    pollEveryMs,
    // The next request tries again and reports the failure.
    onError: () => undefined,
    restsFirst: true,
  });

  constructor(parts: AccessDirectoryParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#refreshing?.catch(() => undefined);
  }

  /** The snapshot that may be trusted now. Returns a promise only if the database has to be asked first. */
  current(): Access | Promise<Access> {
    return this.#access && performance.now() < this.#trustedUntil ? this.#access : this.reload();
  }

  /** The cache is not trusted until a query that starts after this call: a query in progress may return old data. */
  markStale(): void {
    this.#staleMarks += 1;
    this.#trustedUntil = 0;
  }

  /** Concurrent calls share one query. */
  refresh(): Promise<Access> {
    this.#refreshing ??= this.#queryWithRetry().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /**
   * Starts a new query after this call, because a query in progress may return old data. Also used before a caller is
   * rejected: another process may have just created the client or secret, and the cache does not have it yet.
   */
  async reload(): Promise<Access> {
    await this.#refreshing?.catch(() => undefined);
    return this.refresh();
  }

  /** If a connection does not respond, it is dropped, and the query is repeated once on another connection. */
  async #queryWithRetry(): Promise<Access> {
    try {
      return await this.#query();
    } catch (error) {
      if (!(error instanceof DatabaseStuck)) throw error;
    }
    return await this.#query().catch((error) => {
      throw error instanceof DatabaseStuck ? new DatabaseAway(error) : error;
    });
  }

  async #query(): Promise<Access> {
    const askedAt = performance.now();
    const staleMarks = this.#staleMarks;
    const { database } = this.#parts;
    const [row] = (await database.run(selectRevision())) as unknown as RevisionRow[];
    this.#access =
      this.#access && this.#access.revision === row?.revision
        ? withTimeOf(this.#access, row.nowMs - this.#parts.clock.monotonicMs())
        : await this.#load();
    if (this.#staleMarks === staleMarks) this.#trustedUntil = askedAt + trustedMs;
    return this.#access;
  }

  async #load(): Promise<Access> {
    const { database, encryption, clock } = this.#parts;
    const [row] = (await database.run(selectAccess())) as unknown as AccessRow[];
    return buildAccess(row!, encryption, clock.monotonicMs());
  }
}

/** Longer than the longest delay of a database response. */
const offsetToleranceMs = 2_000;

/**
 * The clock of the database can step, and the monotonic clock stops while the machine sleeps. A late response only
 * makes the offset smaller, so a larger offset is more accurate.
 */
function withTimeOf(access: Access, clockOffsetMs: number): Access {
  const isBetter = clockOffsetMs > access.clockOffsetMs || clockOffsetMs < access.clockOffsetMs - offsetToleranceMs;
  return isBetter ? { ...access, clockOffsetMs } : access;
}
