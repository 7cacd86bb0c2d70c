// Rates count time that has passed: a time of day that is set forward fills no bucket, and one that is set back freezes
// none.

import { expect, test } from 'vitest';
import { RateBuckets } from '../src/rate-buckets.ts';
import { holdClock } from './auth/held-clock.ts';

const hourMs = 3_600_000;

test.each([-hourMs, hourMs])('an empty bucket refills in its time although the clock steps by %i ms', (stepMs) => {
  const clock = holdClock();
  const buckets = new RateBuckets({ capacity: 2, refillMs: 1_000, clock });
  expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([0, 0, 500]);
  clock.step(stepMs);
  expect(buckets.take('a')).toBe(500);
  clock.advance(499);
  expect(buckets.waitMs('a')).toBeCloseTo(1);
  clock.step(-stepMs);
  clock.advance(1);
  expect(buckets.take('a')).toBe(0);
});
