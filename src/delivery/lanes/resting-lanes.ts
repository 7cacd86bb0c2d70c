// Lanes whose attempts fail one after the other rest in between, so that receivers that refuse everything take no time from the others:
// together they are tried some hundred times a second, however many they are.

import type { Lane } from './lane.ts';

/** One that is well again is found out by then. */
const restMsMax = 5_000;

export class RestingLanes {
  readonly #lanes = new Set<Lane>();

  /** Answers for how long it rests, 0: not at all, or it does already. */
  begin(lane: Lane): number {
    if (lane.failures < 3 || lane.isPaused) return 0;
    const restMs = Math.max(Math.min(30, 3 * lane.failures), Math.min(restMsMax, 10 * this.#lanes.size));
    lane.isPaused = true;
    this.#lanes.add(lane);
    return restMs;
  }

  end(lane: Lane): void {
    this.#lanes.delete(lane);
  }
}
