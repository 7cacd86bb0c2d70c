// Lanes with a rate: what they keep in memory while they wait, and that other lanes lose nothing by it.

import { expect, onTestFinished, test, vi } from 'vitest';
import { CapacityLeft } from '../../src/deliver/lanes/direct-dispatch.ts';
import type { ReadyLanes } from '../../src/deliver/lanes/ready-lanes.ts';
import type { RateWait } from '../../src/deliver/lanes/throttled-lane.ts';
import { capacityOf, fill, ready, shown, takeAll } from './filled-lanes.ts';

const fivePerSecond: RateWait = { ratePerSecond: 5, waitMs: 200 };

/** Pauses lane 1 with this many ready. Answers how many of them are released. */
function pauseOne(lanes: ReadyLanes, count: number, rate: RateWait): number {
  fill(lanes, 1, count);
  return lanes.pause(lanes.next()!, rate).length;
}

test.each<[string, RateWait, number]>([
  ['5 a second', fivePerSecond, 10],
  ['0.5 a second', { ratePerSecond: 0.5, waitMs: 2_000 }, 2],
  ['a wait of 10 seconds', { ratePerSecond: 0.1, waitMs: 10_000 }, 0],
])('at %s, a paused lane keeps what it sends in two seconds, or nothing', (_, rate, kept) => {
  const lanes = shown('quick', 1);
  expect(pauseOne(lanes, 30, rate)).toBe(30 - kept);
  expect([lanes.count, lanes.inFlight, lanes.next()]).toEqual([kept, 0, undefined]);
});

test('while slots are reserved, nothing is released', () => {
  const lanes = shown('quick', 1);
  expect(pauseOne(lanes, 30, { ratePerSecond: 5, waitMs: undefined })).toBe(0);
  lanes.resume(1);
  expect(lanes.pause(lanes.next()!, fivePerSecond)).toHaveLength(20);
});

test('the notification that had to wait is the next one', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 3);
  const first = lanes.next()!;
  lanes.pause(first, fivePerSecond);
  lanes.resume(1);
  expect(lanes.next()).toBe(first);
});

test('a throttled lane claims when half is sent, and gets no direct dispatch; a second later it is as others', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lanes = shown('quick', 1);
  pauseOne(lanes, 10, fivePerSecond);
  const capacities: number[] = [];
  for (let sent = 0; sent < 6; sent += 1) {
    capacities.push(lanes.claimCapacities(1).named.get(1)!);
    lanes.resume(1);
    lanes.end(lanes.next()!, 'quick');
    lanes.pause(lanes.next()!, fivePerSecond);
  }
  capacities.push(lanes.claimCapacities(1).named.get(1)!);
  expect(capacities).toEqual([0, 0, 0, 0, 0, 0, 6]);
  expect(new CapacityLeft(lanes).take(1)).toBe(false);
  lanes.resume(1);
  vi.advanceTimersByTime(2_000);
  expect([capacityOf(lanes, 1), new CapacityLeft(lanes).take(1)]).toEqual([46, true]);
});

test('a paused lane takes no more than it keeps, but what follows a sent one always', () => {
  const lanes = shown('quick', 2);
  pauseOne(lanes, 10, fivePerSecond);
  expect([lanes.isClosed(1, false), lanes.isClosed(1, true)]).toEqual([true, false]);
  lanes.resume(1);
  lanes.pause(lanes.next()!, { ratePerSecond: 0.1, waitMs: 10_000 });
  expect([lanes.isClosed(1, false), lanes.isClosed(1, true), lanes.isClosed(2, false)]).toEqual([true, true, false]);
});

test('however many followers come back, a throttled lane releases none of them', () => {
  const lanes = shown('quick', 1);
  pauseOne(lanes, 10, fivePerSecond);
  for (let sent = 0; sent < 50; sent += 1) {
    lanes.resume(1);
    const one = lanes.next()!;
    expect(lanes.pause(lanes.next()!, fivePerSecond)).toEqual([]);
    lanes.end(one, 'quick');
    lanes.add(ready(1));
  }
  expect(lanes.count).toBe(10);
});

test.each([
  ['quick', 125],
  ['failing', 32],
] as const)(
  'however many %s lanes wait for their rate, they keep little, and others have their capacity',
  (state, most) => {
    const lanes = shown(state, 1_000);
    for (let key = 1; key <= 1_000; key += 1) {
      fill(lanes, key, 2);
      lanes.pause(lanes.next()!, fivePerSecond);
    }
    // What the first ones have kept is released when they wait again.
    for (let key = 1; key <= 1_000; key += 1) {
      lanes.resume(key);
      const next = lanes.next();
      if (next) lanes.pause(next, fivePerSecond);
    }
    expect(lanes.count).toBeLessThanOrEqual(most);
    expect(capacityOf(lanes, 2_000)).toBe(6);
  },
);

test('a paused lane keeps no large bodies', () => {
  const lanes = shown('quick', 1);
  for (let count = 0; count < 5; count += 1) lanes.add(ready(1, 0, 'x'.repeat(1_000)));
  expect(lanes.pause(lanes.next()!, fivePerSecond)).toHaveLength(5);
  expect(lanes.claimCapacities(1).named.get(1)).toBe(0);
});

test('full lanes with a rate do not make the loop look for more', () => {
  const lanes = shown('quick', 1);
  pauseOne(lanes, 10, fivePerSecond);
  expect([lanes.hasFullQuickLane, lanes.keys()]).toEqual([false, [1]]);
  pauseAll(lanes);
  expect(lanes.keys()).toEqual([1]);
});

/** Until nothing is in memory. */
function pauseAll(lanes: ReadyLanes): void {
  lanes.resume(1);
  lanes.pause(lanes.next()!, { ratePerSecond: 0.1, waitMs: 10_000 });
  expect(takeAll(lanes)).toEqual([]);
}
