// The job of a filter, step by step: processes that die or meet, receivers that are dead, counts that take too long.

import { expect, test } from 'vitest';
import { countReplayable } from '../../src/deliver/resend/count-replayable.ts';
import { takeReplayed } from '../../src/deliver/resend/replay-table.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { parseFilters } from '../../src/query/filter/parse-filters.ts';
import { startBeside } from '../auth/service-beside.ts';
import { useTestService } from '../support/test-service.ts';
import { countIn, ended, jobOf, storeFailed, subscribeTo, subscriptions } from './failed-notifications.ts';
import { recordsOf, storeDelivered } from './replays.ts';
import {
  advance,
  allOf,
  dieTaking,
  notificationType,
  pendingOf,
  resendSettings,
  useQueueDatabase,
} from './resend-jobs.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const service = useTestService({ ...resendSettings, FLAGHOIST_ROLES: 'api' });
const database = useQueueDatabase(service);
const nowhere = 'http://127.0.0.1:9/hook';

async function start(filter: string[]): Promise<{ count: number; job: number }> {
  const { status, body, text } = await service.post('/ws/rest/WebhookNotification/resend', { filter });
  expect(status, text).toBe(202);
  return { count: body.count, job: body.resendJob };
}

const matching = (filter: string[]) => ({ ...allOf(null), filters: parseFilters(filter, notificationType, 100) });

test('a process that dies in the middle of a batch changes nothing, and the next one continues', async () => {
  const receiver = await startSwitchedReceiver();
  const [one, other] = [await subscribeTo(service, receiver.url), await subscribeTo(service, receiver.url)];
  const ids = [...(await storeDelivered(service, one, 400)), ...(await storeFailed(service, other, 400))];
  await storeDelivered(service, one, 50, { objectKey: 99 });
  const filter = [`subscription(IN)(${one},${other})`, 'objectKey(EQ)1'];
  const { count, job } = await start(filter);
  expect(count).toBe(800);
  expect(await advance(database, job)).toEqual({ moved: 500, isMore: true });
  await dieTaking(database, job, takeReplayed(job, matching(filter), { after: 0, upTo: 1e9 }, 500));
  expect(await pendingOf(service, job)).toBe(500);
  await startBeside(service.database, { ...resendSettings, FLAGHOIST_ROLES: 'worker' });
  expect(await ended(service, job, 40_000)).toMatchObject({ status: 'DONE', total: 800, done: 800 });
  expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual(ids.sort());
}, 60_000);

test('processes that meet take each notification once, and the end is found if the last key is the last one', async () => {
  const key = await subscribeTo(service, nowhere);
  await storeDelivered(service, key, 1_000);
  const { job } = await start([`subscription(EQ)${key}`]);
  const steps = await Promise.all([1, 2, 3, 4].map(() => advance(database, job)));
  expect(steps.reduce((sum, { moved }) => sum + moved, 0)).toBe(await pendingOf(service, job));
  await advance(database, job);
  expect(await pendingOf(service, job)).toBe(1_000);
  await service.database.pool.query('delete from flaghoist_system.pending_notification where resend_job = $1', [job]);
  for (let count = 0; count < 2; count += 1) await advance(database, job);
  expect((await jobOf(service, job)).status).toBe('DONE');
});

test('notifications that wait for another attempt do not keep those of other receivers from being sent', async () => {
  const [dead, alive] = [await subscribeTo(service, nowhere), await subscribeTo(service, nowhere)];
  await storeDelivered(service, dead, 1_200);
  await storeDelivered(service, alive, 100);
  const { job } = await start([`subscription(IN)(${dead},${alive})`]);
  for (let count = 0; count < 2; count += 1) await advance(database, job);
  expect(await advance(database, job)).toEqual({ moved: 0, isMore: false });
  expect(await pendingOf(service, job)).toBe(1_000);
  await service.database.pool.query(
    `update flaghoist_system.pending_notification set due_at = now() + interval '1 hour' where resend_job = $1`,
    [job],
  );
  await advance(database, job);
  expect(await pendingOf(service, job)).toBe(1_300);
});

