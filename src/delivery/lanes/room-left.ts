// Room that is promised bit by bit to one batch of what is new, before anything is there to fill it: none is promised twice.

import type { Pool } from './lane-pools.ts';
import type { ReadyLanes } from './ready-lanes.ts';

export class RoomLeft {
  readonly #lanes: ReadyLanes;
  readonly #inLane = new Map<number, number>();
  readonly #inPool = new Map<Pool, number>();

  constructor(lanes: ReadyLanes) {
    this.#lanes = lanes;
  }

  /** For one more of a subscription. Answers whether there was any. */
  take(subscriptionKey: number): boolean {
    const { pool, room } = this.#lanes.roomShared(subscriptionKey);
    const inLane = this.#inLane.get(subscriptionKey) ?? this.#lanes.roomToHandOn(subscriptionKey);
    const inPool = this.#inPool.get(pool) ?? room;
    if (inLane <= 0 || inPool <= 0) return false;
    this.#inLane.set(subscriptionKey, inLane - 1);
    this.#inPool.set(pool, inPool - 1);
    return true;
  }
}
