// Which transactions a state includes. The state after a change includes the transaction of the change and all that had
// committed before it; the state before the change includes only the latter.

import type { ChangeEvent } from '../events/change-event.ts';

export type Side = 'before' | 'after';

/** Below this, PostgreSQL has only ids with a special meaning, for rows that all transactions see. */
const firstTransaction = 3;

export class VisibleTransactions {
  readonly #own: number;
  readonly #isOwnVisible: boolean;
  /** All transactions below this one are included. */
  readonly #included: number;

  constructor({ transactionId, snapshot }: ChangeEvent, side: Side) {
    this.#own = transactionId;
    this.#isOwnVisible = side === 'after';
    this.#included = snapshot?.min ?? (this.#isOwnVisible ? Number.POSITIVE_INFINITY : transactionId);
  }

  /**
   * Whether a row is in the state as it stands. False means that it has to be looked up in the events: the snapshot
   * does not list transactions inside of others (savepoints), and `xmin` may be one of them.
   *
   * `xmin`: the last transaction that has changed the row. It has only the lower 32 bits of a transaction id. Of the
   * possible ids, the nearest to that of the change is meant. For a row that has not changed for two billion
   * transactions this may be wrong; then the row is looked up in vain.
   */
  hasAllOf(xmin: number): boolean {
    if (xmin < firstTransaction) return true;
    const transactionId = this.#own + ((xmin - this.#own) | 0);
    return transactionId < this.#included || (this.#isOwnVisible && transactionId === this.#own);
  }
}
