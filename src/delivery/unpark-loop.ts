// Makes ready again what was parked while its user was inactive. Looks whenever something about users or subscriptions has changed,
// once more a little later and then every ten minutes, since something may have been parked meanwhile; and rests longer the longer
// that took.

import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { type UnparkedRow, unpark } from '../notifications/parked-table.ts';
import type { Observe } from '../observability/observation.ts';
import { selectRevisions } from './targets/target-table.ts';

export interface UnparkLoopParts {
  database: Database;
  observe: Observe;
  /** Something is ready to be sent. */
  onWoken(): void;
}

const askedEveryMs = 500;
const lookAgainMs = 5_000;
/** Whatever was parked later than that. */
const lookSometimesMs = 600_000;
/** So many times as long as it took to look. */
const restForEach = 20;
const lanesAtOnce = 200;
const rowsAtOnce = 1_000;

export class UnparkLoop {
  readonly #parts: UnparkLoopParts;
  readonly #loop = new WorkLoop({ round: () => this.#round(), askedEveryMs });
  #seen = '';
  #lookAt = 0;
  #restUntil = 0;

  constructor(parts: UnparkLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(): Promise<false> {
    const now = performance.now();
    if (now < this.#restUntil) return false;
    try {
      const [row] = await this.#parts.database.run(selectRevisions());
      const seen = `${row?.subscriptions}/${row?.access}`;
      const hasChanged = seen !== this.#seen;
      if (!hasChanged && now < this.#lookAt) return false;
      await this.#unparkAll();
      this.#seen = seen;
      const endedAt = performance.now();
      this.#lookAt = endedAt + (hasChanged ? lookAgainMs : lookSometimesMs);
      this.#restUntil = endedAt + restForEach * (endedAt - now);
    } catch (error) {
      if (!isPassing(error)) this.#parts.observe({ kind: 'delivery.failed', error: error as Error });
    }
    return false;
  }

  async #unparkAll(): Promise<void> {
    let afterLane = 0;
    while (!this.#loop.isStopping) {
      const [row] = await this.#parts.database.run(unpark(afterLane, lanesAtOnce, rowsAtOnce));
      const { lanes, last_lane, woken } = row as unknown as UnparkedRow;
      if (woken > 0) this.#parts.onWoken();
      // The same ones again, as long as they have more.
      if (woken === rowsAtOnce) continue;
      if (lanes < lanesAtOnce) return;
      afterLane = Number(last_lane);
    }
  }
}
