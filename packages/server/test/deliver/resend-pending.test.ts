// Resends to a subscription that was deactivated with very many pending notifications, which count as failed at once.

import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { countIn, deactivate, ended, resent, storedOf, storeFailed, subscribeTo } from './failed-notifications.ts';
import { countPending } from './queued.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' });
const { pool } = service.database;
const timeout = 60_000;

test('it is sent again too, although it is still on its way to the failed ones', { timeout }, async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const ids = await storeFailed(service, key, 3_000);
  await deactivate(service, key);
  // What is parked is woken meanwhile, and a worker comes across it.
  await leavePending(key, "'infinity'", { isNoted: true });
  // Nothing of it can be failed for the moment.
  const blocker = await begin();
  await blocker.query('select from flaghoist_system.pending_notification where subscription_key = $1 for update', [
    key,
  ]);
  const { total, job } = await resent(service, key);
  expect(total).toBe(3_000);
  expect((await resent(service, key)).total).toBe(0);
  await blocker.query('commit');
  expect(await ended(service, job, 30_000)).toMatchObject({ status: 'DONE', total: 3_000, done: 3_000, failed: 0 });
  expect(new Set(receiver.taken()).size).toBe(ids.length);
});

test('all of it fails, also where somebody else fails some of it at the same time', { timeout }, async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeFailed(service, key, 2_010);
  await deactivate(service, key);
  const blocker = await begin();
  // More than are failed at once, so that some of these are among the first.
  await leavePending(key, "now() + interval '1 day'", { isNoted: false });
  await blocker.query(
    `with o as (delete from flaghoist_system.pending_notification where notification_key in (
      select notification_key from flaghoist_system.pending_notification where subscription_key = $1 limit 20)
      returning notification_key, created_date),
    failed as (insert into flaghoist_system.resendable_notification (subscription_key, notification_key, created_date)
      select $1, notification_key, created_date from o)
    update flaghoist_service.webhook_notification set status = 'FAILED'
    where key in (select notification_key from o)`,
    [key],
  );
  await noteEnded(pool, key);
  // What is locked is left, and found again later.
  const left = () => countPending(pool, `subscription_key = ${key}`);
  await expect.poll(left, { timeout: 30_000 }).toBe(20);
  await blocker.query('commit');
  await expect.poll(left, { timeout: 10_000 }).toBe(0);
  expect(new Set((await storedOf(service, key)).map(({ status }) => status))).toEqual(new Set(['FAILED']));
  expect((await resent(service, key, { dryRun: true })).total).toBe(2_010);
});

test('what is being sent again of it is not failed with the rest', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const ids = await storeFailed(service, key, 3);
  await deactivate(service, key);
  await leavePending(key, "now() + interval '1 day'", { isNoted: false });
  const again = Number(ids[0]!.split('-')[1]);
  await pool.query('update flaghoist_system.pending_notification set resend_job = 77 where notification_key = $1', [
    again,
  ]);
  await noteEnded(pool, key);
  const noted = `flaghoist_system.ended_subscription where subscription_key = ${key}`;
  await expect.poll(() => countIn(service, noted), { timeout: 10_000 }).toBe(0);
  expect(await countPending(pool, `subscription_key = ${key} and resend_job = 77`)).toBe(1);
  expect(await countPending(pool, `subscription_key = ${key}`)).toBe(1);
});

test('a worker that came across it still sends what is sent again', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const ids = await storeFailed(service, key, 2);
  await deactivate(service, key);
  await leavePending(key, 'null', { isNoted: false });
  await expect
    .poll(async () => (await storedOf(service, key)).map(({ status }) => status), { timeout: 10_000 })
    .toEqual(['FAILED', 'FAILED']);
  expect(receiver.deliveries).toEqual([]);
  const { total, job } = await resent(service, key);
  expect(total).toBe(2);
  expect(await ended(service, job)).toMatchObject({ status: 'DONE', done: 2 });
  expect(receiver.taken().sort()).toEqual([...ids].sort());
});

/** Pending again, due when `due` says; `isNoted`: to be failed by and by, as a deactivation leaves it. */
async function leavePending(key: number, due: string, { isNoted }: { isNoted: boolean }): Promise<void> {
  const client = await begin();
  if (isNoted) await noteEnded(client, key);
  await client.query(
    `with moved as (delete from flaghoist_system.resendable_notification where subscription_key = $1 returning *),
    recorded as (update flaghoist_service.webhook_notification n set status = 'PENDING' from moved
      where n.key = moved.notification_key and n.created_date = moved.created_date)
    insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at)
    select notification_key, created_date, subscription_key, ${due} from moved`,
    [key],
  );
  await client.query('commit');
}

async function noteEnded(client: Pick<pg.Pool, 'query'>, key: number): Promise<void> {
  await client.query(
    `insert into flaghoist_system.ended_subscription values ($1, 'The subscription is deactivated.')`,
    [key],
  );
}

/** In a transaction, which ends with the test at the latest. */
async function begin(): Promise<pg.PoolClient> {
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('begin');
  return client;
}
