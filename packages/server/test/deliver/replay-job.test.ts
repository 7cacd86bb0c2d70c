// Replays as jobs: progress, cancelling, several jobs and processes, and new notifications meanwhile.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { recordDelivered } from '../../src/deliver/outcomes/outcome-table.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { takeReplayed } from '../../src/deliver/resend/replay-table.ts';
import { startBeside } from '../auth/service-beside.ts';
import { type TestService, useTestService } from '../support/test-service.ts';
import { countIn, deactivate, ended, jobOf, resent, storeFailed, subscribeTo } from './failed-notifications.ts';
import { createVoyage, startHooks } from './hooks.ts';
import { keyIn, recordsOf, replayed, storeDelivered } from './replays.ts';
import { advance, allOf, changeJob, dieTaking, pendingOf, resendSettings, useQueueDatabase } from './resend-jobs.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const pending = 'flaghoist_system.pending_notification';
const nowhere = 'http://127.0.0.1:9/hook';

function cancel(service: TestService, job: number | null) {
  return changeJob(service, job, { cancelled: true });
}

describe('a service that delivers', () => {
  const service = useTestService(resendSettings);

  test('a new notification arrives while a large replay to a slow receiver is still going on', async () => {
    const hooks = await startHooks(async (response) => {
      await sleep(20);
      response.end();
    });
    const key = await subscribeTo(service, hooks.url);
    await storeDelivered(service, key, 3_000);
    const { job } = await replayed(service, key);
    await expect.poll(() => hooks.received.length, { timeout: 10_000 }).toBeGreaterThan(20);
    await createVoyage(service);
    const isNew = ({ headers }: { headers: object }) => !('flaghoist-replay' in headers);
    await expect.poll(() => hooks.received.some(isNew), { timeout: 30_000, interval: 10 }).toBe(true);
    const { status, done, total } = await jobOf(service, job);
    expect(status).toBe('RUNNING');
    expect(done).toBeLessThan(total);
    await cancel(service, job);
  }, 60_000);

  test('cancelled, what is in flight may finish, and everything else stays as it was', async () => {
    const receiver = await startSwitchedReceiver(0);
    const key = await subscribeTo(service, receiver.url, { doNotUnsubscribe: true });
    await storeDelivered(service, key, 1_500);
    await storeFailed(service, key, 500);
    const before = await recordsOf(service, key);
    const { job } = await replayed(service, key);
    await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect((await cancel(service, job)).body).toMatchObject({ status: 'CANCELLED', total: 2_000, done: 0 });
    receiver.letGo(500);
    const progress = `flaghoist_system.resend_progress where job_key = ${job}`;
    await expect.poll(() => countIn(service, progress), { timeout: 20_000 }).toBe(0);
    expect(await countIn(service, `${pending} where subscription_key = ${key}`)).toBe(0);
    const tried = new Set(receiver.deliveries.map(({ id }) => id));
    expect((await recordsOf(service, key)).filter(({ id }) => !tried.has(id))).toEqual(
      before.filter(({ id }) => !tried.has(id)),
    );
    expect((await recordsOf(service, key)).map(({ status }) => status)).toEqual(before.map(({ status }) => status));
    expect((await resent(service, key, { dryRun: true })).total).toBe(500);
  }, 60_000);

  test('two jobs over the same notifications: none is pending twice, and both end', async () => {
    const receiver = await startSwitchedReceiver(0);
    const key = await subscribeTo(service, receiver.url);
    const ids = await storeDelivered(service, key, 5);
    const first = await replayed(service, key);
    await expect.poll(() => pendingOf(service, first.job)).toBe(5);
    // Everything that it selects is being sent already.
    const second = await replayed(service, key);
    expect(second.total).toBe(5);
    expect(await ended(service, second.job)).toMatchObject({ status: 'DONE', total: 0, done: 0, failed: 0 });
    receiver.letGo(200);
    expect(await ended(service, first.job)).toMatchObject({ status: 'DONE', total: 5, done: 5 });
    expect(receiver.taken().sort()).toEqual([...ids].sort());
    // One after the other is a replay of its own.
    await ended(service, (await replayed(service, key)).job);
    expect(receiver.taken()).toHaveLength(10);
  });

  test('when its subscription is replaced, a replay ends: what failed is carried over, the rest stays', async () => {
    const [old, next] = [await startSwitchedReceiver(0), await startSwitchedReceiver()];
    const key = await subscribeTo(service, old.url);
    const delivered = await storeDelivered(service, key, 20);
    const failed = await storeFailed(service, key, 10);
    await deactivate(service, key);
    const { job } = await replayed(service, key);
    await expect.poll(() => pendingOf(service, job)).toBe(30);
    const successor = await subscribeTo(service, next.url, { replaces: key });
    expect(await ended(service, job)).toMatchObject({ status: 'CANCELLED', total: 30, done: 0 });
    old.letGo(500);
    await expect.poll(() => next.taken().length, { timeout: 20_000 }).toBe(failed.length);
    expect(next.taken().sort()).toEqual(failed.sort());
    const records = await recordsOf(service, key);
    expect(records.map(({ id, status }) => [id, status])).toEqual(delivered.map((id) => [id, 'DELIVERED']));
    expect((await recordsOf(service, successor)).map(({ id }) => id).sort()).toEqual(failed.sort());
    await expect.poll(() => countIn(service, `${pending} where subscription_key = ${key}`)).toBe(0);
  }, 60_000);

  test('a resend and a replay that meet send a failed notification once', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    const ids = await storeFailed(service, key, 30);
    const [one, other] = await Promise.all([resent(service, key), replayed(service, key, { status: 'FAILED' })]);
    const jobs = [await ended(service, one.job), ...(other.job === null ? [] : [await ended(service, other.job)])];
    expect(jobs.reduce((sum, { done }) => sum + done, 0)).toBe(30);
    expect(receiver.taken().sort()).toEqual([...ids].sort());
  });
});

