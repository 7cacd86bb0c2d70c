// Which lane sends next: lanes take turns, first attempts go first, and lanes that are not quick have limited places.

import { expect, test } from 'vitest';
import type { ReceiverState } from '../../src/deliver/lanes/lane.ts';
import { ReadyLanes } from '../../src/deliver/lanes/ready-lanes.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { fill, limits, randomFrom, ready, shown, subscriptionsOf, takeAll } from './filled-lanes.ts';

test('lanes take turns, however much one of them has', () => {
  const lanes = shown('quick', 2);
  fill(lanes, 1, 40);
  fill(lanes, 2, 2);
  expect(subscriptionsOf(takeAll(lanes))).toEqual([1, 2, 1, 2, 1]);
});

test('a lane has no more in flight than its limit, and continues when an attempt ends', () => {
  const lanes = shown('quick', 1);
  fill(lanes, 1, 10);
  const taken = takeAll(lanes);
  expect(taken).toHaveLength(3);
  lanes.end(taken[0]!, 'quick');
  expect(takeAll(lanes)).toHaveLength(1);
  expect(lanes.inFlight).toBe(3);
});

test('an unknown lane has two in flight until its first response', () => {
  const lanes = new ReadyLanes(limits);
  fill(lanes, 1, 10);
  const [first, ...others] = takeAll(lanes);
  expect(others).toHaveLength(1);
  lanes.end(first!, 'quick');
  expect(takeAll(lanes)).toHaveLength(2);
});

