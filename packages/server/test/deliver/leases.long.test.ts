// Claims and leases: a worker that hangs, workers side by side, one that stops, a database restart, a clock that jumps.

import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEmbedded } from '../../src/database/embedded-server.ts';
import { recordFailure, recordRetries } from '../../src/deliver/outcomes/outcome-table.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { startBeside } from '../auth/service-beside.ts';
import { ok, type Receiver, startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { ready } from './filled-lanes.ts';
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

const patient = { FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '120', FLAGHOIST_STOP_TIMEOUT_SECONDS: '60' };
const failed = 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n';
const timeout = 120_000;

// Workers of earlier tests have stopped. Without their rows, no test waits until they are declared dead.
beforeEach(async () => {
  await pool.query('delete from flaghoist_system.pending_notification');
  await pool.query('delete from flaghoist_system.delivery_worker');
});

describe('FLT-22: a worker that is halted for longer than its lease, and then goes on', () => {
  test('loses what it has claimed to another; its late failure is only logged, its late success counts', {
    timeout,
  }, async () => {
    const settings = { ...patient, FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '3600' };
    const [first, second, third] = [await startHolding(), await startHolding(), await startHolding()];
    const willFail = await subscribeTo(service, first.url);
    const willArrive = await subscribeTo(service, second.url);
    const underWay = await subscribeTo(service, third.url);
    const halted = await startWorker(service.database.url, settings);
    const [failing] = await queue(pool, willFail);
    const [arriving] = await queue(pool, willArrive);
    const [sent] = await queue(pool, underWay);
    await Promise.all([first.claimedKeys(1), second.claimedKeys(1), third.claimedKeys(1)]);
    halted.halt();
    await endLeases();
    const other = await startBeside(service.database, { ...settings, FLAGHOIST_ROLES: 'worker' });
    await Promise.all([first.claimedKeys(2), second.claimedKeys(2), third.claimedKeys(2)]);
    first.answer(1, ok);
    second.answer(1, failed);
    const delivered = { id: failing, status: 'DELIVERED', attempts: 1, statusCodes: [200] };
    const waiting = { id: arriving, status: 'PENDING', attempts: 1, statusCodes: [500] };
    await expect.poll(() => fatesOf(pool, willFail), { timeout: 10_000 }).toEqual([delivered]);
    await expect.poll(() => fatesOf(pool, willArrive), { timeout: 10_000 }).toEqual([waiting]);
    first.answer(0, failed);
    second.answer(0, ok);
    third.answer(0, failed);
    halted.goOn();
    const arrived = { id: arriving, status: 'DELIVERED', attempts: 2, statusCodes: [500, 200] };
    await expect.poll(() => fatesOf(pool, willArrive), { timeout: 10_000 }).toEqual([arrived]);
    // All that it had to record is recorded when it has stopped.
    await halted.stop();
    expect(await fatesOf(pool, underWay)).toEqual([{ id: sent, status: 'PENDING', attempts: 1, statusCodes: [500] }]);
    third.answer(1, ok);
    await other.stop();
    const both = { id: sent, status: 'DELIVERED', attempts: 2, statusCodes: [500, 200] };
    expect(await fatesOf(pool, underWay)).toEqual([both]);
    expect(await fatesOf(pool, willFail)).toEqual([{ ...delivered, attempts: 2, statusCodes: [200, 500] }]);
    expect(await countPending(pool)).toBe(0);
    expect([first.requests.map(idOf), second.requests.map(idOf)]).toEqual([
      [failing, failing],
      [arriving, arriving],
    ]);
    const shown = await service.get(`/ws/rest/WebhookSubscription/${willFail}`);
    expect(shown.body).toMatchObject({ state: 'ACTIVE', consecutiveFailures: 0, failingSince: null });
  });

  test('sends nothing of what it had claimed and not begun', { timeout }, async () => {
    const receiver = await startHolding();
    const subscription = await subscribeTo(service, receiver.url);
    const settings = { ...patient, FLAGHOIST_DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION: '1' };
    const ids = await queue(pool, subscription, 20);
    const halted = await startWorker(service.database.url, settings);
    await receiver.claimedKeys(1);
    halted.halt();
    // From here on it has renewed nothing any more.
    const haltedAt = performance.now();
    await endLeases();
    await startBeside(service.database, { ...settings, FLAGHOIST_ROLES: 'worker' });
    await receiver.claimedKeys(2);
    receiver.answerAll(ok);
    await awaitSettled(pool);
    // By its own clock as well.
    await vi.waitUntil(() => performance.now() - haltedAt > 6_000, { timeout: 10_000 });
    halted.goOn();
    await expect.poll(async () => (await workerIds(pool)).length, { timeout: 20_000 }).toBe(2);
    await halted.stop();
    // The one that was under way when it was halted came twice.
    expect(receiver.requests.map(idOf).sort()).toEqual([ids[0], ...ids].sort());
    expect(
      (await fatesOf(pool, subscription)).every((fate) => fate.status === 'DELIVERED' && fate.attempts === 1),
    ).toBe(true);
  });
});

test('a worker that was halted, and that nobody has replaced, goes on with what it has', { timeout }, async () => {
  const receiver = await startHolding();
  const subscription = await subscribeTo(service, receiver.url);
  const ids = await queue(pool, subscription, 15);
  const worker = await startWorker(service.database.url, patient);
  await receiver.claimedKeys(1);
  await expect.poll(() => countPending(pool, 'claimed_by is not null')).toBe(15);
  worker.halt();
  const overdue = 'select count(*)::int from flaghoist_system.delivery_worker where alive_until < now()';
  await expect.poll(async () => (await pool.query(overdue)).rows[0].count, { timeout: 20_000 }).toBe(1);
  receiver.answerAll(ok);
  worker.goOn();
  await awaitSettled(pool);
  expect(receiver.requests.map(idOf).sort()).toEqual([...ids].sort());
});

test('an attempt is recorded once, even if the response is lost and the same worker claims it again', async () => {
  const subscription = await subscribeTo(service, 'http://127.0.0.1:9/');
  const [id] = await queue(pool, subscription);
  const key = Number(id!.split('-')[1]);
  const { rows } = await pool.query(
    'select to_char(created_date, \'YYYY-MM-DD"T"HH24:MI:SS\') as "createdDate" from ' +
      'flaghoist_system.pending_notification where notification_key = $1',
    [key],
  );
  const claim = 'update flaghoist_system.pending_notification set claimed_by = 5, due_at = null';
  const notification: ReadyNotification = { ...ready(subscription), key, createdDate: rows[0].createdDate };
  const result = { kind: 'failed', reason: 'No.', statusCode: 500, answer: null, retryAfterMs: undefined } as const;
  const tried = { notification, attempt: { startedAt: new Date(), durationMs: 5, result }, error: 'No.' };
  await pool.query(claim);
  for (let times = 0; times < 2; times += 1) {
    await pool.query(recordRetries(5, [{ kind: 'retry', ...tried, delayMs: 10 }]));
    await pool.query(claim);
  }
  await pool.query(recordFailure(5, { kind: 'failure', ...tried }));
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'PENDING', attempts: 1, statusCodes: [500] }]);
  expect(await countPending(pool, 'claimed_by = 5')).toBe(1);
  await pool.query(recordFailure(5, { kind: 'failure', ...tried, notification: { ...notification, attempts: 1 } }));
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'FAILED', attempts: 2, statusCodes: [500, 500] }]);
});

