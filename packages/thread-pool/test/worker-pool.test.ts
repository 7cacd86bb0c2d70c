// Threads for code that may not end: every item gets a result, and no item affects another.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { type ItemResult, PoolBusy } from '../src/pool-thread.ts';
import { WorkerPool } from '../src/worker-pool.ts';

interface Item {
  lane?: string;
  does: string;
  ms?: number;
}

const module = new URL('./odd-worker.mjs', import.meta.url);
const pools: WorkerPool<Item, unknown>[] = [];

function open(
  parts: Partial<{
    threads: number;
    itemTimeMs: number;
    batchTimeMs: number;
    waitingMax: number;
    module: URL;
    given: unknown;
  }> = {},
) {
  const pool = new WorkerPool<Item, unknown>({
    module,
    threads: 1,
    itemTimeMs: 300,
    heapMb: 32,
    waitingMax: 10,
    ...parts,
  });
  pools.push(pool);
  return pool;
}

function answers(count: number): Item[] {
  return Array.from({ length: count }, () => ({ does: 'answer' }));
}

function answerOf(result: ItemResult<unknown>): unknown {
  return result.kind === 'answered' ? result.answer : undefined;
}

function kinds(results: readonly { kind: string }[]): string[] {
  return results.map(({ kind }) => kind);
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

test('every item is answered, by threads that are kept', async () => {
  const pool = open();
  const first = await pool.run(answers(3));
  expect(kinds(first)).toEqual(['answered', 'answered', 'answered']);
  expect((await pool.run(answers(3))).map(answerOf)).toEqual(first.map(answerOf));
  expect(await pool.run([])).toEqual([]);
});

test.each([
  ['run forever', 'killed'],
  ['throw', 'crashed'],
  ['end the thread', 'crashed'],
  ['eat memory', 'crashed'],
])(
  'SCR-20: an item that makes its thread %s is %s, and the others of its batch are answered',
  async (does, verdict) => {
    const pool = open({ itemTimeMs: does === 'eat memory' ? 20_000 : 300 });
    const results = await pool.run([...answers(3), { does }, ...answers(3)]);
    expect(kinds(results)).toEqual([...Array(3).fill('answered'), verdict, ...Array(3).fill('answered')]);
    expect(kinds(await pool.run(answers(1)))).toEqual(['answered']);
  },
);

test('what is in the lane of an item that took too long is left out of the batch, and the others are not', async () => {
  const laned = (lane: string, does: string): Item => ({ lane, does });
  const killed = await open().run([laned('a', 'run forever'), laned('b', 'answer'), laned('a', 'answer')]);
  expect(kinds(killed)).toEqual(['killed', 'answered', 'skipped']);
  const slow = await open().run([laned('a', 'say it took too long'), laned('b', 'answer'), laned('a', 'answer')]);
  expect(kinds(slow)).toEqual(['answered', 'answered', 'skipped']);
});

test('a lane that takes much time, each item of it in time, is left out once its share is used up', async () => {
  const slow = Array.from({ length: 15 }, (): Item => ({ lane: 'slow', does: 'take a while', ms: 100 }));
  const results = await open({ itemTimeMs: 2_000 }).run([...slow, { lane: 'quick', does: 'answer' }]);
  expect(results.at(-1)!.kind).toBe('answered');
  expect(results[0]!.kind).toBe('answered');
  expect(results.at(-2)!.kind).toBe('skipped');
});

test('after the time of a batch its lanes are skipped, whether an item was slow or was killed', async () => {
  const slow = Array.from({ length: 4 }, (_, n): Item => ({ lane: `${n}`, does: 'take a while', ms: 150 }));
  const inTime = await open({ itemTimeMs: 2_000, batchTimeMs: 100 }).run([...slow, ...answers(1)]);
  expect(kinds(inTime)).toEqual(['answered', 'skipped', 'skipped', 'skipped', 'answered']);
  const endless = ['a', 'b'].map((lane): Item => ({ lane, does: 'run forever' }));
  expect(kinds(await open({ batchTimeMs: 100 }).run([...endless, ...answers(1)]))).toEqual([
    'killed',
    'skipped',
    'answered',
  ]);
});

test('several failing items in one batch each have their own result', async () => {
  const results = await open().run([
    { does: 'throw' },
    ...answers(1),
    { does: 'run forever' },
    { does: 'end the thread' },
  ]);
  expect(kinds(results)).toEqual(['crashed', 'answered', 'killed', 'crashed']);
});

test('what was handed over before a thread was lost is not worked on again', async () => {
  const slow = { does: 'take a while', ms: 60 };
  const results = await open().run([slow, slow, { does: 'run forever' }, ...answers(1)]);
  expect(kinds(results)).toEqual(['answered', 'answered', 'killed', 'answered']);
  const [first, second, , last] = results.map(answerOf);
  expect(first).toBe(second);
  expect(last).not.toBe(first);
});

test('an item that takes long, but not too long, is left alone', async () => {
  const results = await open({ itemTimeMs: 2000 }).run(
    Array.from({ length: 4 }, () => ({ does: 'take a while', ms: 100 })),
  );
  expect(kinds(results)).toEqual(Array(4).fill('answered'));
});

test('a batch that is done while this thread is too busy to notice is not taken for one that hangs', async () => {
  const pool = open({ itemTimeMs: 200 });
  await pool.run(answers(1));
  const running = pool.run(answers(5));
  const end = performance.now() + 500;
  while (performance.now() < end);
  expect(kinds(await running)).toEqual(Array(5).fill('answered'));
});

test('batches wait for a free thread in order, and too many are rejected', async () => {
  const pool = open({ waitingMax: 1 });
  expect(pool.freeThreads).toBe(1);
  const running = pool.run([{ does: 'take a while', ms: 50 }]);
  expect(pool.freeThreads).toBe(0);
  const waiting = pool.run(answers(1));
  await expect(pool.run(answers(1))).rejects.toThrow(PoolBusy);
  expect(kinds([...(await running), ...(await waiting)])).toEqual(['answered', 'answered']);
  expect(pool.freeThreads).toBe(1);
});

test('batches are worked on by as many threads as there are', async () => {
  const pool = open({ threads: 2 });
  const results = await Promise.all([1, 2].map(() => pool.run([{ does: 'take a while', ms: 50 }])));
  expect(new Set(results.flat().map(answerOf)).size).toBe(2);
});

test('a thread that hangs does not keep waiting batches from others', async () => {
  const pool = open();
  const [bad, good] = await Promise.all([pool.run([{ does: 'run forever' }]), pool.run(answers(1))]);
  expect(kinds([...bad, ...good])).toEqual(['killed', 'answered']);
});

test('closing abandons running and waiting batches', async () => {
  const pool = open();
  const outcomes = Promise.allSettled([pool.run([{ does: 'run forever' }]), pool.run(answers(1))]);
  await pool.close();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(PoolBusy) });
  await expect(pool.run(answers(1))).rejects.toThrow(PoolBusy);
  expect(pool.freeThreads).toBe(0);
});