describe('a service that takes requests only', () => {
  const service = useTestService({ ...resendSettings, FLAGHOIST_ROLES: 'api' });
  const database = useQueueDatabase(service);

  test('a process that dies in the middle of a batch changes nothing, and the job continues where it was', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    const ids = [...(await storeDelivered(service, key, 700)), ...(await storeFailed(service, key, 500))];
    const { job } = await replayed(service, key);
    expect(await advance(database, job)).toEqual({ moved: 500, isMore: true });
    await dieTaking(database, job!, takeReplayed(job!, allOf(key), { after: 0, upTo: 1e9 }, 500));
    expect(await pendingOf(service, job)).toBe(500);
    expect((await advance(database, job)).moved).toBe(500);
    // As many as may be pending: the rest waits.
    expect(await advance(database, job)).toEqual({ moved: 0, isMore: false });
    const statuses = (await recordsOf(service, key)).map(({ status }) => status);
    expect(statuses).toEqual([
      ...Array(700).fill('DELIVERED'),
      ...Array(300).fill('PENDING'),
      ...Array(200).fill('FAILED'),
    ]);
    await startBeside(service.database, { ...resendSettings, FLAGHOIST_ROLES: 'worker' });
    expect(await ended(service, job, 40_000)).toMatchObject({ status: 'DONE', total: 1_200, done: 1_200 });
    expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual(ids.sort());
  }, 60_000);

  test('two processes at work on a job take each notification once', async () => {
    const key = await subscribeTo(service, nowhere);
    await storeDelivered(service, key, 800);
    const { job } = await replayed(service, key);
    const steps = await Promise.all([1, 2, 3, 4].map(() => advance(database, job)));
    expect(steps.reduce((sum, { moved }) => sum + moved, 0)).toBe(await pendingOf(service, job));
    for (let count = 0; count < 3; count += 1) await advance(database, job);
    expect(await pendingOf(service, job)).toBe(800);
  });

  test('what is created, delivered or fails after the request is not included', async () => {
    const key = await subscribeTo(service, nowhere);
    await storeDelivered(service, key, 2);
    const [late] = await storeDelivered(service, key, 1);
    const { job } = await replayed(service, key);
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

  test('the late response to an earlier attempt does not end a replay', async () => {
    const key = await subscribeTo(service, nowhere);
    const [id] = await storeDelivered(service, key, 1);
    const { job } = await replayed(service, key);
    await advance(database, job);
    const { rows } = await service.database.pool.query(
      'select created_date::text as date from flaghoist_service.webhook_notification where id = $1',
      [id],
    );
    const sent = (resendJob: number | null): ReadyNotification => ({
      key: keyIn(id!),
      createdDate: rows[0].date,
      subscriptionKey: key,
      attempts: 0,
      resendJob,
      replay: resendJob ?? undefined,
      orderedObject: null,
      head: '',
      subject: null,
      body: Buffer.alloc(0),
    });
    const result = { kind: 'delivered', statusCode: 200, answer: null } as const;
    const attempt = { startedAt: new Date(), durationMs: 1, endedAtMs: 0, result };
    await database.run(recordDelivered([{ kind: 'delivered', notification: sent(null), attempt }]));
    expect(await pendingOf(service, job)).toBe(1);
    expect((await recordsOf(service, key))[0]!.attempts).toBe(1);
    // Recorded twice, because the response of the database was lost: counted once.
    for (let count = 0; count < 2; count += 1)
      await database.run(recordDelivered([{ kind: 'delivered', notification: sent(job), attempt }]));
    expect(await pendingOf(service, job)).toBe(0);
    expect((await recordsOf(service, key))[0]!.attempts).toBe(2);
    expect(await jobOf(service, job)).toMatchObject({ done: 1, failed: 0 });
  });
});
