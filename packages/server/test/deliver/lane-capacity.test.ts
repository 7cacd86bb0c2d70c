// How many more notifications are taken, per lane and in all: lanes that are not quick have a limited share.

import { expect, onTestFinished, test, vi } from 'vitest';
import { CapacityLeft } from '../../src/deliver/lanes/direct-dispatch.ts';
import { ReadyLanes } from '../../src/deliver/lanes/ready-lanes.ts';
import { capacityOf, fill, limits, ready, shown, subscriptionsOf, takeAll } from './filled-lanes.ts';

test('reports how many more it takes, per lane and in all', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 48);
  expect([capacityOf(lanes, 1), capacityOf(lanes, 2), lanes.capacity()]).toEqual([2, 6, 452]);
  fill(lanes, 1, 2);
  expect(lanes.claimCapacities(1)).toEqual({ named: new Map([[1, 0]]), others: 6 });
  expect(lanes.drain()).toHaveLength(50);
  expect([lanes.count, lanes.capacity(), capacityOf(lanes, 1)]).toEqual([0, 500, 50]);
});

test(
  'bodies of other lanes fill a quarter of the bytes, and those of quick lanes half: neither takes capacity from ' +
    'the other',
  () => {
    const lanes = shown('quick', 2);
    const large = (key: number, characters: number) => lanes.add(ready(key, 0, 'x'.repeat(characters)));
    large(3, 2_499);
    expect(capacityOf(lanes, 4)).toBe(6);
    large(4, 20_000);
    expect([capacityOf(lanes, 4), capacityOf(lanes, 5), lanes.claimCapacities(1).others]).toEqual([0, 0, 0]);
    expect([capacityOf(lanes, 1), lanes.capacity()]).toEqual([50, 498]);
    large(1, 5_000);
    expect([capacityOf(lanes, 1), capacityOf(lanes, 2), lanes.capacity()]).toEqual([0, 0, 0]);
    for (let next = lanes.next(); next; next = lanes.next()) lanes.end(next, 'slow');
    expect([lanes.capacity(), lanes.claimCapacities(1).others]).toEqual([500, 6]);
  },
);

test(
  'however many lanes one claim includes, unknown lanes get a quarter of the capacity, and at most one each ' +
    'beyond it',
  () => {
    const lanes = shown('quick', 3);
    const claim = (from: number) => {
      for (let key = from; key < from + 50; key += 1) fill(lanes, key, lanes.claimCapacities(50).others);
    };
    expect(lanes.claimCapacities(50)).toEqual({ named: new Map(), others: 3 });
    claim(100);
    claim(200);
    claim(300);
    expect(lanes.count).toBe(125);
    expect(lanes.claimCapacities(50).others).toBe(0);
    // Quick lanes are named now, because they still have capacity.
    expect([1, 2, 3, 4].map((key) => lanes.claimCapacities(50).named.get(key))).toEqual([50, 50, 50, undefined]);
  },
);

test('idle slow lanes have no capacity while other slow lanes fill their share, and are named', () => {
  const lanes = shown('slow', 60);
  for (let key = 1; key <= 25; key += 1) fill(lanes, key, 5);
  expect(new Set(lanes.claimCapacities(50).named.values())).toEqual(new Set([0]));
  expect(lanes.claimCapacities(50).named.size).toBe(60);
  for (let key = 1; key <= 5; key += 1) lanes.empty(key);
  expect([
    lanes.claimCapacities(50).named.get(1),
    lanes.claimCapacities(50).named.get(60),
    lanes.claimCapacities(50).others,
  ]).toEqual([1, 1, 3]);
});

test('a lane that becomes slow while slow lanes fill their share releases everything', () => {
  const lanes = shown('slow', 25);
  fill(lanes, 100, 6);
  expect(lanes.next()!.subscriptionKey).toBe(100);
  for (let key = 1; key <= 25; key += 1) fill(lanes, key, 5);
  expect(subscriptionsOf(lanes.noteSlow(-1))).toEqual([100, 100, 100, 100, 100]);
  expect([lanes.count, lanes.claimCapacities(50).named.get(100)]).toEqual([125, 0]);
});

test('a lane that becomes slow keeps its large bodies only while slow lanes have less than their share', () => {
  const lanes = shown('quick', 2);
  for (const key of [1, 2]) for (let count = 0; count < 4; count += 1) lanes.add(ready(key, 0, 'x'.repeat(1_000)));
  expect([lanes.next(), lanes.next()]).toMatchObject([{ subscriptionKey: 1 }, { subscriptionKey: 2 }]);
  expect(subscriptionsOf(lanes.noteSlow(-1))).toEqual([2, 2, 2]);
  expect([lanes.count, capacityOf(lanes, 1), capacityOf(lanes, 2)]).toEqual([3, 0, 0]);
});

test('a failing lane releases its surplus once, not after every attempt', () => {
  const lanes = shown('failing', 1);
  for (let count = 0; count < 6; count += 1) lanes.add(ready(1, 1, 'x'.repeat(1_000)));
  expect(capacityOf(lanes, 1)).toBe(0);
  const surplus = takeAll(lanes).map((each) => lanes.end(each, 'failing').length);
  expect([surplus, lanes.count]).toEqual([[0, 0, 0], 3]);
});

