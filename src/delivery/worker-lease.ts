// The lease of this process on what it has claimed: one row, renewed every moment, instead of a time on each claim. Whoever is not
// heard of loses everything that it has claimed; and whoever cannot be sure of being heard sends nothing more.

import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import {
  deleteOverdueWorker,
  deleteWorker,
  insertWorker,
  releaseClaims,
  renewWorker,
  selectOverdueWorkers,
} from '../notifications/worker-table.ts';

const nobody = { userKey: undefined, client: 'delivery' };

export class WorkerLease {
  readonly #database: Database;
  readonly #leaseMs: number;
  #id: number | undefined;
  #renewedAt = 0;
  /** Worker → since when it is seen to be overdue, without a pause in our own seeing. */
  #overdue = new Map<number, number>();

  constructor(database: Database, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Undefined while it is not certain that what is claimed under it is ours. */
  get id(): number | undefined {
    return performance.now() - this.#renewedAt < this.#leaseMs * 0.8 ? this.#id : undefined;
  }

  /** To be called often: renews it when it is time. Where everything that was claimed is lost, that is told before there is a new one. */
  async renew(onLost: () => void): Promise<void> {
    const askedAt = performance.now();
    if (this.#id !== undefined && askedAt - this.#renewedAt < this.#leaseMs / 5) return;
    if (this.#id !== undefined && (await this.#database.run(renewWorker(this.#id, this.#leaseMs))).length === 0) {
      this.#id = undefined;
      onLost();
    }
    if (this.#id === undefined) {
      const [row] = await this.#database.run(insertWorker(this.#leaseMs));
      this.#id = Number(row!.id);
    }
    if (askedAt - this.#renewedAt > this.#leaseMs) this.#overdue.clear();
    this.#renewedAt = askedAt;
    await this.#buryTheDead();
  }

  /** Gives back what is left. Where the database is away, that is free when the lease is over. */
  async end(): Promise<void> {
    const id = this.#id;
    this.#id = undefined;
    if (id === undefined) return;
    await this.#database.runTogether(nobody, [deleteWorker(id), releaseClaims(id)]).catch((error) => {
      if (!isPassing(error)) throw error;
    });
  }

  /** Seen overdue for a while, by us: after a pause of the database all are overdue, and most of them alive. */
  async #buryTheDead(): Promise<void> {
    const rows = await this.#database.run(selectOverdueWorkers());
    const now = performance.now();
    this.#overdue = new Map(rows.map(({ id }) => [Number(id), this.#overdue.get(Number(id)) ?? now]));
    for (const [id, since] of this.#overdue) {
      if (now - since < this.#leaseMs / 2) continue;
      await this.#database.transaction(nobody, async ({ run, commitWith }) => {
        const [gone = []] = await run(deleteOverdueWorker(id));
        await commitWith(...(gone.length > 0 ? [releaseClaims(id)] : []));
      });
    }
  }
}
