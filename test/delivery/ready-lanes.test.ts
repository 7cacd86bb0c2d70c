// Who is next: lanes take turns, first attempts go before others, and what is not known to answer quickly takes no more than its
// part.

import { expect, test } from 'vitest';
import type { Pace } from '../../src/delivery/lanes/lane.ts';
import type { LaneLimits } from '../../src/delivery/lanes/lane-limits.ts';
import { ReadyLanes } from '../../src/delivery/lanes/ready-lanes.ts';
import type { ReadyNotification } from '../../src/delivery/lanes/ready-notification.ts';
import { RoomLeft } from '../../src/delivery/lanes/room-left.ts';

const limits: LaneLimits = { inFlightMax: 100, inFlightPerLane: 3, readyPerLane: 50, readyMax: 500, bytesMax: 10_000 };

let keys = 0;

function ready(subscriptionKey: number, attempts = 0, body = 'x'): ReadyNotification {
  keys += 1;
  return {
    key: keys,
    createdDate: '2026-11-15T00:00:00',
    subscriptionKey,
    attempts,
    resendJob: null,
    id: `1-${keys}`,
    objectType: 'Voyage',
    objectKey: 1,
    eventType: 'U',
    subscribedObjectKey: 1,
    eventTime: '2026-11-15T00:00:00',
    contentType: 'application/json',
    subject: null,
    body: Buffer.from(body),
  };
}

function takeAll(lanes: ReadyLanes): ReadyNotification[] {
  const taken: ReadyNotification[] = [];
  for (let next = lanes.next(); next; next = lanes.next()) taken.push(next);
  return taken;
}

function fill(lanes: ReadyLanes, subscriptionKey: number, count: number, attempts = 0): void {
  for (let index = 0; index < count; index += 1) lanes.add(ready(subscriptionKey, attempts));
}

/** Lanes from 1 on, each of which has shown this pace. */
function shown(pace: Pace, count: number, some: Partial<LaneLimits> = {}): ReadyLanes {
  const lanes = new ReadyLanes({ ...limits, ...some });
  for (let key = 1; key <= count; key += 1) {
    fill(lanes, key, 1);
    lanes.end(lanes.next()!, pace);
  }
  return lanes;
}

