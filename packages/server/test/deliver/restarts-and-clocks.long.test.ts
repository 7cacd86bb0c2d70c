// A worker keeps its claims when the database restarts, and when its own clock jumps.

import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '../../src/database/embedded-server.ts';
import { startBeside } from '../auth/service-beside.ts';
import { ok, startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { failed } from './holding-receiver.ts';
import {
  awaitSettled,
  copySubscription,
  countFates,
  countPending,
  fatesOf,
  idOf,
  queue,
  subscribeTo,
  workerIds,
} from './queued.ts';
import { startWorker } from './worker-process.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

const timeout = 120_000;

test('FLT-25: a database that restarts during claims, sends and marks costs nothing, and the worker keeps its claims', {
  timeout,
}, async () => {
  const server = await startDatabase();
  const own = { url: server.url, pool: server.pool };
  // With the role `api` as well: it makes a user.
  await startBeside(own, { FLAGHOIST_DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION: '3' });
  const { receiver, release } = await startPaced();
  const subscriptions: number[] = [];
  for (let n = 0; n < 4; n += 1) subscriptions.push(await copySubscription(service, own.pool, receiver.url));
  await expect.poll(async () => (await workerIds(own.pool)).length, { timeout: 10_000 }).toBe(1);
  const workers = await workerIds(own.pool);
  const ids: string[] = [];
  for (const subscription of subscriptions) ids.push(...(await queue(own.pool, subscription, 100)));
  for (const restartAt of [20, 150, 330]) {
    release(restartAt);
    await expect
      .poll(() => receiver.requests.length, { timeout: 30_000, interval: 5 })
      .toBeGreaterThanOrEqual(restartAt);
    await server.restart();
  }
  release(Number.POSITIVE_INFINITY);
  await expect.poll(() => countFates(own.pool), { timeout: 40_000 }).toEqual({ 'DELIVERED 1': 400 });
  expect(await countPending(own.pool)).toBe(0);
  expect(receiver.requests.map(idOf).sort()).toEqual([...ids].sort());
  expect(await workerIds(own.pool)).toEqual(workers);
});

test('FLT-31: due times follow the clock of the database, wherever that of the worker jumps', {
  timeout,
}, async () => {
  let count = 0;
  const receiver = await startReceiver({
    onRequest: (socket) => {
      count += 1;
      socket.write(count % 3 === 0 ? ok : failed);
    },
  });
  const subscription = await subscribeTo(service, receiver.url);
  const worker = await startWorker(service.database.url, {
    FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.3',
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('jump-clock.cjs', import.meta.url))}`,
  });
  await expect.poll(async () => (await workerIds(pool)).length, { timeout: 10_000 }).toBe(1);
  const ids = await workerIds(pool);
  const timestamps: number[] = [];
  for (const jump of [undefined, 'SIGUSR2', 'SIGUSR1'] as const) {
    if (jump) worker.signal(jump);
    await queue(pool, subscription);
    await awaitSettled(pool);
    timestamps.push(Number(/^webhook-timestamp: (\d+)$/im.exec(receiver.requests.at(-1)!.head)![1]));
  }
  const hours = timestamps.map((timestamp) => Math.round((timestamp - timestamps[0]!) / 3600));
  expect(hours).toEqual([0, 5, -5]);
  expect((await fatesOf(pool, subscription)).map(({ statusCodes }) => statusCodes)).toEqual(
    Array.from({ length: 3 }, () => [500, 500, 200]),
  );
  const { rows } = await pool.query(
    `select count(*)::int from flaghoist_service.webhook_notification
     where subscription = $1 and delivery_date between flaghoist_system.utc_second() - interval '2 minutes'
       and flaghoist_system.utc_second()`,
    [subscription],
  );
  expect(rows[0].count).toBe(3);
  // Its lease as well: nobody took it for dead, nor did it itself.
  expect(await workerIds(pool)).toEqual(ids);
});

/** Answers so many requests, and the others when there is more to be answered. */
async function startPaced() {
  const waiting: Socket[] = [];
  let [most, answered] = [0, 0];
  const answerSome = () => {
    for (; waiting.length > 0 && answered < most; answered += 1) waiting.shift()!.write(ok);
  };
  const receiver = await startReceiver({
    onRequest: (socket) => {
      waiting.push(socket);
      answerSome();
    },
  });
  const release = (count: number) => {
    most = count;
    answerSome();
  };
  return { receiver, release };
}

/** A server of its own, to be restarted. */
async function startDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), 'flaghoist-test-'));
  let restarted = () => {};
  const server = await startEmbedded({
    dataDir,
    observe: ({ kind }) => {
      if (kind === 'database.restarted') restarted();
    },
  });
  const own = new pg.Pool({ connectionString: server.url, max: 4 });
  own.on('error', () => undefined);
  onTestFinished(async () => {
    await own.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const restart = async () => {
    const isBack = new Promise<void>((resolve) => {
      restarted = resolve;
    });
    // An immediate shutdown: sessions are cut off where they are.
    process.kill(server.pid!, 'SIGQUIT');
    await isBack;
  };
  return { url: server.url, pool: own, restart };
}
