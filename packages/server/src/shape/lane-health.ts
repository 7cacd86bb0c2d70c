// Decides which thread runs the script and the stylesheet of a subscription (its lane), by how its last runs went. A
// timeout is a run that took too long or broke its engine. Kept in memory and learned again after a restart; no I/O.
//
// | Health    | When                                                         | Its matches                          |
// |-----------|--------------------------------------------------------------|--------------------------------------|
// | `fast`    | at most 20 ms on average, no timeout in the last ten minutes | run in the fast threads              |
// | `slow`    | all others, also a lane that has not run yet                 | run in the slow thread, user by user |
// | `paused`  | after a timeout: 1 s, then 5, 10, 20, 40 and 60 s            | wait                                 |
// | `failing` | in each pause from the third timeout in a row on             | fail without a run                   |
//
// After a pause the lane is `slow`. A run in time resets the count of timeouts. The first timeout in a row is not
// recorded, because the machine may have been busy: its match runs again after the pause.

import { Recent } from '../recent.ts';

export type LaneHealth = 'fast' | 'slow' | 'paused' | 'failing';

interface LaneRecord {
  /** Moving average of the time for one match. */
  meanMs: number;
  /** How many in a row. */
  timeouts: number;
  pausedUntil: number;
  slowUntil: number;
  /** -1 before the first run. */
  lastRunAt: number;
}

const lanesRemembered = 20_000;
const fastMs = 20;
const newestWeighs = 0.2;
const slowAfterTimeoutMs = 600_000;
const pausesMs = [1_000, 5_000, 10_000, 20_000, 40_000, 60_000];
/** From here on, matches fail instead of waiting, because they would pile up. */
const timeoutsForFailing = 3;
const notRun: LaneRecord = { meanMs: 0, timeouts: 0, pausedUntil: 0, slowUntil: 0, lastRunAt: -1 };

export class LaneHealths {
  readonly #lanes = new Recent<number, LaneRecord>(lanesRemembered);

  of(lane: number): LaneHealth {
    const { meanMs, timeouts, pausedUntil, slowUntil, lastRunAt } = this.#recordOf(lane);
    const now = performance.now();
    if (pausedUntil > now) return timeouts >= timeoutsForFailing ? 'failing' : 'paused';
    return lastRunAt >= 0 && meanMs <= fastMs && slowUntil <= now ? 'fast' : 'slow';
  }

  /** Returns whether the result is final. If not, the match is to be run again. */
  note(lane: number, { isOverTime, tookMs }: { isOverTime: boolean; tookMs: number }): boolean {
    const before = this.#recordOf(lane);
    const now = performance.now();
    // A run that ends in the pause began before it.
    if (before.pausedUntil > now) return !isOverTime;
    const meanMs = before.meanMs + (tookMs - before.meanMs) * newestWeighs;
    const after = { ...before, meanMs, timeouts: 0, lastRunAt: now };
    if (isOverTime) {
      after.timeouts = before.timeouts + 1;
      after.pausedUntil = now + (pausesMs[before.timeouts] ?? pausesMs.at(-1)!);
      after.slowUntil = now + slowAfterTimeoutMs;
    }
    this.#lanes.set(lane, after);
    return after.timeouts !== 1;
  }

  /** When the lane last ran, for ordering lanes fairly. */
  lastRunAt(lane: number): number {
    return this.#recordOf(lane).lastRunAt;
  }

  #recordOf(lane: number): LaneRecord {
    return this.#lanes.peek(lane) ?? notRun;
  }
}
