// Makes parked notifications ready again once their user is active. Checks when users or subscriptions have changed,
// again a little later, and then every ten minutes, because more may have been parked meanwhile. Rests longer the
// longer a check took.

import type { Database } from '../../database/database.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { selectRevisions } from '../targets/target-table.ts';
import { type UnparkedRow, unpark } from './pending-table.ts';

export interface UnparkLoopParts {
  database: Database;
  observe: Observe;
  /** Called when notifications are ready to be sent. */
  onWoken(): void;
}

const pollEveryMs = 500;
/** After a change, notifications of inactive users may still be on their way to be parked. */
const checkAgainMs = 5_000;
/** Finds notifications that were parked after the second check. */
const checkSometimesMs = 600_000;
/** The rest after a check, as a multiple of the time that the check took. */
const restFactor = 20;
/** The notifications of a user who is active again wait no longer, however busy the machine was. */
const restMsMax = 10_000;
const lanesAtOnce = 200;
const rowsAtOnce = 1_000;

export function createUnparkLoop(parts: UnparkLoopParts): WorkLoop {
  const unparking = new Unparking(parts);
  return new WorkLoop({
    round: (loop) => unparking.checkIfDue(loop),
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

class Unparking {
  readonly #parts: UnparkLoopParts;
  #revisions = '';
  #checkAt = 0;
  #restUntil = 0;

  constructor(parts: UnparkLoopParts) {
    this.#parts = parts;
  }

  async checkIfDue(loop: Stopping): Promise<false> {
    const now = performance.now();
    if (now < this.#restUntil) return false;
    const [row] = await this.#parts.database.run(selectRevisions());
    const revisions = `${row?.subscriptions}/${row?.access}`;
    const hasChanged = revisions !== this.#revisions;
    if (!hasChanged && now < this.#checkAt) return false;
    await this.#unparkAll(loop);
    this.#revisions = revisions;
    const endedAt = performance.now();
    this.#checkAt = endedAt + (hasChanged ? checkAgainMs : checkSometimesMs);
    this.#restUntil = endedAt + Math.min(restMsMax, restFactor * (endedAt - now));
    return false;
  }

  async #unparkAll(loop: Stopping): Promise<void> {
    let afterLane = 0;
    while (!loop.isStopping) {
      const [row] = await this.#parts.database.run(unpark(afterLane, lanesAtOnce, rowsAtOnce));
      const { lanes, last_lane, woken } = row as unknown as UnparkedRow;
      if (woken > 0) this.#parts.onWoken();
      // The batch was full, so the same lanes may have more.
      if (woken === rowsAtOnce) continue;
      if (lanes < lanesAtOnce) return;
      afterLane = Number(last_lane);
    }
  }
}
