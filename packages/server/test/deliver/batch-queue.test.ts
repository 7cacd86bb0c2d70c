// Batches of outcomes: a small batch waits a moment for more items; a large one does not, and neither does closing.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DatabaseAway } from '../../src/database/database-away.ts';
import { BatchQueue } from '../../src/deliver/outcomes/batch-queue.ts';

const never = 3_600_000;
const unlimited = () => new AbortController().signal;

function start({ gatheredMs, work }: { gatheredMs: number; work?: (batch: readonly number[]) => Promise<void> }) {
  const [batches, done, errors]: [number[][], number[], string[]] = [[], [], []];
  const queue = new BatchQueue<number>({
    gatheredMs,
    work: async (batch) => {
      batches.push([...batch]);
      await work?.(batch);
    },
    giveUp: async () => undefined,
    onDone: (batch) => void done.push(...batch),
    onError: ({ message }) => void errors.push(message),
  });
  return { queue, batches, done, errors };
}

test('a few items that are added one after the other form one batch', async () => {
  const { queue, batches } = start({ gatheredMs: never });
  for (const item of [1, 2, 3]) {
    queue.add(item);
    await sleep(1);
  }
  await queue.close(unlimited());
  expect(batches).toEqual([[1, 2, 3]]);
});

test('a small batch does not wait for ever', async () => {
  const { queue, done } = start({ gatheredMs: 1 });
  queue.add(1);
  await expect.poll(() => done).toEqual([1]);
});

test('a large batch does not wait', async () => {
  const { queue, done } = start({ gatheredMs: never });
  queue.add(0);
  await sleep(5);
  expect(done).toEqual([]);
  for (let item = 1; item < 100; item += 1) queue.add(item);
  await expect.poll(() => done).toHaveLength(100);
});

test('closing processes everything without waiting for more', async () => {
  const { queue, done } = start({ gatheredMs: never });
  queue.add(1);
  await sleep(5);
  queue.add(2);
  await queue.close(unlimited());
  expect(done).toEqual([1, 2]);
});

test('items that are added during a batch are in the next one, each once', async () => {
  let goOn: () => void = () => undefined;
  const blocked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { queue, batches, done } = start({ gatheredMs: 0, work: () => blocked });
  queue.add(1);
  await expect.poll(() => batches).toHaveLength(1);
  queue.add(2);
  queue.add(3);
  goOn();
  await queue.close(unlimited());
  expect(batches).toEqual([[1], [2, 3]]);
  expect(done).toEqual([1, 2, 3]);
});

test('an item that cannot be processed delays no other', async () => {
  const work = async (batch: readonly number[]) => {
    if (batch.includes(2)) throw new Error('not 2');
  };
  const { queue, done, errors } = start({ gatheredMs: 1, work });
  for (const item of [1, 2, 3]) queue.add(item);
  await queue.close(unlimited());
  expect(done).toEqual([1, 2, 3]);
  expect(errors).toEqual(['not 2']);
});

test('after a database outage the same items are processed, and those added meanwhile', async () => {
  let isAway = true;
  const work = async () => {
    if (isAway) throw new DatabaseAway(new Error('away'));
  };
  const { queue, done, errors, batches } = start({ gatheredMs: 0, work });
  queue.add(1);
  await expect.poll(() => batches).toEqual([[1]]);
  queue.add(2);
  isAway = false;
  await expect.poll(() => done).toEqual([1, 2]);
  expect(errors).toEqual([]);
});

test('at the deadline of closing, the rest is left unprocessed', async () => {
  const { queue, batches } = start({ gatheredMs: never });
  queue.add(1);
  const over = new AbortController();
  over.abort();
  await queue.close(over.signal);
  queue.add(2);
  await sleep(5);
  expect(batches).toEqual([]);
});

test('a locked item delays no other, is reported, and is processed once it is unlocked', async () => {
  const locked = new Set([2, 5]);
  const work = async (batch: readonly number[]) => {
    if (batch.some((item) => locked.has(item)))
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  };
  const { queue, done, errors } = start({ gatheredMs: 0, work });
  for (const item of [1, 2, 3, 4, 5, 6]) queue.add(item);
  await expect.poll(() => [...done].sort()).toEqual([1, 3, 4, 6]);
  queue.add(7);
  await expect.poll(() => done).toContain(7);
  locked.clear();
  await queue.close(unlimited());
  expect([...done].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(errors)).toEqual(new Set(['canceling statement due to lock timeout']));
});

test('if very many items are locked, the others are still processed', async () => {
  const work = async (batch: readonly number[]) => {
    if (batch.some((item) => item < 100)) throw Object.assign(new Error('locked'), { code: '55P03' });
  };
  const { queue, done } = start({ gatheredMs: 0, work });
  for (let item = 0; item < 700; item += 1) queue.add(item);
  await expect.poll(() => done.length, { timeout: 20_000 }).toBe(600);
  await queue.close(AbortSignal.abort());
});
