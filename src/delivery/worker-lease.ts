// The lease of this process on what it has claimed: one row, renewed all the time, instead of a time on each claim. A process that does
// not renew its lease loses its claims (`release-dead-loop.ts`); one that cannot be sure that it still has the lease sends nothing.

import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import {
  deleteDeadWorker,
  endWorker,
  insertWorker,
  releaseClaims,
  renewWorker,
} from '../notifications/worker-table.ts';

const nobody = { userKey: undefined, client: 'delivery' };

export class WorkerLease {
  readonly #database: Database;
  readonly #leaseMs: number;
  #id: number | undefined;
  #renewedAt = 0;

  constructor(database: Database, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Undefined while it is not certain that what is claimed under it is ours. */
  get id(): number | undefined {
    return performance.now() - this.#renewedAt < this.#leaseMs * 0.8 ? this.#id : undefined;
  }

  /** To be called often: renews the lease when it is time. If it was lost, `onLost` is called before there is a new one. */
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
    this.#renewedAt = askedAt;
  }

  /** Releases what is left. While the database is away, or some of it is locked, others release it when the lease has ended. */
  async end(): Promise<void> {
    const id = this.#id;
    this.#id = undefined;
    if (id === undefined) return;
    const statements = [endWorker(id), releaseClaims(id), ...deleteDeadWorker(id)];
    await this.#database.runTogether(nobody, statements).catch((error) => {
      if (!isPassing(error)) throw error;
    });
  }
}
