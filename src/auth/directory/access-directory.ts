// Holds who may call in memory, and never longer than a second without asking the database whether it has changed: a client
// or user that is disabled is refused by every process within that time, and by the process that disabled it at once.
// While the database does not answer, nothing in memory is trusted.

import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { DatabaseAway, DatabaseStuck } from '../../database/database-away.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { type Access, buildAccess } from './access.ts';
import { type AccessRow, type RevisionRow, selectAccess, selectRevision } from './access-table.ts';

export interface AccessDirectoryParts {
  /** With a connection of its own: the question must not wait behind requests. */
  database: Database;
  encryption: Encryption;
  clock: Clock;
}

const askedEveryMs = 250;
const trustedMs = 900;

export class AccessDirectory {
  readonly #parts: AccessDirectoryParts;
  #access: Access | undefined;
  #trustedUntil = 0;
  #staleMarks = 0;
  #refreshing: Promise<Access> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: AccessDirectoryParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.refresh();
    // A failure shows at the next request, which asks again and is answered with 503.
    this.#timer = setInterval(() => void this.refresh().catch(() => undefined), askedEveryMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#refreshing?.catch(() => undefined);
  }

  /** What may be trusted now; a promise only where the database has to be asked first. */
  current(): Access | Promise<Access> {
    return this.#access && performance.now() < this.#trustedUntil ? this.#access : this.reload();
  }

  /** Nothing in memory is trusted until the database is asked after this call: an answer under way may be older. */
  markStale(): void {
    this.#staleMarks += 1;
    this.#trustedUntil = 0;
  }

  /** Those who ask at the same time share the answer. */
  refresh(): Promise<Access> {
    this.#refreshing ??= this.#askTwice().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /**
   * Asked after this call, not before: an answer that has been on its way for long may be old. Also for whoever is refused
   * by what is in memory: a client or a secret that was made a moment ago, perhaps by another process, is in the database already.
   */
  async reload(): Promise<Access> {
    await this.#refreshing?.catch(() => undefined);
    return this.refresh();
  }

  /** A connection that does not answer is dropped, and the question asked once more over another. */
  async #askTwice(): Promise<Access> {
    try {
      return await this.#ask();
    } catch (error) {
      if (!(error instanceof DatabaseStuck)) throw error;
    }
    return await this.#ask().catch((error) => {
      throw error instanceof DatabaseStuck ? new DatabaseAway(error) : error;
    });
  }

  async #ask(): Promise<Access> {
    const askedAt = performance.now();
    const staleMarks = this.#staleMarks;
    const { database } = this.#parts;
    const [row] = (await database.run(selectRevision())) as unknown as RevisionRow[];
    this.#access =
      this.#access && this.#access.revision === row?.revision
        ? withTimeOf(this.#access, row.now_ms - this.#parts.clock.monotonicMs())
        : await this.#load();
    if (this.#staleMarks === staleMarks) this.#trustedUntil = askedAt + trustedMs;
    return this.#access;
  }

  async #load(): Promise<Access> {
    const { database, encryption, clock } = this.#parts;
    const [row] = (await database.run(selectAccess())) as unknown as AccessRow[];
    const knownKeys = this.#access?.signingKeys ?? new Map();
    return buildAccess(row!, { encryption, knownKeys, monotonicMs: clock.monotonicMs() });
  }
}

/** More than an answer of the database can be late by. */
const offsetToleranceMs = 2_000;

/**
 * The clock of the database can step, and the monotonic one stands still while a machine sleeps. A late answer only makes the
 * offset smaller: a larger one is nearer to the truth.
 */
function withTimeOf(access: Access, clockOffsetMs: number): Access {
  const isBetter = clockOffsetMs > access.clockOffsetMs || clockOffsetMs < access.clockOffsetMs - offsetToleranceMs;
  return isBetter ? { ...access, clockOffsetMs } : access;
}
