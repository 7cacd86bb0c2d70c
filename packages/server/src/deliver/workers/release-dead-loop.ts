// Releases the claims of dead workers. It runs apart from the delivery loop and waits for no lock, so that a process
// that hangs in a transaction delays no other. Rows that such a process has locked are released once the server has
// ended its transaction.

import type { Database, Row } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { deliveryActor } from './delivery-actor.ts';
import { deleteDeadWorker, markDead, releaseClaims, selectDeadWorkers, selectLeases } from './worker-table.ts';

export interface ReleaseDeadParts {
  database: Database;
  observe: Observe;
  /** The same for every worker. */
  leaseMs: number;
  /** Called when notifications may be ready. */
  onReleased(): void;
}

/** A lease as it was last read. */
interface WatchedLease {
  aliveUntil: string;
  /** By the clock of the database server. */
  isOverdue: boolean;
  /** Since when the lease has been unchanged, observed without a gap. */
  since: number;
}

export function createReleaseDeadLoop(parts: ReleaseDeadParts): WorkLoop {
  const workers = new DeadWorkers(parts);
  return new WorkLoop({
    round: () => workers.release(),
    pollEveryMs: parts.leaseMs / 5,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

class DeadWorkers {
  readonly #parts: ReleaseDeadParts;
  /** By worker id. */
  #watched = new Map<number, WatchedLease>();
  #watchedAt = 0;

  constructor(parts: ReleaseDeadParts) {
    this.#parts = parts;
  }

  async release(): Promise<false> {
    await this.#markDead();
    await this.#releaseAll();
    return false;
  }

  /**
   * Declares a worker dead only after watching its lease for a while. After a pause of the database or of this process,
   * all leases are overdue, but most workers are alive. A lease that is not renewed for longer need not be overdue: the
   * clock of the server may have been set back.
   */
  async #markDead(): Promise<void> {
    const { database, leaseMs } = this.#parts;
    const rows = await database.run(selectLeases());
    const now = performance.now();
    if (now - this.#watchedAt > leaseMs / 2) this.#watched.clear();
    this.#watchedAt = now;
    this.#watched = new Map(rows.map((row) => [Number(row.id), this.#watch(row, now)]));
    for (const [id, { aliveUntil, isOverdue, since }] of this.#watched) {
      const patienceMs = isOverdue ? leaseMs / 2 : leaseMs * 1.5;
      if (now - since >= patienceMs) await database.run(markDead(id, aliveUntil));
    }
  }

  #watch(row: Row, now: number): WatchedLease {
    const before = this.#watched.get(Number(row.id));
    const [aliveUntil, isOverdue] = [String(row.alive_until), row.is_overdue === true];
    const isSame = before?.aliveUntil === aliveUntil && before.isOverdue === isOverdue;
    return isSame ? before : { aliveUntil, isOverdue, since: now };
  }

  async #releaseAll(): Promise<void> {
    const { database, onReleased } = this.#parts;
    for (const { id } of await database.run(selectDeadWorkers())) {
      await database.run(releaseClaims(Number(id)));
      await database.runTogether(deliveryActor, deleteDeadWorker(Number(id)));
      onReleased();
    }
  }
}
