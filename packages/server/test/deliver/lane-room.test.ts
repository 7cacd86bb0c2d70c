// How much more is taken in, of a lane and of all: what is not known to answer quickly has no more than its part of the room.

import { expect, onTestFinished, test, vi } from 'vitest';
import { CapacityLeft } from '../../src/deliver/lanes/direct-dispatch.ts';
import { ReadyLanes } from '../../src/deliver/lanes/ready-lanes.ts';
import { capacityOf, fill, limits, ready, shown, subscriptionsOf, takeAll } from './filled-lanes.ts';

test('says how much more it takes: of a lane, and of all', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 48);
  expect([capacityOf(lanes, 1), capacityOf(lanes, 2), lanes.capacity()]).toEqual([2, 6, 452]);
  fill(lanes, 1, 2);
  expect(lanes.claimCapacities(1)).toEqual({ named: new Map([[1, 0]]), others: 6 });
  expect(lanes.drain()).toHaveLength(50);
  expect([lanes.count, lanes.capacity(), capacityOf(lanes, 1)]).toEqual([0, 500, 50]);
});

test(
  'bodies of those that are not quick fill a quarter of the bytes, and those of quick ones half: there is room for ' +
    'either',
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
  'however many lanes are taken from at once, those that nobody knows get a quarter of the room, and one each at ' +
    'most beyond',
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
    // Those that are quick are named now, since they have room all the same.
    expect([1, 2, 3, 4].map((key) => lanes.claimCapacities(50).named.get(key))).toEqual([50, 50, 50, undefined]);
  },
);

test('those that were slow before have no room while others of their kind fill it, and are named', () => {
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

test('what becomes slow while the slow ones have all their room gives everything back', () => {
  const lanes = shown('slow', 25);
  fill(lanes, 100, 6);
  expect(lanes.next()!.subscriptionKey).toBe(100);
  for (let key = 1; key <= 25; key += 1) fill(lanes, key, 5);
  expect(subscriptionsOf(lanes.noteSlow(-1))).toEqual([100, 100, 100, 100, 100]);
  expect([lanes.count, lanes.claimCapacities(50).named.get(100)]).toEqual([125, 0]);
});

test('a lane that becomes slow keeps its large bodies only while the slow ones have less than their part', () => {
  const lanes = shown('quick', 2);
  for (const key of [1, 2]) for (let count = 0; count < 4; count += 1) lanes.add(ready(key, 0, 'x'.repeat(1_000)));
  expect([lanes.next(), lanes.next()]).toMatchObject([{ subscriptionKey: 1 }, { subscriptionKey: 2 }]);
  expect(subscriptionsOf(lanes.noteSlow(-1))).toEqual([2, 2, 2]);
  expect([lanes.count, capacityOf(lanes, 1), capacityOf(lanes, 2)]).toEqual([3, 0, 0]);
});

test('bodies that came in are not given back again and again while their receiver fails', () => {
  const lanes = shown('failing', 1);
  for (let count = 0; count < 6; count += 1) lanes.add(ready(1, 1, 'x'.repeat(1_000)));
  expect(capacityOf(lanes, 1)).toBe(0);
  const surplus = takeAll(lanes).map((each) => lanes.end(each, 'failing').length);
  expect([surplus, lanes.count]).toEqual([[0, 0, 0], 3]);
});

test('those that hang leave the quick ones their whole part of the room, each of them too', () => {
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
])('of %d places, those that nobody knows and those that hang have %d together', (inFlightMax, places) => {
  const lanes = new ReadyLanes({ ...limits, inFlightMax });
  for (let key = 1; key <= 50; key += 1) fill(lanes, key, 2);
  for (let looks = 0; looks < 10; looks += 1) {
    takeAll(lanes);
    lanes.noteSlow(-1);
  }
  expect(lanes.inFlight).toBe(places);
});

test('no room is promised twice, to one subscription or to many', () => {
  const lanes = shown('quick', 2);
  const room = new CapacityLeft(lanes);
  const taken = (key: number, count: number) =>
    Array.from({ length: count }, () => room.take(key)).filter(Boolean).length;
  expect([taken(1, 60), taken(2, 60)]).toEqual([50, 50]);
  const unknown = Array.from({ length: 100 }, (_, index) => taken(100 + index, 3));
  expect(unknown.reduce((sum, each) => sum + each)).toBe(125);
  expect(taken(1, 1)).toBe(0);
});

test('to a subscription in trouble nothing that is new is handed on: what has failed would never have its turn', () => {
  expect(new CapacityLeft(shown('failing', 1)).take(1)).toBe(false);
  expect(new CapacityLeft(shown('slow', 1)).take(1)).toBe(false);
  const lanes = shown('quick', 1);
  fill(lanes, 1, 1);
  lanes.pause(lanes.next()!);
  lanes.resume(1);
  expect([capacityOf(lanes, 1), new CapacityLeft(lanes).take(1)]).toEqual([2, false]);
});

test('lanes that are slow have a quarter of the room at most, however many there are', () => {
  const lanes = shown('slow', 1000, { readyMax: 100 });
  let added = 0;
  for (let key = 1; key <= 1000; key += 1)
    for (let room = capacityOf(lanes, key); room > 0 && added < 1000; room -= 1) {
      fill(lanes, key, 1);
      added += 1;
    }
  expect(lanes.count).toBe(25);
});

test('where much is ready, no lane takes more than a little', () => {
  const lanes = shown('quick', 10, { readyMax: 100, readyPerLane: 60 });
  fill(lanes, 1, 60);
  expect([capacityOf(lanes, 1), capacityOf(lanes, 2)]).toEqual([0, 6]);
});

test('what a lane has too much of when it begins to fail is given back', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 30);
  const surplus = lanes.end(lanes.next()!, 'failing');
  expect([surplus.length, lanes.count]).toEqual([23, 6]);
});

test('a lane that is emptied gives back what it has, and takes more', () => {
  const lanes = new ReadyLanes(limits);
  fill(lanes, 1, 5);
  expect(lanes.empty(1)).toHaveLength(5);
  expect([lanes.next(), lanes.count, lanes.empty(2)]).toEqual([undefined, 0, []]);
  fill(lanes, 1, 1);
  expect(lanes.next()).toBeDefined();
});

test('a lane that was quick, and does not answer for a while, is slow before it has answered', () => {
  const lanes = shown('quick', 1, { inFlightMax: 4 });
  fill(lanes, 1, 40);
  expect(takeAll(lanes)).toHaveLength(3);
  expect(lanes.noteSlow(1_000)).toEqual([]);
  expect(lanes.noteSlow(-1)).toHaveLength(31);
  expect([lanes.count, capacityOf(lanes, 1)]).toEqual([6, 0]);
});

test('a quick lane that is full is told apart from one that hangs, and runs low when little is left to send', () => {
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

test('a lane that is paused gives everything back, and takes two at a time for a minute after it is resumed', () => {
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

test('however many lanes are paused, the others have all the room, and a claim takes nothing of those', () => {
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
