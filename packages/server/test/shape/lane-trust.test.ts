// Who is worked off with whom: those that answer in time together, the others apart, and those that never end hardly at all.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LaneTrust } from '../../src/shape/lane-trust.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const lane = 7;
const inTime = { isOverTime: false, tookMs: 1 };
const tooLong = { isOverTime: true, tookMs: 500 };
const roomIn = (trust: LaneTrust, track: 'trusted' | 'probation') => trust.capacityOf(lane, track);

function noteInTime(trust: LaneTrust, times: number): void {
  for (let n = 0; n < times; n += 1) trust.note(lane, inTime);
}

test('a stranger is tried alone, and trusted after three answers in time', () => {
  const trust = new LaneTrust();
  expect([roomIn(trust, 'trusted'), roomIn(trust, 'probation')]).toEqual([0, 1]);
  noteInTime(trust, 2);
  expect([roomIn(trust, 'trusted'), roomIn(trust, 'probation')]).toEqual([0, 4]);
  noteInTime(trust, 1);
  expect([roomIn(trust, 'trusted'), roomIn(trust, 'probation')]).toEqual([200, 0]);
});

test('one that took too long rests, twice as long each time, and has to show much before it is trusted again', () => {
  const trust = new LaneTrust();
  noteInTime(trust, 3);
  trust.note(lane, tooLong);
  expect([roomIn(trust, 'trusted'), roomIn(trust, 'probation')]).toEqual([0, 0]);
  vi.advanceTimersByTime(5_001);
  expect(roomIn(trust, 'probation')).toBe(1);
  trust.note(lane, tooLong);
  vi.advanceTimersByTime(5_001);
  expect(roomIn(trust, 'probation')).toBe(0);
  vi.advanceTimersByTime(5_000);
  noteInTime(trust, 999);
  expect([roomIn(trust, 'trusted'), roomIn(trust, 'probation')]).toEqual([0, 4]);
  noteInTime(trust, 1);
  expect(roomIn(trust, 'trusted')).toBe(200);
});

test('an answer that was begun before one that took too long does not end its rest', () => {
  const trust = new LaneTrust();
  trust.note(lane, tooLong);
  trust.note(lane, inTime);
  expect(roomIn(trust, 'probation')).toBe(0);
});

test('after three in a row the others are given up while it rests, and then one is tried again', () => {
  const trust = new LaneTrust();
  for (const restMs of [5_001, 10_001, 0]) {
    expect(trust.isGivenUp(lane)).toBe(false);
    trust.note(lane, tooLong);
    vi.advanceTimersByTime(restMs);
  }
  expect([trust.isGivenUp(lane), roomIn(trust, 'probation')]).toEqual([true, 200]);
  vi.advanceTimersByTime(20_001);
  expect([trust.isGivenUp(lane), roomIn(trust, 'probation')]).toEqual([false, 1]);
});

test('one that took too long is not forgotten, however many others answer', () => {
  const trust = new LaneTrust();
  trust.note(lane, tooLong);
  for (let other = 1_000; other < 22_000; other += 1) trust.note(other, inTime);
  vi.advanceTimersByTime(5_001);
  noteInTime(trust, 3);
  expect([roomIn(trust, 'trusted'), roomIn(trust, 'probation')]).toEqual([0, 4]);
});

test('one that took too long is tried again after its rest, also where others that did never come again', () => {
  const trust = new LaneTrust();
  for (const suspect of [1, 2, 3, 4, lane]) trust.note(suspect, tooLong);
  vi.advanceTimersByTime(5_001);
  expect(roomIn(trust, 'probation')).toBe(1);
});

test('what took too long once has another try, unless its lane has never answered in time', () => {
  const trust = new LaneTrust();
  expect(trust.deservesAnotherTry({ subscriptionKey: lane, key: 1 })).toBe(true);
  expect(trust.deservesAnotherTry({ subscriptionKey: lane, key: 1 })).toBe(false);
  trust.note(lane, tooLong);
  expect(trust.deservesAnotherTry({ subscriptionKey: lane, key: 2 })).toBe(false);
  trust.note(lane, inTime);
  expect(trust.deservesAnotherTry({ subscriptionKey: lane, key: 3 })).toBe(true);
});

test('one that is slow is not trusted, also where it is in time, until it has been quick for a while', () => {
  const trust = new LaneTrust();
  for (let n = 0; n < 10; n += 1) trust.note(lane, { isOverTime: false, tookMs: 90 });
  expect([roomIn(trust, 'trusted'), roomIn(trust, 'probation')]).toEqual([0, 4]);
  noteInTime(trust, 20);
  expect(roomIn(trust, 'trusted')).toBe(200);
});
