// Which transactions a state includes. The state after a change includes the transaction of the change and all that had
// committed before it; the state before the change includes only the latter.

import type { ChangeEvent } from '../events/change-event.ts';
import { type Snapshot, wasCommitted } from '../events/transaction-snapshot.ts';

export type Side = 'before' | 'after';

/** Below this, PostgreSQL has only ids with a special meaning, for rows that all transactions see. */
const firstTransaction = 3;

export class VisibleTransactions {
  readonly #own: number;
  readonly #side: Side;
  readonly #snapshot: Snapshot | null;

  constructor({ transactionId, snapshot }: ChangeEvent, side: Side) {
    this.#own = transactionId;
    this.#side = side;
    this.#snapshot = snapshot;
  }

  /**
   * `xmin`: the last transaction that has changed a row. It has only the lower 32 bits of a transaction id. Of the
   * possible ids, the nearest to that of the change is meant. For a row that has not changed for two billion transactions
   * this may be wrong, and then a search for later changes finds none.
   */
  has(xmin: number): boolean {
    if (xmin < firstTransaction) return true;
    const transactionId = this.#own + ((xmin - this.#own) | 0);
    if (transactionId === this.#own) return this.#side === 'after';
    return this.#snapshot === null || wasCommitted(this.#snapshot, transactionId);
  }
}
