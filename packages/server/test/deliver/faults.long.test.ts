// A worker is killed at each step between match and record, and the next worker delivers. Nothing is lost, and what is
// sent twice has the same id.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { endWorker, releaseClaims } from '../../src/deliver/workers/worker-table.ts';
import { startBeside } from '../auth/service-beside.ts';
import { useNameServer } from '../channels/name-server.ts';
import { ok, type Receiver, startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { awaitBlocked, awaitSettled, countPending, fatesOf, idOf, queue, subscribeTo, workerIds } from './queued.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

/** Long enough for a request to wait until its worker is dead. */
const settings = { FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '60', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2' };

const start = (more: object = {}) => startWorker(service.database.url, { ...settings, ...more });

/** Whoever comes after it. */
const startNext = (more: object = {}) =>
  startBeside(service.database, {
    ...settings,
    FLAGHOIST_ROLES: 'worker',
    FLAGHOIST_DATA_DIR: service.dataDir,
    ...more,
  });

const timeout = 60_000;

beforeAll(async () => {
  await pool.query(`update flaghoist_service.api_user set email = 'owner@fleet.example'`);
});

describe('killed after the claim', () => {
  const nameServer = useNameServer();

  test('before anything was sent: it is sent once, and counted once', { timeout }, async () => {
    const receiver = await startReceiver();
    const subscription = await subscribeTo(service, `http://receiver.example:${receiver.port}/hook`);
    const [id] = await queue(pool, subscription);
    nameServer.reply = () => 'silence';
    const doomed = await start({ FLAGHOIST_DNS_SERVERS: nameServer.address });
    await expect.poll(() => nameServer.questions.length, { timeout: 30_000 }).toBeGreaterThan(0);
    await doomed.kill();
    expect(await countPending(pool, 'claimed_by is not null')).toBe(1);
    nameServer.reply = () => ({ addresses: ['127.0.0.1'] });
    // Its lease is over; that it is dead is for the others to find out.
    await pool.query('update flaghoist_system.delivery_worker set alive_until = now()');
    await startNext({ FLAGHOIST_DNS_SERVERS: nameServer.address });
    await awaitSettled(pool);
    expect(receiver.requests.map(idOf)).toEqual([id]);
    expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'DELIVERED', attempts: 1, statusCodes: [200] }]);
  });
});

test('killed after it was sent and before the answer: it is sent again under the same id, and counted once', {
  timeout,
}, async () => {
  const receiver = await startHolding();
  const subscription = await subscribeTo(service, receiver.url);
  const doomed = await start();
  const [id] = await queue(pool, subscription);
  await receiver.hit();
  await killAndBury(doomed);
  receiver.goOn();
  await startNext();
  await awaitSettled(pool);
  expectTwice(receiver, id!);
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'DELIVERED', attempts: 1, statusCodes: [200] }]);
});

describe('killed while the outcome is being recorded', () => {
  test('and the database carries the statement out: it is not sent again', { timeout }, async () => {
    const { receiver, subscription, id, lock, doomed } = await stopInRecord(ok);
    await doomed.kill();
    await lock.letGo();
    await expect.poll(() => countPending(pool), { timeout: 10_000 }).toBe(0);
    await bury();
    const next = await startNext();
    await queue(pool, subscription);
    await awaitSettled(pool);
    await next.stop();
    expect(receiver.requests.map(idOf).filter((sent) => sent === id)).toEqual([id]);
    expect((await fatesOf(pool, subscription))[0]).toEqual({
      id,
      status: 'DELIVERED',
      attempts: 1,
      statusCodes: [200],
    });
  });

  test('and the database does not: it is sent again under the same id, and counted once', { timeout }, async () => {
    const { receiver, subscription, id, lock, doomed, session } = await stopInRecord(ok);
    await doomed.kill();
    await pool.query('select pg_terminate_backend($1)', [session]);
    await lock.letGo();
    await bury();
    await startNext();
    await awaitSettled(pool);
    expectTwice(receiver, id);
    expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'DELIVERED', attempts: 1, statusCodes: [200] }]);
  });

  test('of a failure that the database does not write down: that attempt does not count', { timeout }, async () => {
    const { receiver, subscription, id, lock, doomed, session } = await stopInRecord(failed);
    await doomed.kill();
    await pool.query('select pg_terminate_backend($1)', [session]);
    await lock.letGo();
    receiver.goOn();
    await bury();
    await startNext();
    await awaitSettled(pool);
    expectTwice(receiver, id);
    expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'DELIVERED', attempts: 1, statusCodes: [200] }]);
  });
});

test('killed while the last failure is being recorded: the subscription is deactivated once, with one alert', {
  timeout,
}, async () => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(failed) });
  const subscription = await subscribeTo(service, receiver.url);
  const lock = await holdLock(
    `select from flaghoist_service.webhook_subscription where key = ${subscription} for update`,
  );
  const once = { FLAGHOIST_DELIVERY_ATTEMPTS: '1' };
  const doomed = await start(once);
  const [id] = await queue(pool, subscription);
  const session = await awaitBlocked(pool, 'require_unchanged');
  await doomed.kill();
  await pool.query('select pg_terminate_backend($1)', [session]);
  await lock.letGo();
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'PENDING', attempts: 0, statusCodes: [] }]);
  await bury();
  await startNext(once);
  await awaitSettled(pool);
  expectTwice(receiver, id!);
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'FAILED', attempts: 1, statusCodes: [500] }]);
  expect(await deactivationsOf(subscription)).toBe(1);
  await expect.poll(() => alertsOf(subscription, [doomed, service])).toBe(1);
});

