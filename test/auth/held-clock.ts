// A clock that stands still until a test moves it.

import type { Clock } from '../../src/clock.ts';

export interface HeldClock extends Clock {
  nowMs(): number;
  advance(ms: number): void;
}

export function holdClock(startMs = Date.now()): HeldClock {
  let nowMs = startMs;
  return {
    now: () => new Date(nowMs),
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
