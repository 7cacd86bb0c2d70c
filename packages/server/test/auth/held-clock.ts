// A clock that stands still until a test moves it.

import type { Clock } from '../../src/clock.ts';

export interface HeldClock extends Clock {
  nowMs(): number;
  /** Time passes. */
  advance(ms: number): void;
  /** The time of day is set to another, and no time passes. */
  step(ms: number): void;
}

export function holdClock(startMs = Date.now()): HeldClock {
  let nowMs = startMs;
  let monotonicMs = 0;
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => monotonicMs,
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
      monotonicMs += ms;
    },
    step: (ms) => {
      nowMs += ms;
    },
  };
}
