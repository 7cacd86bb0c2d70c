// Notifications that may not be sent for now are parked, and leave that state in every possible way.

import type pg from 'pg';
import { expect, test } from 'vitest';
import { unpark } from '../../src/deliver/queue/pending-table.ts';
import { startBeside } from '../auth/service-beside.ts';
import { startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { deactivate, ended, resent, storeFailed } from './failed-notifications.ts';
import { awaitSettled, countFates, countPending, idOf, queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const pool: pg.Pool = service.database.pool;
const timeout = 60_000;

const startWorker = () => startBeside(service.database, { FLAGHOIST_ROLES: 'worker' });
const parked = () => countPending(pool, "due_at = 'infinity'");

async function subscribeSleeper(url: string, userCode: string) {
  const user = await service.post('/ws/rest/ApiUser', { userCode, name: userCode });
  const userPath = `/ws/rest/ApiUser/${user.body.key}`;
  const subscription = await subscribeTo(service, url, { user: user.body.key });
  const setActive = async (active: boolean) => expect((await service.put(userPath, { active })).status).toBe(200);
  await setActive(false);
  return { subscription, setActive };
}

test('with two workers, parked notifications become ready again and each arrives once', {
  timeout,
}, async () => {
  const receiver = await startReceiver();
  const { subscription, setActive } = await subscribeSleeper(receiver.url, 'parked-twice');
  const ids = await queue(pool, subscription, 2_500);
  await startWorker();
  await startWorker();
  await expect.poll(parked, { timeout: 30_000 }).toBe(2_500);
  await setActive(true);
  await awaitSettled(pool);
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
});

test('parked notifications of a subscription that ends fail without an attempt', {
  timeout,
}, async () => {
  const receiver = await startReceiver();
  const { subscription } = await subscribeSleeper(receiver.url, 'parked-ended');
  await queue(pool, subscription, 30);
  await startWorker();
  await expect.poll(parked, { timeout: 30_000 }).toBe(30);
  const path = `/ws/rest/WebhookSubscription/${subscription}`;
  expect((await service.put(path, { unsubscribed: true })).status).toBe(200);
  await awaitSettled(pool);
  expect(await countFates(pool)).toMatchObject({ 'FAILED 0': 30 });
  expect(receiver.requests).toEqual([]);
});

test('notifications for a channel that only a later version knows are left to that version', { timeout }, async () => {
  const receiver = await startReceiver();
  const subscription = await subscribeTo(service, receiver.url);
  const setChannel = (code: string) =>
    pool.query(
      'update flaghoist_service.webhook_subscription set channel_info = channel_info || ' +
        'jsonb_build_object(\'channelType\', $2::text) where "key" = $1',
      [subscription, code],
    );
  await setChannel('PIGEON');
  const ids = await queue(pool, subscription, 30);
  await startWorker();
  await expect.poll(parked, { timeout: 30_000 }).toBe(30);
  await setChannel('HTTP');
  await awaitSettled(pool);
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
});

test('nothing stays claimed if many subscriptions have notifications to park at once', { timeout }, async () => {
  const receiver = await startReceiver();
  const { subscription, setActive } = await subscribeSleeper(receiver.url, 'parked-many');
  const others: number[] = [];
  const { rows } = await pool.query('select "user" from flaghoist_service.webhook_subscription where "key" = $1', [
    subscription,
  ]);
  // More than two checks with one statement each could make ready.
  for (let n = 0; n < 60; n += 1) others.push(await subscribeTo(service, receiver.url, { user: Number(rows[0].user) }));
  const ids: string[] = [];
  for (const key of others) ids.push(...(await queue(pool, key, 40)));
  await startWorker();
  await expect.poll(parked, { timeout: 30_000 }).toBe(2_400);
  await setActive(true);
  await awaitSettled(pool);
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
});

test('a resend to a deactivated subscription waits as long as its user is inactive, and arrives once afterwards', {
  timeout,
}, async () => {
  const receiver = await startReceiver();
  const { subscription, setActive } = await subscribeSleeper(receiver.url, 'parked-resend');
  const ids = await storeFailed(service, subscription, 30);
  await deactivate(service, subscription);
  const { job } = await resent(service, subscription);
  await startWorker();
  await expect.poll(parked, { timeout: 30_000 }).toBe(30);
  expect(receiver.requests).toEqual([]);
  await setActive(true);
  expect(await ended(service, job, 30_000)).toMatchObject({ status: 'DONE', done: 30, failed: 0 });
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
});

test('nothing becomes ready again while its user is inactive', async () => {
  const { subscription, setActive } = await subscribeSleeper('http://127.0.0.1:9/', 'parked-still');
  await queue(pool, subscription, 3);
  await pool.query(`update flaghoist_system.pending_notification set due_at = 'infinity' where subscription_key = $1`, [
    subscription,
  ]);
  const wake = () => service.database.connections.run(unpark(subscription - 1, 1, 10));
  expect(await wake()).toMatchObject([{ lanes: 1, woken: 0 }]);
  await setActive(true);
  expect(await wake()).toMatchObject([{ lanes: 1, woken: 3 }]);
});
