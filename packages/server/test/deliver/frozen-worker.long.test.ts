// A process that hangs in a transaction (SIGSTOP, a paused machine, a lost host) delays no other: rows that it has
// locked are skipped, and released once the server has ended the transaction.

import type { Socket } from 'node:net';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { ok, startReceiver } from '../channels/receiver.ts';
import { holdRow } from '../support/held-lock.ts';
import { useTestService } from '../support/test-service.ts';
import {
  awaitSettled,
  countPending,
  fatesOf,
  idOf,
  queue,
  subscribeTo,
  useNoEarlierWorkers,
  workerIds,
} from './queued.ts';
import { startWorker } from './worker-process.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
const timeout = 60_000;

useNoEarlierWorkers(pool);

test('what a dead worker has locked keeps no other worker from sending the rest', { timeout }, async () => {
  const receiver = await startReceiver();
  const subscription = await subscribeTo(service, receiver.url);
  const ids = await queue(pool, subscription, 41);
  const frozen = await openTransaction();
  const { rows } = await pool.query(
    `insert into flaghoist_system.delivery_worker (alive_until) values (now() - interval '1 minute') returning id`,
  );
  await pool.query('update flaghoist_system.pending_notification set claimed_by = $1', [rows[0].id]);
  await frozen.query('delete from flaghoist_system.pending_notification where notification_key = $1', [
    keyOf(ids[40]!),
  ]);
  await startBeside(service.database, { FLAGHOIST_ROLES: 'worker' });
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(40);
  await expect.poll(() => countPending(pool), { timeout: 30_000 }).toBe(1);
  // As the server does when the transaction has been idle for too long.
  await frozen.query('rollback');
  await awaitSettled(pool);
  expect(receiver.requests.map(idOf).sort()).toEqual([...ids].sort());
  expect((await workerIds(pool)).length).toBe(1);
});

test('a deactivation is complete although its process stops while it waits for a lock', { timeout }, async () => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(notFound) });
  const subscription = await subscribeTo(service, receiver.url);
  const lock = await holdRow(service, 'webhook_subscription', subscription, 'flaghoist_service');
  const worker = await startWorker(service.database.url, { FLAGHOIST_DELIVERY_ATTEMPTS: '1' });
  const [id] = await queue(pool, subscription);
  await lock.waiters(1);
  const { rows } = await pool.query('select from flaghoist_system.pending_notification for update nowait');
  expect(rows.length).toBe(1);
  worker.halt();
  await lock.letGo();
  const state = async () => (await service.get(`/ws/rest/WebhookSubscription/${subscription}`)).body.state;
  await expect.poll(state, { timeout: 10_000 }).toBe('DEACTIVATED');
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'FAILED', attempts: 1, statusCodes: [404] }]);
});

test('what is locked of an ended subscription holds up neither the rest of it nor other subscriptions', {
  timeout,
}, async () => {
  const [first, second] = [await subscribeTo(service, unheard), await subscribeTo(service, unheard)];
  const ids = await queue(pool, first, 3);
  await queue(pool, second, 3);
  const frozen = await openTransaction();
  await frozen.query('delete from flaghoist_system.pending_notification where notification_key = $1', [keyOf(ids[0]!)]);
  for (const key of [first, second]) {
    const answer = await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
    expect(answer.status, answer.text).toBe(200);
  }
  await startBeside(service.database, { FLAGHOIST_ROLES: 'worker' });
  const statuses = async (key: number) => (await fatesOf(pool, key)).map(({ status }) => status);
  expect(await statuses(first)).toEqual(['PENDING', 'FAILED', 'FAILED']);
  expect(await statuses(second)).toEqual(['FAILED', 'FAILED', 'FAILED']);
  await frozen.query('rollback');
  await expect.poll(() => statuses(first), { timeout: 10_000 }).toEqual(['FAILED', 'FAILED', 'FAILED']);
});

test('what was matched for a worker that has lost its lease meanwhile is sent once', { timeout }, async () => {
  // Answers nothing until the notification is claimed anew: what is sent before that is sent twice.
  const claimedKeys: Socket[] = [];
  let isHolding = true;
  const receiver = await startReceiver({
    onRequest: (socket) => void (isHolding ? claimedKeys.push(socket) : socket.write(ok)),
  });
  const subscription = await subscribeTo(service, receiver.url, { eventType: 'Vessel.C' });
  await startBeside(service.database, { FLAGHOIST_ROLES: 'worker' });
  await expect.poll(async () => (await workerIds(pool)).length, { timeout: 10_000 }).toBe(1);
  const [lost] = await workerIds(pool);
  // The batch waits here, with its notifications stored and claimed.
  const marking = await openTransaction();
  await marking.query('insert into flaghoist_system.notified_subscription (subscription_key) values ($1)', [
    subscription,
  ]);
  await service.post('/ws/rest/Vessel', { vesselName: 'Handed on' });
  await expect.poll(isBlocked, { timeout: 10_000 }).toBe(true);
  await pool.query(`update flaghoist_system.delivery_worker set alive_until = '-infinity' where id = $1`, [lost]);
  await expect
    .poll(async () => (await workerIds(pool)).filter((id) => id !== lost).length, { timeout: 4_000, interval: 10 })
    .toBe(1);
  await marking.query('rollback');
  await expect.poll(() => countPending(pool, `claimed_by <> ${lost}`), { timeout: 20_000, interval: 10 }).toBe(1);
  // Claimed later, and sent after whatever there is to send of the first.
  const [next] = await queue(pool, subscription);
  isHolding = false;
  await expect.poll(() => receiver.requests.length, { timeout: 10_000, interval: 10 }).toBeGreaterThan(0);
  for (const socket of claimedKeys) socket.write(ok);
  await awaitSettled(pool);
  const [first] = await fatesOf(pool, subscription);
  expect(receiver.requests.map(idOf)).toEqual([first!.id, next]);
  await expect.poll(() => workerIds(pool), { timeout: 20_000 }).not.toContain(lost);
});

const notFound = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
const unheard = 'http://127.0.0.1:9/';

function keyOf(id: string): number {
  return Number(id.split('-')[1]);
}

/** Of a process that does not go on: open until the test ends it. */
async function openTransaction(): Promise<pg.PoolClient> {
  const client = await pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query('begin');
  return client;
}

async function isBlocked(): Promise<boolean> {
  const { rows } = await pool.query(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].count > 0;
}
