// An ordered subscription with several processes that match and deliver, some of which stop in the middle.

import { expect, test } from 'vitest';
import { claimEvents } from '../../src/events/event-table.ts';
import { startBeside } from '../auth/service-beside.ts';
import { create } from '../support/fleet.ts';
import { modelDigest } from '../support/model-digest.ts';
import { useTestService } from '../support/test-service.ts';
import { subscribeTo } from './failed-notifications.ts';
import { ascending, openTransaction, startOrderedReceiver } from './ordered-receiver.ts';
import { awaitSettled } from './queued.ts';

const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.3', FLAGHOIST_DELIVERY_ATTEMPTS: '20' };
const service = useTestService({ ...settings, FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
const startWorker = () => startBeside(service.database, { ...settings, FLAGHOIST_ROLES: 'worker' });
const ordered = { eventType: 'Vessel.U', ordering: 'OBJECT', rawObject: true };

const createVessel = async (): Promise<number> => (await create(service, 'Vessel', { vesselName: 'Ordered' })).key;

const changeAll = (vessels: readonly number[], flag: string) =>
  pool.query('update flaghoist.vessel set flag = $2 where key = any($1)', [vessels, flag]);

test('two that match and deliver keep the order of each object, with a receiver that fails now and then', async () => {
  const receiver = await startOrderedReceiver();
  receiver.judge = () => (receiver.arrivals.length % 10 === 0 ? 500 : 200);
  await subscribeTo(service, receiver.url, ordered);
  const vessels = await Promise.all(Array.from({ length: 20 }, createVessel));
  const workers = [await startWorker(), await startWorker()];
  for (let n = 0; n < 20; n += 1) await changeAll(vessels, `flag ${n}`);
  await expect.poll(() => new Set(receiver.arrivals.map(({ id }) => id)).size, { timeout: 45_000 }).toBe(400);
  await awaitSettled(pool);
  for (const vessel of vessels) {
    expect(receiver.firsts(vessel)).toHaveLength(20);
    expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  }
  expect(receiver.overlaps).toEqual(new Set());
  for (const { observations } of workers)
    expect(observations.filter(({ kind }) => kind === 'delivery.failed' || kind === 'matching.failed')).toEqual([]);
}, 60_000);

test('a matcher that stops in the middle of an event holds back only its object, and its event is first', async () => {
  const receiver = await startOrderedReceiver();
  await subscribeTo(service, receiver.url, ordered);
  const [held, free] = [await createVessel(), await createVessel()];
  await pool.query('delete from flaghoist_system.unmatched_event');
  await changeAll([held], 'first');
  const stopped = await openTransaction(pool);
  const claim = claimEvents({ eventsMax: 10, fromId: 0, modelDigest });
  expect((await stopped.query(claim.text, claim.values as unknown[])).rows).toHaveLength(1);
  await changeAll([held, free], 'second');
  await startWorker();
  await expect.poll(() => receiver.firsts(free).length, { timeout: 20_000 }).toBe(1);
  const blocked = `select count(*)::int from flaghoist_system.pending_notification where due_at = '-infinity'`;
  await expect.poll(async () => (await pool.query(blocked)).rows[0].count, { timeout: 20_000 }).toBe(1);
  expect(receiver.firsts(held)).toEqual([]);
  await stopped.query('rollback');
  await expect.poll(() => receiver.firsts(held).length, { timeout: 20_000 }).toBe(2);
  expect(receiver.firsts(held)).toEqual(ascending(receiver.firsts(held)));
});

test('a head that nobody has promoted, because its process ended, is found', async () => {
  const receiver = await startOrderedReceiver();
  const subscription = await subscribeTo(service, receiver.url, ordered);
  const vessel = await createVessel();
  const first = await startWorker();
  await changeAll([vessel], 'before');
  await expect.poll(() => receiver.arrivals.length, { timeout: 20_000 }).toBe(1);
  await first.stop();
  await changeAll([vessel], 'after');
  await startWorker();
  await expect.poll(() => receiver.arrivals.length, { timeout: 20_000 }).toBe(2);
  await awaitSettled(pool);
  // As a process leaves it that ends after the outcome of the one before is recorded.
  await pool.query(
    `with again as (update flaghoist_service.webhook_notification set status = 'PENDING' where subscription = $1
       returning "key", created_date, subscription, subscribed_object_key, id)
     insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at,
       ordered_object, sequence, is_repeat)
     select "key", created_date, subscription, '-infinity', subscribed_object_key, split_part(id, '-', 1)::bigint, false
     from again`,
    [subscription],
  );
  await expect.poll(() => receiver.arrivals.length, { timeout: 20_000 }).toBe(4);
  await awaitSettled(pool);
  const sequences = receiver.arrivals.map(({ sequence }) => sequence);
  expect(sequences.slice(2)).toEqual(ascending(sequences.slice(2)));
});