test('if a thread cannot start, its batch is rejected, and the pool is ready for the next', async () => {
  const pool = open({ module: new URL('./no-such-worker.mjs', import.meta.url) });
  await expect(pool.run(answers(1))).rejects.toThrow(/no-such-worker/);
  expect(pool.freeThreads).toBe(1);
});

test('the error of a thread that fails to start has its message, and the next batch gets another thread', async () => {
  const starts = new Int32Array(new SharedArrayBuffer(4));
  const pool = open({ module: new URL('./late-worker.mjs', import.meta.url), given: starts });
  const [first, second] = await Promise.allSettled([pool.run(answers(1)), pool.run(answers(2))]);
  expect(first).toMatchObject({
    status: 'rejected',
    reason: { message: 'A thread could not be started: not ready yet' },
  });
  expect(second).toMatchObject({ status: 'fulfilled', value: [{ answer: 'answer' }, { answer: 'answer' }] });
  expect(kinds(await pool.run(answers(1)))).toEqual(['answered']);
  expect(starts[0]).toBe(2);
});

test('a thread sees nothing of the environment, and its output is discarded', async () => {
  const [told, printed] = await open().run([{ does: 'tell the environment' }, { does: 'print' }]);
  expect(told).toMatchObject({ kind: 'answered', answer: '{}' });
  expect(printed?.kind).toBe('answered');
});

test('idle threads do not keep the process alive', () => {
  const program = `
    import { WorkerPool } from ${JSON.stringify(new URL('../dist/worker-pool.js', import.meta.url).href)};
    const module = new URL(${JSON.stringify(module.href)});
    const parts = { module, threads: 2, itemTimeMs: 300, heapMb: 32, waitingMax: 1 };
    console.log((await new WorkerPool(parts).run([{ does: 'answer' }]))[0].kind);`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    timeout: 20_000,
  });
  expect([run.status, run.stdout.toString().trim()]).toEqual([0, 'answered']);
});