test('lanes that hang leave quick lanes their whole share, and each quick lane its own', () => {
  const lanes = shown('quick', 1);
  for (let key = 100; key < 225; key += 1) fill(lanes, key, 1);
  takeAll(lanes);
  lanes.noteSlow(-1);
  for (let key = 300; key < 425; key += 1) fill(lanes, key, 1);
  expect(lanes.count).toBeGreaterThan(200);
  expect(capacityOf(lanes, 1)).toBe(50);
});

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [5, 2],
  [10, 5],
])('of %d places, unknown lanes and lanes that hang have %d together', (inFlightMax, places) => {
  const lanes = new ReadyLanes({ ...limits, inFlightMax });
  for (let key = 1; key <= 50; key += 1) fill(lanes, key, 2);
  for (let looks = 0; looks < 10; looks += 1) {
    takeAll(lanes);
    lanes.noteSlow(-1);
  }
  expect(lanes.inFlight).toBe(places);
});

test('no capacity is reserved twice, for one subscription or for many', () => {
  const lanes = shown('quick', 2);
  const room = new CapacityLeft(lanes);
  const taken = (key: number, count: number) =>
    Array.from({ length: count }, () => room.take(key)).filter(Boolean).length;
  expect([taken(1, 60), taken(2, 60)]).toEqual([50, 50]);
  const unknown = Array.from({ length: 100 }, (_, index) => taken(100 + index, 3));
  expect(unknown.reduce((sum, each) => sum + each)).toBe(125);
  expect(taken(1, 1)).toBe(0);
});

test('troubled lanes get no direct dispatch: their retries would never get a turn', () => {
  expect(new CapacityLeft(shown('failing', 1)).take(1)).toBe(false);
  expect(new CapacityLeft(shown('slow', 1)).take(1)).toBe(false);
  const lanes = shown('quick', 1);
  fill(lanes, 1, 1);
  lanes.pause(lanes.next()!);
  lanes.resume(1);
  expect([capacityOf(lanes, 1), new CapacityLeft(lanes).take(1)]).toEqual([2, false]);
});

test('slow lanes have at most a quarter of the capacity, however many there are', () => {
  const lanes = shown('slow', 1000, { readyMax: 100 });
  let added = 0;
  for (let key = 1; key <= 1000; key += 1)
    for (let room = capacityOf(lanes, key); room > 0 && added < 1000; room -= 1) {
      fill(lanes, key, 1);
      added += 1;
    }
  expect(lanes.count).toBe(25);
});

test('while much is ready, no lane takes more than a few', () => {
  const lanes = shown('quick', 10, { readyMax: 100, readyPerLane: 60 });
  fill(lanes, 1, 60);
  expect([capacityOf(lanes, 1), capacityOf(lanes, 2)]).toEqual([0, 6]);
});

test('a lane that begins to fail releases its surplus', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 30);
  const surplus = lanes.end(lanes.next()!, 'failing');
  expect([surplus.length, lanes.count]).toEqual([23, 6]);
});

test('a lane that is emptied returns everything, and takes more', () => {
  const lanes = new ReadyLanes(limits);
  fill(lanes, 1, 5);
  expect(lanes.empty(1)).toHaveLength(5);
  expect([lanes.next(), lanes.count, lanes.empty(2)]).toEqual([undefined, 0, []]);
  fill(lanes, 1, 1);
  expect(lanes.next()).toBeDefined();
});

test('a quick lane without a response for a while becomes slow before the response arrives', () => {
  const lanes = shown('quick', 1, { inFlightMax: 4 });
  fill(lanes, 1, 40);
  expect(takeAll(lanes)).toHaveLength(3);
  expect(lanes.noteSlow(1_000)).toEqual([]);
  expect(lanes.noteSlow(-1)).toHaveLength(31);
  expect([lanes.count, capacityOf(lanes, 1)]).toEqual([6, 0]);
});

test('a full quick lane is distinguished from one that hangs, and runs low when little is left', () => {
  const hanging = shown('slow', 1);
  fill(hanging, 1, 50);
  expect(hanging.hasFullQuickLane).toBe(false);
  const lanes = shown('quick', 1);
  fill(lanes, 1, 49);
  expect([lanes.hasFullQuickLane, lanes.isRunningLow(1)]).toEqual([false, false]);
  fill(lanes, 1, 1);
  expect([lanes.hasFullQuickLane, lanes.isRunningLow(1)]).toEqual([true, false]);
  for (let left = 50; left > 3; left -= 1) lanes.end(lanes.next()!, 'quick');
  expect([lanes.hasFullQuickLane, lanes.isRunningLow(1)]).toEqual([false, true]);
});

test('a paused lane releases everything, and takes two at a time for a minute after it is resumed', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lanes = shown('quick', 1);
  fill(lanes, 1, 3);
  const [underWay, first] = [lanes.next()!, lanes.next()!];
  expect(lanes.pause(first)).toEqual([first, expect.anything()]);
  lanes.end(underWay, 'quick');
  expect([lanes.next(), lanes.count, lanes.inFlight, capacityOf(lanes, 1)]).toEqual([undefined, 0, 0, 0]);
  lanes.resume(1);
  const capacities = [0, 30_000, 29_000, 2_000].map((ms) => {
    vi.advanceTimersByTime(ms);
    return capacityOf(lanes, 1);
  });
  expect(capacities).toEqual([2, 2, 2, 50]);
});

test('however many lanes are paused, the others have all the capacity, and claims skip the paused ones', () => {
  const lanes = shown('quick', 1_000);
  const others = lanes.capacity();
  for (let key = 1; key <= 1_000; key += 1) {
    fill(lanes, key, 1);
    lanes.pause(lanes.next()!);
  }
  expect([lanes.count, lanes.capacity()]).toEqual([0, others]);
  const { named } = lanes.claimCapacities(50);
  expect([named.size, new Set(named.values())]).toEqual([1_000, new Set([0])]);
  for (let key = 1; key <= 1_000; key += 1) lanes.resume(key);
  expect(new Set(lanes.claimCapacities(50).named.values())).toEqual(new Set([2]));
});
