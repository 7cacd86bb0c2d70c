// Which lanes run in the fast threads, which in the slow one, and which not at all.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LaneHealths } from '../../src/shape/lane-health.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const lane = 7;
const inTime = { isOverTime: false, tookMs: 1 };
const timeout = { isOverTime: true, tookMs: 500 };

function noteInTime(healths: LaneHealths, times: number): void {
  for (let n = 0; n < times; n += 1) healths.note(lane, inTime);
}

test('a new lane is slow, and fast after a run in time', () => {
  const healths = new LaneHealths();
  expect(healths.of(lane)).toBe('slow');
  healths.note(lane, inTime);
  expect(healths.of(lane)).toBe('fast');
});

test('a lane that takes long is slow, even within its time limit, until it has been fast for a while', () => {
  const healths = new LaneHealths();
  for (let n = 0; n < 10; n += 1) healths.note(lane, { isOverTime: false, tookMs: 90 });
  expect(healths.of(lane)).toBe('slow');
  noteInTime(healths, 20);
  expect(healths.of(lane)).toBe('fast');
});

test('after a timeout a lane pauses, longer each time, and is slow for ten minutes', () => {
  const healths = new LaneHealths();
  healths.note(lane, inTime);
  for (const pauseMs of [1_000, 5_000]) {
    healths.note(lane, timeout);
    vi.advanceTimersByTime(pauseMs - 1);
    expect(healths.of(lane)).toBe('paused');
    vi.advanceTimersByTime(2);
    expect(healths.of(lane)).toBe('slow');
  }
  noteInTime(healths, 1_000);
  expect(healths.of(lane)).toBe('slow');
  vi.advanceTimersByTime(600_000);
  expect(healths.of(lane)).toBe('fast');
});

test('after three timeouts in a row a lane is failing during each pause, and runs again after it', () => {
  const healths = new LaneHealths();
  for (const pauseMs of [1_000, 5_000]) {
    healths.note(lane, timeout);
    expect(healths.of(lane)).toBe('paused');
    vi.advanceTimersByTime(pauseMs + 1);
  }
  for (const pauseMs of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    healths.note(lane, timeout);
    vi.advanceTimersByTime(pauseMs - 1);
    expect(healths.of(lane)).toBe('failing');
    vi.advanceTimersByTime(2);
    expect(healths.of(lane)).toBe('slow');
  }
  healths.note(lane, inTime);
  healths.note(lane, timeout);
  expect(healths.of(lane)).toBe('paused');
});

test('the first timeout in a row is not final, later ones are', () => {
  const healths = new LaneHealths();
  expect(healths.note(lane, timeout)).toBe(false);
  vi.advanceTimersByTime(1_001);
  expect(healths.note(lane, timeout)).toBe(true);
  vi.advanceTimersByTime(5_001);
  expect(healths.note(lane, inTime)).toBe(true);
  expect(healths.note(lane, timeout)).toBe(false);
});

test('a run that began before a pause and ends in it changes nothing, and its timeout is not final', () => {
  const healths = new LaneHealths();
  healths.note(lane, timeout);
  expect(healths.note(lane, inTime)).toBe(true);
  expect(healths.note(lane, timeout)).toBe(false);
  expect(healths.of(lane)).toBe('paused');
  vi.advanceTimersByTime(1_001);
  expect(healths.of(lane)).toBe('slow');
});
