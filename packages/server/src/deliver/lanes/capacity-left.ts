// Reserves capacity for one batch of new notifications before they exist. No capacity is reserved twice.

import type { Pool } from './lane.ts';
import type { ReadyLanes } from './ready-lanes.ts';

export class CapacityLeft {
  readonly #lanes: ReadyLanes;
  readonly #inLane = new Map<number, number>();
  readonly #inPool = new Map<Pool, number>();

  constructor(lanes: ReadyLanes) {
    this.#lanes = lanes;
  }

  /** Reserves capacity for one more notification of a subscription. Returns whether there was any. */
  take(subscriptionKey: number): boolean {
    const { pool, capacity } = this.#lanes.sharedCapacity(subscriptionKey);
    const inLane = this.#inLane.get(subscriptionKey) ?? this.#lanes.capacityForDirectDispatch(subscriptionKey);
    const inPool = this.#inPool.get(pool) ?? capacity;
    if (inLane <= 0 || inPool <= 0) return false;
    this.#inLane.set(subscriptionKey, inLane - 1);
    this.#inPool.set(pool, inPool - 1);
    return true;
  }
}