/** Whole numbers below what is asked for, the same ones for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const subscriptionsOf = (taken: readonly ReadyNotification[]) => taken.map(({ subscriptionKey }) => subscriptionKey);

test('lanes take turns, however much one of them has', () => {
  const lanes = shown('quick', 2);
  fill(lanes, 1, 40);
  fill(lanes, 2, 2);
  expect(subscriptionsOf(takeAll(lanes))).toEqual([1, 2, 1, 2, 1]);
});

test('a lane has no more under way than its part, and goes on when one ends', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 10);
  const taken = takeAll(lanes);
  expect(taken).toHaveLength(3);
  lanes.end(taken[0]!, 'quick');
  expect(takeAll(lanes)).toHaveLength(1);
  expect(lanes.inFlight).toBe(3);
});

test('a lane that nobody knows has two under way, until it has answered', () => {
  const lanes = new ReadyLanes(limits);
  fill(lanes, 1, 10);
  const [first, ...others] = takeAll(lanes);
  expect(others).toHaveLength(1);
  lanes.end(first!, 'quick');
  expect(takeAll(lanes)).toHaveLength(2);
});

test('a lane whose connection is warm goes on, unless the next one in turn has less under way', () => {
  const lanes = shown('quick', 3, { inFlightMax: 6, inFlightPerLane: 6 });
  for (const key of [1, 2, 3]) fill(lanes, key, 5);
  const begun = takeAll(lanes);
  expect(begun.map(({ subscriptionKey }) => subscriptionKey)).toEqual([1, 2, 3, 1, 2, 3]);
  const endOf = (key: number) => {
    const at = begun.findIndex(({ subscriptionKey }) => subscriptionKey === key);
    lanes.end(begun.splice(at, 1)[0]!, 'quick');
    begun.push(lanes.next(key)!);
    return begun.at(-1)!.subscriptionKey;
  };
  expect([endOf(2), endOf(2), endOf(3)]).toEqual([2, 2, 3]);
});

test('however warm its connection, a lane keeps no other from its turn', () => {
  const lanes = shown('quick', 20, { inFlightMax: 2, inFlightPerLane: 2 });
  for (let key = 1; key <= 20; key += 1) fill(lanes, key, 10);
  const under = takeAll(lanes);
  const seen = new Set<number>();
  for (let n = 0; n < 60; n += 1) {
    const { subscriptionKey } = under[0]!;
    lanes.end(under.shift()!, 'quick');
    under.push(lanes.next(subscriptionKey)!);
    seen.add(under.at(-1)!.subscriptionKey);
  }
  expect(seen.size).toBe(20);
});

test('all together have no more under way than there are places', () => {
  const lanes = shown('quick', 4, { inFlightMax: 5 });
  for (let key = 1; key <= 4; key += 1) fill(lanes, key, 3);
  expect(takeAll(lanes)).toHaveLength(5);
});

test('first attempts go before others, but not for ever', () => {
  const lanes = shown('quick', 2, { inFlightPerLane: 100 });
  fill(lanes, 1, 30);
  fill(lanes, 2, 10, 1);
  const taken = takeAll(lanes).slice(0, 30);
  expect(taken.slice(0, 5).every(({ attempts }) => attempts === 0)).toBe(true);
  const others = taken.filter(({ attempts }) => attempts > 0);
  expect(others.length).toBeGreaterThan(0);
  expect(others.length).toBeLessThan(6);
});

test('a lane that failed has one first attempt under way, and all its places again after a success', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 20);
  const [one, two, three] = takeAll(lanes) as [ReadyNotification, ReadyNotification, ReadyNotification];
  for (const each of [one, two]) lanes.end(each, 'failing');
  expect(takeAll(lanes)).toHaveLength(0);
  lanes.end(three, 'failing');
  const [four, ...more] = takeAll(lanes);
  expect(more).toHaveLength(0);
  lanes.end(four!, 'quick');
  expect(takeAll(lanes)).toHaveLength(3);
});

test('what is tried again of a lane that failed has all its places', () => {
  const lanes = shown('failing', 1);
  fill(lanes, 1, 5, 1);
  expect(takeAll(lanes)).toHaveLength(3);
});

test.each<Pace>(['failing', 'slow'])('lanes that are %s have at most a quarter of all places', (pace) => {
  const lanes = shown(pace, 20, { inFlightMax: 20 });
  for (let key = 1; key <= 20; key += 1) fill(lanes, key, 2);
  const taken = takeAll(lanes);
  expect(taken).toHaveLength(5);
  fill(lanes, 99, 1);
  expect(subscriptionsOf(takeAll(lanes))).toEqual([99]);
  lanes.end(taken[0]!, pace);
  expect(takeAll(lanes)).toHaveLength(1);
});

test('half of the places is for those that are quick, whatever happens', () => {
  const lanes = shown('quick', 1, { inFlightMax: 20 });
  for (let key = 2; key <= 30; key += 1) fill(lanes, key, 2);
  expect(takeAll(lanes)).toHaveLength(5);
  fill(lanes, 1, 3);
  expect(subscriptionsOf(takeAll(lanes))).toEqual([1, 1, 1]);
});

test('those that nobody knows, and that do not answer either, leave half of the places to the quick ones', () => {
  const lanes = shown('quick', 20);
  for (let key = 100; key < 200; key += 1) fill(lanes, key, 2);
  const underWay: number[] = [];
  for (let looks = 0; looks < 5; looks += 1) {
    takeAll(lanes);
    underWay.push(lanes.inFlight);
    lanes.noteSlow(-1);
  }
  expect(underWay).toEqual([25, 50, 50, 50, 50]);
  for (let key = 1; key <= 20; key += 1) fill(lanes, key, 3);
  expect(takeAll(lanes).every(({ subscriptionKey }) => subscriptionKey <= 20)).toBe(true);
  expect(lanes.inFlight).toBe(100);
});

test('one that nobody knows has its turn as soon as one of those that hang has ended', () => {
  const lanes = new ReadyLanes(limits);
  for (let key = 1; key <= 50; key += 1) fill(lanes, key, 2);
  const hanging = takeAll(lanes);
  lanes.noteSlow(-1);
  hanging.push(...takeAll(lanes));
  fill(lanes, 200, 1);
  expect([lanes.inFlight, lanes.next()]).toEqual([50, undefined]);
  lanes.noteSlow(-1);
  for (let key = 1; key <= 50; key += 1) lanes.empty(key);
  lanes.end(hanging[0]!, 'failing');
  expect(lanes.next()?.subscriptionKey).toBe(200);
});

test('one that waits for a place goes on, whoever has the place: one that has nothing left, is paused, or gives everything back', () => {
  const nothingLeft = shown('slow', 2, { inFlightMax: 4 });
  fill(nothingLeft, 1, 3);
  fill(nothingLeft, 2, 1);
  const sent: number[] = [];
  for (let next = nothingLeft.next(); next; next = nothingLeft.next()) {
    sent.push(next.subscriptionKey);
    nothingLeft.end(next, 'slow');
  }
  expect(sent.sort()).toEqual([1, 1, 1, 2]);

  const paused = new ReadyLanes({ ...limits, inFlightMax: 4 });
  fill(paused, 1, 1);
  fill(paused, 2, 1);
  paused.pause(paused.next()!);
  expect(paused.next()?.subscriptionKey).toBe(2);
});

test('whatever happens in which order, nothing that is ready waits while there is a place for it', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = randomFrom(seed);
    const lanes = new ReadyLanes({ ...limits, inFlightMax: 1 + random(8), readyMax: 40, bytesMax: 60 });
    let given = 0;
    let ended = 0;
    const underWay: ReadyNotification[] = [];
    const endOne = () => {
      const [one] = underWay.splice(random(underWay.length), 1);
      ended += 1 + lanes.end(one!, (['quick', 'slow', 'failing', undefined] as const)[random(4)]).length;
      if (lanes.rest(one!.subscriptionKey) > 0 && random(2) === 0) lanes.resume(one!.subscriptionKey);
    };
    for (let steps = 0; steps < 60; steps += 1) {
      for (let count = random(4); count > 0; count -= 1, given += 1) lanes.add(ready(1 + random(6), random(2)));
      for (let next = lanes.next(); next; next = random(3) > 0 ? lanes.next() : undefined) {
        if (random(10) === 0) ended += lanes.pause(next).length;
        else underWay.push(next);
      }
      if (random(5) === 0) ended += lanes.noteSlow(-1).length;
      if (underWay.length > 0 && random(2) === 0) endOne();
      expect([lanes.count + lanes.inFlight + ended, lanes.inFlight]).toEqual([given, underWay.length]);
    }
    while (lanes.count + underWay.length > 0) {
      for (let key = 1; key <= 6; key += 1) lanes.resume(key);
      underWay.push(...takeAll(lanes));
      expect(underWay.length, `seed ${seed}`).toBeGreaterThan(0);
      endOne();
    }
    expect(ended).toBe(given);
  }
});

test('says how much more it takes: of a lane, and of all', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 48);
  expect([lanes.roomIn(1), lanes.roomIn(2), lanes.room()]).toEqual([2, 6, 452]);
  fill(lanes, 1, 2);
  expect(lanes.roomsOf(1)).toEqual({ named: new Map([[1, 0]]), others: 6 });
  expect(lanes.drain()).toHaveLength(50);
  expect([lanes.count, lanes.room(), lanes.roomIn(1)]).toEqual([0, 500, 50]);
});

test('bodies of those that are not quick fill a quarter of the bytes, and those of quick ones half: there is room for either', () => {
  const lanes = shown('quick', 2);
  const large = (key: number, characters: number) => lanes.add(ready(key, 0, 'x'.repeat(characters)));
  large(3, 2_499);
  expect(lanes.roomIn(4)).toBe(6);
  large(4, 20_000);
  expect([lanes.roomIn(4), lanes.roomIn(5), lanes.roomsOf(1).others]).toEqual([0, 0, 0]);
  expect([lanes.roomIn(1), lanes.room()]).toEqual([50, 498]);
  large(1, 5_000);
  expect([lanes.roomIn(1), lanes.roomIn(2), lanes.room()]).toEqual([0, 0, 0]);
  for (let next = lanes.next(); next; next = lanes.next()) lanes.end(next, 'slow');
  expect([lanes.room(), lanes.roomsOf(1).others]).toEqual([500, 6]);
});

test('however many lanes are taken from at once, those that nobody knows get a quarter of the room, and one each at most beyond', () => {
  const lanes = shown('quick', 3);
  const claim = (from: number) => {
    for (let key = from; key < from + 50; key += 1) fill(lanes, key, lanes.roomsOf(50).others);
  };
  expect(lanes.roomsOf(50)).toEqual({ named: new Map(), others: 3 });
  claim(100);
  claim(200);
  claim(300);
  expect(lanes.count).toBe(125);
  expect(lanes.roomsOf(50).others).toBe(0);
  // Those that are quick are named now, since they have room all the same.
  expect([1, 2, 3, 4].map((key) => lanes.roomsOf(50).named.get(key))).toEqual([50, 50, 50, undefined]);
});

test('those that were slow before have no room while others of their kind fill it, and are named', () => {
  const lanes = shown('slow', 60);
  for (let key = 1; key <= 25; key += 1) fill(lanes, key, 5);
  expect(new Set(lanes.roomsOf(50).named.values())).toEqual(new Set([0]));
  expect(lanes.roomsOf(50).named.size).toBe(60);
  for (let key = 1; key <= 5; key += 1) lanes.empty(key);
  expect([lanes.roomsOf(50).named.get(1), lanes.roomsOf(50).named.get(60), lanes.roomsOf(50).others]).toEqual([
    1, 1, 3,
  ]);
});

test('what becomes slow while the slow ones have all their room gives everything back', () => {
  const lanes = shown('slow', 25);
  fill(lanes, 100, 6);
  expect(lanes.next()!.subscriptionKey).toBe(100);
  for (let key = 1; key <= 25; key += 1) fill(lanes, key, 5);
  expect(subscriptionsOf(lanes.noteSlow(-1))).toEqual([100, 100, 100, 100, 100]);
  expect([lanes.count, lanes.roomsOf(50).named.get(100)]).toEqual([125, 0]);
});

test('a lane that becomes slow gives back large bodies that are too much for the slow ones', () => {
  const lanes = shown('quick', 1);
  for (let count = 0; count < 4; count += 1) lanes.add(ready(1, 0, 'x'.repeat(1_000)));
  expect(lanes.next()).toBeDefined();
  expect(lanes.noteSlow(-1)).toHaveLength(2);
  expect([lanes.count, lanes.roomIn(1)]).toEqual([1, 5]);
});

test('bodies that came in are not given back again and again while their receiver fails', () => {
  const lanes = shown('failing', 1);
  for (let count = 0; count < 6; count += 1) lanes.add(ready(1, 1, 'x'.repeat(1_000)));
  expect(lanes.roomIn(1)).toBe(0);
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
  expect(lanes.roomIn(1)).toBe(50);
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
  const room = new RoomLeft(lanes);
  const taken = (key: number, count: number) =>
    Array.from({ length: count }, () => room.take(key)).filter(Boolean).length;
  expect([taken(1, 60), taken(2, 60)]).toEqual([50, 50]);
  const unknown = Array.from({ length: 100 }, (_, index) => taken(100 + index, 3));
  expect(unknown.reduce((sum, each) => sum + each)).toBe(125);
  expect(taken(1, 1)).toBe(0);
});

test('lanes that are slow have a quarter of the room at most, however many there are', () => {
  const lanes = shown('slow', 1000, { readyMax: 100 });
  let added = 0;
  for (let key = 1; key <= 1000; key += 1)
    for (let room = lanes.roomIn(key); room > 0 && added < 1000; room -= 1) {
      fill(lanes, key, 1);
      added += 1;
    }
  expect(lanes.count).toBe(25);
});

test('where much is ready, no lane takes more than a little', () => {
  const lanes = shown('quick', 10, { readyMax: 100, readyPerLane: 60 });
  fill(lanes, 1, 60);
  expect([lanes.roomIn(1), lanes.roomIn(2)]).toEqual([0, 6]);
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

test('a lane that is paused keeps its next one, gives the rest back, and goes on when it is resumed', () => {
  const lanes = new ReadyLanes(limits);
  fill(lanes, 1, 3);
  const first = lanes.next()!;
  expect(lanes.pause(first)).toHaveLength(2);
  expect([lanes.next(), lanes.count, lanes.inFlight, lanes.roomIn(1)]).toEqual([undefined, 1, 0, 0]);
  lanes.resume(1);
  expect(lanes.next()).toBe(first);
});

test('a lane that was quick, and does not answer for a while, is slow before it has answered', () => {
  const lanes = shown('quick', 1, { inFlightMax: 4 });
  fill(lanes, 1, 40);
  expect(takeAll(lanes)).toHaveLength(3);
  expect(lanes.noteSlow(1_000)).toEqual([]);
  expect(lanes.noteSlow(-1)).toHaveLength(31);
  expect([lanes.count, lanes.roomIn(1)]).toEqual([6, 0]);
});

test('a lane that fails again and again rests ever longer, up to 30 ms, and not at all once it has answered', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 1);
  const attempt = (pace: Pace) => {
    fill(lanes, 1, 1);
    lanes.resume(1);
    const next = lanes.next()!;
    lanes.end(next, pace);
    return lanes.rest(1);
  };
  const rests = Array.from({ length: 11 }, () => attempt('failing'));
  expect(rests).toEqual([0, 0, 9, 12, 15, 18, 21, 24, 27, 30, 30]);
  expect([lanes.next(), lanes.rest(1), lanes.roomIn(1)]).toEqual([undefined, 0, 0]);
  expect([attempt('quick'), attempt('failing')]).toEqual([0, 0]);
});

test('a quick lane that is full is told apart from one that hangs, and runs low when little is left to send', () => {
  const hanging = shown('slow', 1);
  fill(hanging, 1, 50);
  expect(hanging.isQuickOneFull).toBe(false);
  const lanes = shown('quick', 1);
  fill(lanes, 1, 49);
  expect([lanes.isQuickOneFull, lanes.isRunningLow(1)]).toEqual([false, false]);
  fill(lanes, 1, 1);
  expect([lanes.isQuickOneFull, lanes.isRunningLow(1)]).toEqual([true, false]);
  for (let left = 50; left > 3; left -= 1) lanes.end(lanes.next()!, 'quick');
  expect([lanes.isQuickOneFull, lanes.isRunningLow(1)]).toEqual([false, true]);
});
