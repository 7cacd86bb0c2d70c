// Lets lanes rest whose attempts fail in a row, so that receivers that refuse everything take no time from the others.
// Up to five hundred such lanes together are tried about a hundred times a second.

import type { Lane } from './lane.ts';

/** A receiver that has recovered is noticed within this time. */
const restMsMax = 5_000;
/** A lane that fails only now and then never rests. */
const failuresBefore = 2;

export class RestingLanes {
  readonly #lanes = new Set<Lane>();

  /** Returns how long the lane rests; 0: no rest, or it rests already. */
  begin(lane: Lane): number {
    if (lane.failures <= failuresBefore || lane.isPaused) return 0;
    // Several attempts may have been in flight. None has failed if the last one ended for a fault of the service.
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

  /** Doubles each time, up to the share of the lane among those that rest: a half-working receiver is not dead. */
  #restMsOf(failures: number): number {
    return Math.max(Math.min(30, 3 * failures), Math.min(10 * this.#lanes.size, 5 * 2 ** (failures - failuresBefore)));
  }
}
