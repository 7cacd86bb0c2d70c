// Rates are of the time that was observed: ten seconds at most, and less after the start.

import { describe, expect, test } from 'vitest';
import { activityCodes } from '../../src/deliver/statistics/activity-table.ts';
import { ChangeRate, LiveFigures } from '../../src/live/live-figures.ts';

/** Ten per second, from the start on. */
function tenPerSecond(seconds: number) {
  const since = 1_000.5;
  const figures = new LiveFigures(since);
  const changes = new ChangeRate(since);
  for (let step = 0; step < seconds * 10; step += 1) {
    figures.add(since + step / 10, activityCodes.created);
    changes.add(since + step / 10, 1);
  }
  const now = since + seconds;
  return [figures.rates(now).notificationsPerSecond, changes.perSecond(now)];
}

describe('the rate of ten per second', () => {
  test.each([1, 2, 5])('is right after %i seconds', (seconds) => {
    expect(tenPerSecond(seconds)).toEqual([10, 10]);
  });

  test('is right after a minute, to within the second that has just begun', () => {
    for (const rate of tenPerSecond(60)) expect(rate).toBeCloseTo(10, -0.5);
  });
});

test('one event at the start is no peak', () => {
  const figures = new LiveFigures(5);
  figures.add(5.1, activityCodes.created);
  expect(figures.rates(5.1).notificationsPerSecond).toBe(1);
  expect(figures.rates(20).notificationsPerSecond).toBe(0);
});