test('what is created, delivered or fails after the request is not sent', async () => {
  const key = await subscribeTo(service, nowhere);
  await storeDelivered(service, key, 2);
  const [late] = await storeDelivered(service, key, 1);
  const { job } = await start([`subscription(EQ)${key}`]);
  await service.database.pool.query(
    `update flaghoist_service.webhook_notification set delivery_date = delivery_date + interval '1 minute'
     where id = $1`,
    [late],
  );
  await storeFailed(service, key, 1);
  await storeDelivered(service, key, 1);
  for (let count = 0; count < 2; count += 1) await advance(database, job);
  expect(await pendingOf(service, job)).toBe(2);
});

test('a subscription that is unsubscribed meanwhile gets nothing more, and the job goes on with the others', async () => {
  const [gone, other] = [await subscribeTo(service, nowhere), await subscribeTo(service, nowhere)];
  const filter = [`subscription(IN)(${gone},${other})`];
  await storeDelivered(service, gone, 600);
  await storeDelivered(service, other, 10);
  const { job } = await start(filter);
  await advance(database, job);
  expect((await service.put(`${subscriptions}/${gone}`, { unsubscribed: true })).status).toBe(200);
  await service.database.pool.query('delete from flaghoist_system.pending_notification where resend_job = $1', [job]);
  await advance(database, job);
  expect(await countIn(service, `flaghoist_system.pending_notification where subscription_key = ${gone}`)).toBe(0);
  expect(await countIn(service, `flaghoist_system.pending_notification where subscription_key = ${other}`)).toBe(10);
});

test('a filter that the model no longer has cancels the job, and the log says why', async () => {
  const key = await subscribeTo(service, nowhere);
  await storeDelivered(service, key, 1);
  const { job } = await start([`subscription(EQ)${key}`]);
  await service.database.pool.query(
    `update flaghoist_service.resend_job set filter = '["berth(EQ)1"]' where key = $1`,
    [job],
  );
  const observations: Observation[] = [];
  for (let count = 0; count < 3; count += 1)
    await advance(database, job, (observation) => observations.push(observation));
  expect((await jobOf(service, job)).status).toBe('CANCELLED');
  expect(await countIn(service, `flaghoist_system.resend_progress where job_key = ${job}`)).toBe(0);
  expect(observations).toMatchObject([
    { kind: 'resend.failed', job, error: { message: expect.stringContaining('no attribute "berth"') } },
  ]);
  expect((await recordsOf(service, key)).map(({ status }) => status)).toEqual(['DELIVERED']);
});

test('when counting takes too long, the count is an estimate, and the job is started all the same', async () => {
  const key = await subscribeTo(service, nowhere);
  const filter = [`subscription(EQ)${key}`, 'contentType(EQ)application/json'];
  await service.database.pool.query('delete from flaghoist_service.webhook_notification');
  await storeDelivered(service, key, 100, { eventTime: '2026-11-01T00:00:00' });
  // Two more ranges without a notification, and one with as many.
  await service.database.pool.query(
    `select setval('flaghoist.object_key', last_value + 60000) from flaghoist.object_key`,
  );
  await storeDelivered(service, key, 100, { eventTime: '2026-11-02T00:00:00' });
  const run = (limitMs: number) =>
    database.transaction({ userKey: undefined, client: 'test' }, (transaction) =>
      countReplayable(transaction.run, matching(filter), limitMs),
    );
  const [whole, begun] = [await run(60_000), await run(0)];
  expect(whole).toMatchObject({ total: 200, isEstimate: false });
  expect([whole.oldest, whole.newest]).toEqual(['2026-11-01T00:00:00', '2026-11-02T00:00:00']);
  expect(begun).toMatchObject({ isEstimate: true, oldest: '2026-11-01T00:00:00', newest: null, keys: whole.keys });
  expect(begun.total).toBeGreaterThan(100);
  expect(begun.total).toBeLessThan(400);
});
