// `ratePerSecond`: no more attempts than that, over all processes. What is over the rate waits, and nothing else does.

import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { answering, startHooks } from './hooks.ts';
import { ascending, startOrderedReceiver } from './ordered-receiver.ts';
import { awaitSettled, countPending, fatesOf, queue, subscribeTo, useNoEarlierWorkers } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
useNoEarlierWorkers(pool);

beforeEach(async () => {
  await pool.query('delete from flaghoist_system.delivery_rate');
});

const startWorker = (more: object = {}) =>
  startBeside(service.database, { FLAGHOIST_DATA_DIR: service.dataDir, FLAGHOIST_ROLES: 'worker', ...more });

const change = async (key: number, wishes: object) =>
  expect((await service.put(`/ws/rest/WebhookSubscription/${key}`, wishes)).status).toBe(200);

/** The most that arrived within any second. */
function mostInASecond(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1_000).length));
}

/** Within any second: the rate, a quarter more for what was late, and one at the edge. */
function expectWithin(moments: readonly number[], rate: number): void {
  expect(mostInASecond(moments)).toBeLessThanOrEqual(1.25 * rate + 1);
  const seconds = (moments.at(-1)! - moments[0]!) / 1_000;
  expect(moments.length - 1).toBeLessThanOrEqual(1.1 * rate * (seconds + 0.25));
}

const timeout = 60_000;

