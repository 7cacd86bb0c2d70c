// Releases what dead workers have claimed. Apart from the loop that sends, and without waiting for any lock: a process that hangs in the
// middle of a transaction delays nobody, and the rows that it has locked are released when the server has ended its transaction.

import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import {
  deleteDeadWorker,
  markDead,
  releaseClaims,
  selectDeadWorkers,
  selectOverdueWorkers,
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

const nobody = { userKey: undefined, client: 'delivery' };

export class ReleaseDeadLoop {
  readonly #parts: ReleaseDeadParts;
  readonly #loop: WorkLoop;
  /** Worker → since when it has been overdue, seen without a gap. */
  #overdue = new Map<number, number>();
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

  /** Only after a while of watching: after a pause of the database, or of this process, all are overdue and most of them alive. */
  async #markTheDead(): Promise<void> {
    const { database, leaseMs } = this.#parts;
    const rows = await database.run(selectOverdueWorkers());
    const now = performance.now();
    if (now - this.#seenAt > leaseMs / 2) this.#overdue.clear();
    this.#seenAt = now;
    this.#overdue = new Map(rows.map(({ id }) => [Number(id), this.#overdue.get(Number(id)) ?? now]));
    for (const [id, since] of this.#overdue) if (now - since >= leaseMs / 2) await database.run(markDead(id));
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
