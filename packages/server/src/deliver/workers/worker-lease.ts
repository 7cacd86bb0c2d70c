// The lease of this process on its claims: one row that is renewed all the time, instead of a time on each claim. A
// process that does not renew its lease loses its claims (`release-dead-loop.ts`). A process that is not certain of its
// lease sends nothing.

import type { Database } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import { deliveryActor } from './delivery-actor.ts';
import { deleteDeadWorker, endWorker, insertWorker, releaseClaims, renewWorker } from './worker-table.ts';

export class WorkerLease {
  readonly #database: Database;
  readonly #leaseMs: number;
  #id: number | undefined;
  #renewedAt = 0;

  constructor(database: Database, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Undefined while it is not certain that the claims under this lease are valid. */
  get id(): number | undefined {
    return performance.now() - this.#renewedAt < this.#leaseMs * 0.8 ? this.#id : undefined;
  }

  /** Call often: renews the lease when it is due. If the lease was lost, calls `onLost` before it takes a new one. */
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

  /** Releases the remaining claims. If the database is away, or rows are locked, other workers release them later. */
  async end(): Promise<void> {
    const id = this.#id;
    this.#id = undefined;
    if (id === undefined) return;
    const statements = [endWorker(id), releaseClaims(id), ...deleteDeadWorker(id)];
    await this.#database.runTogether(deliveryActor, statements).catch((error) => {
      if (!isTemporary(error)) throw error;
    });
  }
}
