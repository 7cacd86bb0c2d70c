// The loop that all repeated work uses: when the next round begins, how errors are handled, what a stop waits for.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseAway } from '../../src/database/database-away.ts';
import { WorkLoop, type WorkLoopParts } from '../../src/database/work-loop.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pollEveryMs = 1_000;

/** Counts the rounds and collects the reported errors. By default a round finds nothing more to do. */
function open(answer: (round: number) => Promise<boolean> | boolean = () => false, more: Partial<WorkLoopParts> = {}) {
  const seen = { rounds: 0, errors: [] as Error[] };
  const loop = new WorkLoop({
    round: async () => {
      seen.rounds += 1;
      return await answer(seen.rounds);
    },
    pollEveryMs,
    onError: (error) => seen.errors.push(error),
    ...more,
  });
  return { loop, seen };
}

/** Lets the loop run as far as it can within this time. */
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

test('the next round comes at once while there is more to do, and after the interval when there is not', async () => {
  const { loop, seen } = open((round) => round < 5);
  loop.start();
  await pass();
  expect(seen.rounds).toBe(5);
  await pass(pollEveryMs - 1);
  expect(seen.rounds).toBe(5);
  await pass(1);
  expect(seen.rounds).toBe(6);
  await loop.stop();
});

test('waking the loop begins a round at once, and one more if a round was running', async () => {
  const { loop, seen } = open((round) => {
    if (round === 2) loop.wake();
    return false;
  });
  loop.start();
  await pass();
  expect(seen.rounds).toBe(1);
  loop.wake();
  await pass();
  expect(seen.rounds).toBe(3);
  await loop.stop();
});

test('the first round can wait for the interval', async () => {
  const { loop, seen } = open(undefined, { restsFirst: true });
  loop.start();
  await pass(pollEveryMs - 1);
  expect(seen.rounds).toBe(0);
  await pass(1);
  expect(seen.rounds).toBe(1);
  await loop.stop();
});

test.each([
  ['is reported', new Error('a bug'), 1],
  ['of an unavailable database is not reported', new DatabaseAway(undefined), 0],
])(
  'an error %s; the round is repeated after the interval, even if the loop is woken earlier',
  async (_, error, reported) => {
    const { loop, seen } = open(async (round) => {
      if (round === 1) throw error;
      return false;
    });
    loop.start();
    await pass();
    loop.wake();
    await pass(pollEveryMs - 1);
    expect(seen).toEqual({ rounds: 1, errors: Array(reported).fill(error) });
    await pass(1);
    expect(seen.rounds).toBe(2);
    loop.wake();
    await pass();
    expect(seen.rounds).toBe(3);
    await loop.stop();
  },
);

test('a stop waits for the running round, which is informed, and no other round begins', async () => {
  let end = (_isMore: boolean) => {};
  const running = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const { loop, seen } = open(() => running);
  loop.start();
  let isStopped = false;
  const stopped = loop.stop().then(() => {
    isStopped = true;
  });
  await pass(10 * pollEveryMs);
  expect([isStopped, loop.isStopping]).toEqual([false, true]);
  end(true);
  await stopped;
  expect(seen.rounds).toBe(1);
});

test('a stop with a deadline waits no longer than that', async () => {
  const { loop } = open(() => new Promise(() => undefined));
  loop.start();
  const deadline = new AbortController();
  const stopped = loop.stop(deadline.signal);
  deadline.abort();
  await stopped;
  await loop.stop(deadline.signal);
});

test('a stop ends a pause at once, also the one after an error', async () => {
  const resting = open();
  const failed = open(() => Promise.reject(new Error('a bug')));
  for (const { loop } of [resting, failed]) loop.start();
  await pass();
  await Promise.all([resting.loop.stop(), failed.loop.stop()]);
  await pass(10 * pollEveryMs);
  expect([resting.seen.rounds, failed.seen.rounds]).toEqual([1, 1]);
});