test('FLT-23: two workers claim side by side, and each of 2,000 notifications is sent once', { timeout }, async () => {
  const receivers = await Promise.all(Array.from({ length: 5 }, () => startHolding()));
  const subscriptions: number[] = [];
  for (const { url } of receivers) for (let n = 0; n < 4; n += 1) subscriptions.push(await subscribeTo(service, url));
  const ids: string[] = [];
  for (const subscription of subscriptions) ids.push(...(await queue(pool, subscription, 100)));
  await Promise.all([startWorker(service.database.url, patient), startWorker(service.database.url, patient)]);
  const claimers = async () =>
    (await pool.query('select count(distinct claimed_by)::int from flaghoist_system.pending_notification')).rows[0]
      .count;
  await expect.poll(claimers, { timeout: 30_000 }).toBe(2);
  for (const receiver of receivers) receiver.answerAll(ok);
  await awaitSettled(pool, 60_000);
  expect(receivers.flatMap(({ requests }) => requests.map(idOf)).sort()).toEqual([...ids].sort());
  for (const subscription of subscriptions)
    expect((await fatesOf(pool, subscription)).filter(({ attempts }) => attempts !== 1)).toEqual([]);
});

describe('a worker that is stopped', () => {
  test('gives back at once what it has not begun, and finishes what is under way', { timeout }, async () => {
    const receiver = await startHolding();
    const subscription = await subscribeTo(service, receiver.url);
    const ids = await queue(pool, subscription, 100);
    const settings = { ...patient, FLAGHOIST_ROLES: 'worker' };
    // To a receiver that has not answered yet.
    const underWay = 2;
    const stopped = await startBeside(service.database, settings);
    await receiver.claimedKeys(underWay);
    const [stoppedId] = await workerIds(pool);
    await expect.poll(() => countPending(pool, `claimed_by = ${stoppedId}`)).toBeGreaterThan(underWay);
    const isStopped = stopped.stop();
    await expect.poll(() => countPending(pool, `claimed_by = ${stoppedId}`)).toBe(underWay);
    await startBeside(service.database, settings);
    // The other sends the rest while some are still under way here.
    await receiver.claimedKeys(2 * underWay);
    receiver.answerFrom(underWay, ok);
    await expect.poll(() => countPending(pool), { timeout: 20_000 }).toBe(underWay);
    for (let index = 0; index < underWay; index += 1) receiver.answer(index, ok);
    await isStopped;
    expect(await countPending(pool)).toBe(0);
    expect(receiver.requests.map(idOf).sort()).toEqual([...ids].sort());
    expect((await fatesOf(pool, subscription)).filter(({ attempts }) => attempts !== 1)).toEqual([]);
  });

  test('leaves nothing claimed, also where a receiver does not answer before the deadline', { timeout }, async () => {
    const receiver = await startHolding();
    const subscription = await subscribeTo(service, receiver.url);
    const [id] = await queue(pool, subscription);
    const settings = { ...patient, FLAGHOIST_ROLES: 'worker', FLAGHOIST_STOP_TIMEOUT_SECONDS: '0.3' };
    const stopped = await startBeside(service.database, settings);
    await receiver.claimedKeys(1);
    await stopped.stop();
    expect(await workerIds(pool)).toEqual([]);
    expect(await countPending(pool, 'claimed_by is null')).toBe(1);
    receiver.answerAll(ok);
    await startBeside(service.database, settings);
    await awaitSettled(pool);
    expect(receiver.requests.map(idOf)).toEqual([id, id]);
    expect(await fatesOf(pool, subscription)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });
});

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

test('FLT-31: when it is time is told by the database, wherever the clock of the worker jumps', {
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

/** By the clock of the database: whoever is not heard of now is overdue. */
async function endLeases(): Promise<void> {
  await pool.query('update flaghoist_system.delivery_worker set alive_until = now()');
}

interface HoldingReceiver extends Receiver {
  /** Until it has had so many requests. */
  claimedKeys(count: number): Promise<void>;
  /** The request that came as the `index`th. */
  answer(index: number, bytes: string): void;
  /** From that one on, those to come as well. */
  answerFrom(index: number, bytes: string): void;
  answerAll(bytes: string): void;
}

/** Answers nothing until it is told to. */
async function startHolding(): Promise<HoldingReceiver> {
  const sockets: Socket[] = [];
  const answered = new Set<number>();
  let always: { from: number; bytes: string } | undefined;
  const answer = (index: number, bytes: string) => {
    if (!answered.has(index)) sockets[index]!.write(bytes);
    answered.add(index);
  };
  const receiver = await startReceiver({
    onRequest: (socket) => {
      const index = sockets.push(socket) - 1;
      if (always && index >= always.from) answer(index, always.bytes);
    },
  });
  const answerFrom = (from: number, bytes: string) => {
    always = { from, bytes };
    for (let index = from; index < sockets.length; index += 1) answer(index, bytes);
  };
  return Object.assign(receiver, {
    claimedKeys: (count: number) =>
      expect.poll(() => sockets.length, { timeout: 30_000, interval: 10 }).toBeGreaterThanOrEqual(count),
    answer,
    answerFrom,
    answerAll: (bytes: string) => answerFrom(0, bytes),
  });
}

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
