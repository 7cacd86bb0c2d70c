// Lanes whose attempts fail one after the other rest in between, so that receivers that refuse everything take no time from the others:
// up to five hundred of them together are tried some hundred times a second.

import type { Lane } from './lane.ts';

/** One that is well again is found out within that time. */
const restMsMax = 5_000;
/** One that fails only now and then never rests. */
const failuresBefore = 2;

export class RestingLanes {
  readonly #lanes = new Set<Lane>();

  /** Answers for how long it rests, 0: not at all, or it does already. */
  begin(lane: Lane): number {
    if (lane.failures <= failuresBefore || lane.isPaused) return 0;
    // Several may have been under way at a time; none has failed where the last one ended for a fault of ours.
    const attempts = Math.max(1, lane.failures - Math.max(failuresBefore, lane.restedFor));
    const restMs = Math.min(restMsMax, attempts * this.#restMsOf(lane.failures));
    lane.restedFor = lane.failures;
    lane.isPaused = true;
    this.#lanes.add(lane);
    return restMs;
  }

  end(lane: Lane): void {
    this.#lanes.delete(lane);
  }

  /** Twice as long each time, up to its part among those that rest: one that is half well is no dead one. */
  #restMsOf(failures: number): number {
    return Math.max(Math.min(30, 3 * failures), Math.min(10 * this.#lanes.size, 5 * 2 ** (failures - failuresBefore)));
  }
}
