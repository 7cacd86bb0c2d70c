// Decides which lane sends next. Pools take turns, and so do the lanes of a pool. New notifications go before retries,
// except for every eighth turn.

import { type Kind, type Lane, type Pool, poolOf } from './lane.ts';
import type { LanePools } from './lane-pools.ts';

export interface Turn {
  lane: Lane;
  kind: Kind;
}

const retriesEvery = 8;
const newFirst: readonly Kind[] = ['first', 'again'];
const retriesFirst: readonly Kind[] = ['again', 'first'];
const poolOrders: readonly (readonly Pool[])[] = [
  ['quick', 'unknown', 'troubled'],
  ['unknown', 'troubled', 'quick'],
  ['troubled', 'quick', 'unknown'],
];

export class LaneTurns {
  readonly #pools: LanePools;
  readonly #queues: Record<Pool, Record<Kind, Lane[]>> = {
    quick: { first: [], again: [] },
    unknown: { first: [], again: [] },
    troubled: { first: [], again: [] },
  };
  #taken = 0;

  constructor(pools: LanePools) {
    this.#pools = pools;
  }

  /** Queues the lane for what it may send, if it is not queued yet. Call whenever it may send more. */
  add(lane: Lane): void {
    for (const kind of newFirst) {
      if (lane.hasTurn[kind] || lane[kind].length === 0 || !this.#pools.maySend(lane, kind)) continue;
      lane.hasTurn[kind] = true;
      this.#queues[poolOf(lane.receiver)][kind].push(lane);
    }
  }

  /** Call before the lane changes its pool. */
  remove(lane: Lane): void {
    for (const kind of newFirst) {
      const queue = this.#queues[poolOf(lane.receiver)][kind];
      if (lane.hasTurn[kind]) queue.splice(queue.indexOf(lane), 1);
      lane.hasTurn[kind] = false;
    }
  }

  /** `after`: the lane of the last attempt, whose connection is warm. */
  next(after: Lane | undefined): Turn | undefined {
    if (!this.#pools.hasPlaceIn('quick')) return undefined;
    this.#taken += 1;
    const isRetryTurn = this.#taken % retriesEvery === 0;
    if (after && !isRetryTurn && this.#goesOn(after)) return { lane: after, kind: 'first' };
    for (const kind of isRetryTurn ? retriesFirst : newFirst)
      for (const pool of poolOrders[this.#taken % poolOrders.length]!) {
        const lane = this.#pools.hasPlaceIn(pool) ? this.#nextIn(pool, kind) : undefined;
        if (lane) return { lane, kind };
      }
    return undefined;
  }

  #nextIn(pool: Pool, kind: Kind): Lane | undefined {
    const queue = this.#queues[pool][kind];
    for (let lane = queue.shift(); lane; lane = queue.shift()) {
      lane.hasTurn[kind] = false;
      if (lane[kind].length > 0 && this.#pools.maySend(lane, kind)) return lane;
    }
    return undefined;
  }

  /** Whether the lane sends again out of turn: not if a lane whose turn it is has fewer in flight, or this one none. */
  #goesOn(lane: Lane): boolean {
    if (lane.receiver !== 'quick' || lane.first.length === 0 || !this.#pools.maySend(lane, 'first')) return false;
    return poolOrders[0]!.every((pool) => {
      const [other] = this.#queues[pool].first;
      return !other || !this.#pools.hasPlaceIn(pool) || (lane.inFlight > 0 && other.inFlight >= lane.inFlight);
    });
  }
}
