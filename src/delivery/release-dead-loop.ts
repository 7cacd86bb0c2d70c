// Releases what dead workers have claimed. Apart from the loop that sends, and without waiting for any lock: a process that hangs in the
// middle of a transaction delays nobody, and the rows that it has locked are released when the server has ended its transaction.

import type { Database, Row } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import {
  deleteDeadWorker,
  markDead,
  releaseClaims,
  selectDeadWorkers,
  selectLeases,
} from '../notifications/worker-table.ts';
import type { Observe } from '../observability/observation.ts';

export interface ReleaseDeadParts {
  database: Database;
  observe: Observe;
  /** Of every worker. */
  leaseMs: number;
  /** Something may be ready. */
  onReleased(): void;
}

/** A lease as it was last read. */
interface SeenLease {
  aliveUntil: string;
  /** By the clock of the server. */
  isOverdue: boolean;
  /** Since when it has been like this, seen without a gap. */
  since: number;
}

const nobody = { userKey: undefined, client: 'delivery' };

export class ReleaseDeadLoop {
  readonly #parts: ReleaseDeadParts;
  readonly #loop: WorkLoop;
  /** By worker. */
  #seen = new Map<number, SeenLease>();
  #seenAt = 0;

  constructor(parts: ReleaseDeadParts) {
    this.#parts = parts;
    this.#loop = new WorkLoop({ round: () => this.#round(), askedEveryMs: parts.leaseMs / 5 });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(): Promise<false> {
    try {
      await this.#markTheDead();
      await this.#releaseAll();
    } catch (error) {
      if (!isPassing(error)) this.#parts.observe({ kind: 'delivery.failed', error: error as Error });
    }
    return false;
  }

  /**
   * Only after a while of watching: after a pause of the database, or of this process, all are overdue and most of them
   * alive. A lease that is not renewed for longer need not be overdue: the server's clock may have been set back.
   */
  async #markTheDead(): Promise<void> {
    const { database, leaseMs } = this.#parts;
    const rows = await database.run(selectLeases());
    const now = performance.now();
    if (now - this.#seenAt > leaseMs / 2) this.#seen.clear();
    this.#seenAt = now;
    this.#seen = new Map(rows.map((row) => [Number(row.id), this.#look(row, now)]));
    for (const [id, { aliveUntil, isOverdue, since }] of this.#seen) {
      const patienceMs = isOverdue ? leaseMs / 2 : leaseMs * 1.5;
      if (now - since >= patienceMs) await database.run(markDead(id, aliveUntil));
    }
  }

  #look(row: Row, now: number): SeenLease {
    const before = this.#seen.get(Number(row.id));
    const [aliveUntil, isOverdue] = [String(row.alive_until), row.is_overdue === true];
    const isSame = before?.aliveUntil === aliveUntil && before.isOverdue === isOverdue;
    return isSame ? before : { aliveUntil, isOverdue, since: now };
  }

  async #releaseAll(): Promise<void> {
    const { database, onReleased } = this.#parts;
    for (const { id } of await database.run(selectDeadWorkers())) {
      await database.run(releaseClaims(Number(id)));
      await database.runTogether(nobody, deleteDeadWorker(Number(id)));
      onReleased();
    }
  }
}