test('a backlog is sent at the rate, no second has more, and none is left out', { timeout }, async () => {
  const hooks = await startHooks();
  const key = await subscribeTo(service, hooks.url, { ratePerSecond: 20 });
  const ids = await queue(pool, key, 80);
  await startWorker();
  await awaitSettled(pool);
  expect(hooks.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort());
  expectWithin(
    hooks.received.map(({ atMs }) => atMs),
    20,
  );
  expect((await fatesOf(pool, key)).every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(
    true,
  );
});

test('two processes share one rate', { timeout }, async () => {
  const hooks = await startHooks();
  await queue(pool, await subscribeTo(service, hooks.url, { ratePerSecond: 25 }), 100);
  await Promise.all([startWorker(), startWorker()]);
  await awaitSettled(pool);
  expect(hooks.received).toHaveLength(100);
  expectWithin(
    hooks.received.map(({ atMs }) => atMs),
    25,
  );
});

test('retries count as attempts, and waiting does not', { timeout }, async () => {
  const hooks = await startHooks(answering(...Array(15).fill(500), 200));
  const key = await subscribeTo(service, hooks.url, { ratePerSecond: 10, doNotUnsubscribe: true });
  await queue(pool, key, 15);
  await startWorker({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1', FLAGHOIST_DELIVERY_ATTEMPTS: '20' });
  await awaitSettled(pool);
  expect(hooks.received.length).toBe(30);
  expectWithin(
    hooks.received.map(({ atMs }) => atMs),
    10,
  );
  const fates = await fatesOf(pool, key);
  expect(fates.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(30);
  expect(new Set(fates.map(({ status }) => status))).toEqual(new Set(['DELIVERED']));
});

test('while 100 subscriptions wait for their rate, others are sent everything at once', { timeout }, async () => {
  const slow = await startHooks();
  const hooks = await startHooks();
  const throttled = await subscribeTo(service, slow.url, { ratePerSecond: 0.5 });
  const { rows } = await pool.query(
    `insert into flaghoist_service.webhook_subscription
     select (jsonb_populate_record(s, jsonb_build_object('key', nextval('flaghoist.object_key')))).*
     from flaghoist_service.webhook_subscription s, generate_series(1, 99) where s.key = $1 returning key::int`,
    [throttled],
  );
  for (const key of [throttled, ...rows.map((row) => row.key)]) await queue(pool, key, 50);
  await startWorker();
  await expect.poll(() => slow.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(100);
  const other = await subscribeTo(service, hooks.url);
  await queue(pool, other, 500);
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(500);
  await expect.poll(() => countPending(pool, `subscription_key = ${other}`), { timeout: 10_000 }).toBe(0);
  // Those that wait do not fill the memory.
  expect(await countPending(pool, 'claimed_by is not null')).toBeLessThanOrEqual(500);
});

test.each([
  ['raised', 1000],
  ['removed', null],
])('a backlog that waits is sent when the rate is %s', { timeout }, async (_, ratePerSecond) => {
  const hooks = await startHooks();
  const key = await subscribeTo(service, hooks.url, { ratePerSecond: 0.01 });
  await queue(pool, key, 40);
  await startWorker();
  await expect.poll(() => countPending(pool), { timeout: 20_000 }).toBe(39);
  // Nothing that waits for long stays claimed.
  await expect.poll(() => countPending(pool, 'claimed_by is not null'), { timeout: 20_000 }).toBe(0);
  expect(hooks.received).toHaveLength(1);
  await change(key, { ratePerSecond });
  await awaitSettled(pool);
  expect(hooks.received).toHaveLength(40);
});

test('a rate that is set while a backlog is sent applies to the rest', { timeout }, async () => {
  const hooks = await startHooks((response) => setTimeout(() => response.end(), 20));
  const key = await subscribeTo(service, hooks.url);
  await queue(pool, key, 2_000);
  await startWorker({ FLAGHOIST_DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION: '2' });
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBeGreaterThan(50);
  await change(key, { ratePerSecond: 5 });
  // Only what the lane keeps stays in memory.
  await expect.poll(() => countPending(pool, 'claimed_by is not null'), { timeout: 20_000 }).toBeLessThanOrEqual(12);
  const before = hooks.received.length;
  await expect.poll(() => hooks.received.length - before, { timeout: 20_000 }).toBeGreaterThanOrEqual(10);
  expectWithin(
    hooks.received.slice(before).map(({ atMs }) => atMs),
    5,
  );
});

test('an ordered subscription is sent at its rate and in order, without claiming each one anew', {
  timeout,
}, async () => {
  const receiver = await startOrderedReceiver();
  const moments: number[] = [];
  receiver.judge = () => {
    moments.push(performance.now());
    return 200;
  };
  const wishes = { eventType: 'Vessel.U', ordering: 'OBJECT', rawObject: true, ratePerSecond: 20 };
  await subscribeTo(service, receiver.url, wishes);
  const vessels = [await createVessel(), await createVessel()];
  const countReleases = await watchReleases();
  for (let n = 0; n < 30; n += 1)
    await pool.query('update flaghoist.vessel set flag = $2 where key = any($1)', [vessels, `flag ${n}`]);
  await startWorker();
  await expect.poll(() => receiver.arrivals.length, { timeout: 30_000 }).toBe(60);
  await awaitSettled(pool);
  for (const vessel of vessels) {
    expect(receiver.firsts(vessel)).toHaveLength(30);
    expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  }
  expect(receiver.overlaps).toEqual(new Set());
  expectWithin(moments, 20);
  expect(await countReleases()).toBeLessThan(10);
});

test('a process that stops leaves what waits to others', { timeout }, async () => {
  const hooks = await startHooks();
  await queue(pool, await subscribeTo(service, hooks.url, { ratePerSecond: 2 }), 10);
  const worker = await startWorker();
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(2);
  await worker.stop();
  expect(await countPending(pool, 'claimed_by is not null')).toBe(0);
  await startWorker();
  await awaitSettled(pool);
  expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(10);
});

test('test messages do not count', async () => {
  const hooks = await startHooks();
  const key = await subscribeTo(service, hooks.url, { ratePerSecond: 0.01 });
  for (let n = 0; n < 3; n += 1)
    expect((await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {})).body.isDelivered).toBe(true);
  const { rows } = await pool.query('select * from flaghoist_system.delivery_rate');
  expect(rows).toEqual([]);
});

const createVessel = async (): Promise<number> => (await create(service, 'Vessel', { vesselName: 'Throttled' })).key;

/** Counts the notifications that are claimed and released unsent, until the end of the test. */
async function watchReleases(): Promise<() => Promise<number>> {
  await pool.query(`
    create table public.release (notification_key bigint);
    create function public.note_release() returns trigger language plpgsql as $$
    begin insert into public.release values (new.notification_key); return null; end $$;
    create trigger note_release after update on flaghoist_system.pending_notification for each row
      when (old.claimed_by is not null and new.claimed_by is null and new.attempts = old.attempts)
      execute function public.note_release()`);
  onTestFinished(async () => {
    await pool.query('drop function public.note_release cascade; drop table public.release');
  });
  return async () => (await pool.query('select count(*)::int from public.release')).rows[0].count;
}