test('a lane with a warm connection continues, unless the next lane has fewer in flight', () => {
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

test('a warm connection does not keep other lanes from their turn', () => {
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

test('all lanes together have no more in flight than there are places', () => {
  const lanes = shown('quick', 4, { inFlightMax: 5 });
  for (let key = 1; key <= 4; key += 1) fill(lanes, key, 3);
  expect(takeAll(lanes)).toHaveLength(5);
});

test('while connections are scarce, active lanes share them equally; otherwise each has all its places', () => {
  let areScarce = true;
  const lanes = shown('quick', 20, { inFlightPerLane: 10, areConnectionsScarce: () => areScarce });
  for (let key = 1; key <= 20; key += 1) fill(lanes, key, 10);
  const taken = takeAll(lanes);
  const most = (some: ReadyNotification[]) =>
    Math.max(...subscriptionsOf(some).map((key) => subscriptionsOf(some).filter((other) => other === key).length));
  // Three quarters of 80 connections for 20 of them.
  expect([taken.length, most(taken)]).toEqual([60, 3]);
  areScarce = false;
  for (const one of taken) lanes.end(one, 'quick');
  expect(takeAll(lanes)).toHaveLength(100);
});

test('connections that are scarce for one channel limit no lane of another', () => {
  const areConnectionsScarce = (subscriptionKey: number) => subscriptionKey % 2 === 0;
  const lanes = shown('quick', 20, { inFlightMax: 200, inFlightPerLane: 10, areConnectionsScarce });
  for (let key = 1; key <= 20; key += 1) fill(lanes, key, 10);
  const taken = subscriptionsOf(takeAll(lanes));
  const counts = [1, 2].map((key) => taken.filter((each) => each === key).length);
  expect(counts).toEqual([10, 3]);
});

test('a lane with much to send has all its places, unless connections are scarce', () => {
  for (const areScarce of [false, true]) {
    const lanes = shown('quick', 61, { inFlightPerLane: 10, areConnectionsScarce: () => areScarce });
    for (let key = 2; key <= 61; key += 1) fill(lanes, key, 1);
    expect(takeAll(lanes)).toHaveLength(60);
    fill(lanes, 1, 20);
    expect(takeAll(lanes)).toHaveLength(areScarce ? 1 : 10);
  }
});

test('a lane that is idle for a moment keeps its share of scarce connections', () => {
  const lanes = shown('quick', 20, { inFlightPerLane: 10, areConnectionsScarce: () => true });
  for (let key = 1; key <= 20; key += 1) fill(lanes, key, 3);
  const sent = takeAll(lanes);
  for (const one of sent) lanes.end(one, 'quick');
  fill(lanes, 1, 20);
  // Three of 60, as while all 20 are sending.
  expect(takeAll(lanes)).toHaveLength(3);
});

test('first attempts go before retries, but not always', () => {
  const lanes = shown('quick', 2, { inFlightPerLane: 100 });
  fill(lanes, 1, 30);
  fill(lanes, 2, 10, 1);
  const taken = takeAll(lanes).slice(0, 30);
  expect(taken.slice(0, 5).every(({ attempts }) => attempts === 0)).toBe(true);
  const others = taken.filter(({ attempts }) => attempts > 0);
  expect(others.length).toBeGreaterThan(0);
  expect(others.length).toBeLessThan(6);
});

test('a failing lane has one first attempt in flight, and all its places again after a success', () => {
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

test('retries of a failing lane have all its places', () => {
  const lanes = shown('failing', 1);
  fill(lanes, 1, 5, 1);
  expect(takeAll(lanes)).toHaveLength(3);
});

test.each<ReceiverState>(['failing', 'slow'])('lanes that are %s have at most a quarter of all places', (pace) => {
  const lanes = shown(pace, 20, { inFlightMax: 20 });
  for (let key = 1; key <= 20; key += 1) fill(lanes, key, 2);
  const taken = takeAll(lanes);
  expect(taken).toHaveLength(5);
  fill(lanes, 99, 1);
  expect(subscriptionsOf(takeAll(lanes))).toEqual([99]);
  lanes.end(taken[0]!, pace);
  expect(takeAll(lanes)).toHaveLength(1);
});

test('half of the places are reserved for quick lanes', () => {
  const lanes = shown('quick', 1, { inFlightMax: 20 });
  for (let key = 2; key <= 30; key += 1) fill(lanes, key, 2);
  expect(takeAll(lanes)).toHaveLength(5);
  fill(lanes, 1, 3);
  expect(subscriptionsOf(takeAll(lanes))).toEqual([1, 1, 1]);
});

test('unknown lanes that hang leave half of the places to quick lanes', () => {
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

test('an unknown lane gets its turn as soon as an attempt that hung has ended', () => {
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

test('a lane that waits for a place gets it, even if the lane before it has nothing left or is paused', () => {
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

test('in whatever order things happen, nothing ready waits while there is a place for it', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = randomFrom(seed);
    const lanes = new ReadyLanes({ ...limits, inFlightMax: 1 + random(8), readyMax: 40, bytesMax: 60 });
    let given = 0;
    let ended = 0;
    const underWay: ReadyNotification[] = [];
    const resting: number[] = [];
    const endOne = () => {
      const [one] = underWay.splice(random(underWay.length), 1);
      ended += 1 + lanes.end(one!, (['quick', 'slow', 'failing', undefined] as const)[random(4)]).length;
      if (lanes.rest(one!.subscriptionKey) > 0) resting.push(one!.subscriptionKey);
      if (random(2) === 0) endRests();
    };
    const endRests = () => {
      for (const key of resting.splice(0)) lanes.endRest(key);
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
      endRests();
      underWay.push(...takeAll(lanes));
      expect(underWay.length, `seed ${seed}`).toBeGreaterThan(0);
      endOne();
    }
    expect(ended).toBe(given);
  }
});

test('the place of a failed attempt rests longer each time, up to a limit, and not at all after a success', () => {
  const lanes = shown('failing', 1);
  const attempt = (receiver: ReceiverState | undefined) => {
    fill(lanes, 1, 1);
    lanes.end(lanes.next()!, receiver);
    const restMs = lanes.rest(1);
    expect(lanes.next()).toBeUndefined();
    if (restMs > 0) lanes.endRest(1);
    return restMs;
  };
  expect((['failing', 'failing', 'failing', 'failing'] as const).map(attempt)).toEqual([4, 8, 10, 10]);
  // A fault of the service says nothing about the receiver.
  expect(([undefined, 'failing', 'quick', 'failing'] as const).map(attempt)).toEqual([10, 10, 0, 2]);
});

test('the more places rest, the longer each rests, up to five seconds, in one lane or in many', () => {
  const lanes = shown('failing', 700);
  const fail = (key: number, times: number, attempts = 0) => {
    for (let failures = 1; failures < times; failures += 1) {
      fill(lanes, key, 1, attempts);
      lanes.end(lanes.next()!, 'failing');
    }
    fill(lanes, key, 1, attempts);
    lanes.end(lanes.next()!, 'failing');
    return lanes.rest(key);
  };
  const rests = Array.from({ length: 600 }, (_, index) => fail(index + 1, 15));
  expect([0, 1, 99, 498, 499, 599].map((index) => rests[index])).toEqual([10, 20, 1_000, 4_990, 5_000, 5_000]);
  expect(Array.from({ length: 5 }, (_, index) => fail(601 + index, index + 1))).toEqual([4, 8, 16, 32, 64]);
  for (let key = 1; key <= 605; key += 1) lanes.endRest(key);
  expect([1, 2, 3].map(() => fail(700, 15, 1))).toEqual([10, 20, 30]);
  fill(lanes, 700, 3, 1);
  expect(lanes.next()).toBeUndefined();
  lanes.endRest(700);
  expect(takeAll(lanes)).toHaveLength(1);
});

test('a lane that has recovered has all its places at once, even those that rest', () => {
  const lanes = shown('failing', 1);
  fill(lanes, 1, 3, 1);
  const [recovered, ...failed] = takeAll(lanes);
  for (const each of failed) {
    lanes.end(each, 'failing');
    expect(lanes.rest(1)).toBeGreaterThan(0);
  }
  lanes.end(recovered!, 'quick');
  fill(lanes, 1, 5);
  expect(takeAll(lanes)).toHaveLength(3);
});