test('killed after the match was committed and before anything was handed on: it is sent once', {
  timeout,
}, async () => {
  const receiver = await startReceiver();
  const subscription = await subscribeTo(service, receiver.url, { eventType: 'Vessel.C' });
  const doomed = await start();
  // Only a worker that has its lease and knows the receiver is given what was matched.
  await service.post('/ws/rest/Vessel', { vesselName: 'Before' });
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(1);
  await awaitSettled(pool);
  const commit = await holdCommits();
  const vessel = await service.post('/ws/rest/Vessel', { vesselName: 'Matched' });
  expect(vessel.status).toBe(201);
  await awaitBlocked(pool, 'commit');
  doomed.halt();
  await commit.letGo();
  await expect.poll(() => countPending(pool, 'claimed_by is not null'), { timeout: 10_000 }).toBe(1);
  await killAndBury(doomed);
  expect(receiver.requests).toHaveLength(1);
  await startNext();
  await awaitSettled(pool);
  const fates = await fatesOf(pool, subscription);
  expect(fates).toMatchObject([
    { status: 'DELIVERED', attempts: 1 },
    { status: 'DELIVERED', attempts: 1 },
  ]);
  expect(receiver.requests.map(idOf)).toEqual(fates.map(({ id }) => id));
});

const failed = 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n';

interface HoldingReceiver extends Receiver {
  /** Until it has a request that it does not answer. */
  hit(): Promise<void>;
  /** From now on it answers 200; what it holds stays unanswered. */
  goOn(): void;
}

async function startHolding(): Promise<HoldingReceiver> {
  let isHolding = true;
  const receiver = await startReceiver({
    onRequest: (socket) => {
      if (!isHolding) socket.write(ok);
    },
  });
  return Object.assign(receiver, {
    hit: () => expect.poll(() => receiver.requests.length, { timeout: 30_000, interval: 10 }).toBe(1),
    goOn: () => {
      isHolding = false;
    },
  });
}

/** The receiver has answered, and the statement that records it waits for a row that the test holds. */
async function stopInRecord(firstAnswer: string) {
  let answer = firstAnswer;
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(answer) });
  const subscription = await subscribeTo(service, receiver.url);
  const [id] = await queue(pool, subscription);
  const lock = await holdLock(`select from flaghoist_service.webhook_notification where id = '${id}' for update`);
  const doomed = await start();
  // PostgreSQL shows the first kilobyte of a statement.
  const session = await awaitBlocked(pool, 'flaghoist_system.pending_notification');
  const goOn = () => {
    answer = ok;
  };
  return { receiver: Object.assign(receiver, { goOn }), subscription, id: id!, lock, doomed, session };
}

interface Lock {
  letGo(): Promise<void>;
}

async function holdLock(statement: string): Promise<Lock> {
  const client = await pool.connect();
  let isHeld = true;
  const letGo = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  onTestFinished(letGo);
  await client.query('begin');
  await client.query(statement);
  return { letGo };
}

/** Whoever commits a new notification waits until it is let go. */
async function holdCommits(): Promise<Lock> {
  await pool.query(`create or replace function wait_in_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(4711); return null; end $$`);
  await pool.query(`create constraint trigger wait_in_commit after insert on flaghoist_system.pending_notification
    deferrable initially deferred for each row execute function wait_in_commit()`);
  onTestFinished(async () => {
    await pool.query('drop trigger wait_in_commit on flaghoist_system.pending_notification');
  });
  return await holdLock('select pg_advisory_xact_lock(4711)');
}

function expectTwice({ requests }: Receiver, id: string): void {
  expect(requests.map(idOf)).toEqual([id, id]);
  expect(requests[1]!.body).toBe(requests[0]!.body);
}

/** It is dead, and the others have found it out: what it had is free. */
async function killAndBury(worker: WorkerProcess): Promise<void> {
  await worker.kill();
  await bury();
}

async function bury(): Promise<void> {
  for (const id of await workerIds(pool)) {
    await pool.query(endWorker(id));
    await pool.query(releaseClaims(id));
  }
}

async function deactivationsOf(subscription: number): Promise<number> {
  const { rows } = await (pool as pg.Pool).query(
    `select count(*)::int from flaghoist_service.audit_log
     where object_type = 'WebhookSubscription' and object_key = $1 and changes -> 'state' ->> 1 = 'DEACTIVATED'`,
    [subscription],
  );
  return rows[0].count;
}

/** Those that are saved as files, and those that wait to be. */
async function alertsOf(subscription: number, workers: readonly { dataDir: string }[]): Promise<number> {
  const saved = await Promise.all(workers.map(({ dataDir }) => readdir(join(dataDir, 'mail')).catch(() => [])));
  const { rows } = await pool.query(`select mail ->> 'id' as id from flaghoist_system.outgoing_mail`);
  const names = [...saved.flat(), ...rows.map(({ id }) => String(id))];
  return names.filter((name) => name.includes(`alert-${subscription}`)).length;
}
