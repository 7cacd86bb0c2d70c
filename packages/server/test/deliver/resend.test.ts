// Resends: what has failed is sent again, each once, whatever else is being sent or asked for at the same time.

import { expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { holdTable } from '../support/held-lock.ts';
import { useTestService } from '../support/test-service.ts';
import {
  countIn,
  deactivate,
  ended,
  resent,
  stateOf,
  storedOf,
  storeFailed,
  subscribeTo,
} from './failed-notifications.ts';
import { resendSettings } from './resend-jobs.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const service = useTestService(resendSettings);
const mails = 'flaghoist_system.outgoing_mail';

test(
  'what failed for real is sent again with the same id and ' +
    'bytes, and a deactivated subscription stays deactivated',
  async () => {
    const receiver = await startSwitchedReceiver(500);
    const key = await subscribeTo(service, receiver.url);
    for (let count = 0; count < 3; count += 1) await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
    await expect.poll(() => stateOf(service, key), { timeout: 10_000 }).toBe('DEACTIVATED');
    await expect
      .poll(async () => (await storedOf(service, key)).map(({ status }) => status), { timeout: 10_000 })
      .toEqual(['FAILED', 'FAILED', 'FAILED']);
    const failed = await storedOf(service, key);

    receiver.letGo(200);
    const { total, job, jobSelf } = await resent(service, key);
    expect(total).toBe(3);
    expect(jobSelf).toBe(`${service.url()}/ws/rest/ResendJob/${job}`);
    expect(await ended(service, job)).toMatchObject({ status: 'DONE', total: 3, done: 3, failed: 0, cancelled: false });
    expect((await ended(service, job)).endedDate).toMatch(/^\d{4}-/);

    expect(receiver.taken().sort()).toEqual(failed.map(({ id }) => id).sort());
    for (const { id, body } of receiver.deliveries) expect(body).toBe(failed.find((each) => each.id === id)!.body);
    const delivered = await storedOf(service, key);
    expect(delivered.map(({ status, errorMessage }) => [status, errorMessage])).toEqual(
      failed.map(() => ['DELIVERED', null]),
    );
    // The deactivation fails what is just being sent, and that attempt is recorded when it ends.
    const sentOf = (id: string) => receiver.deliveries.filter((each) => each.id === id).length;
    await expect
      .poll(async () => (await storedOf(service, key)).map(({ attempts }) => attempts), { timeout: 15_000 })
      .toEqual(failed.map(({ id }) => sentOf(id)));
    expect(await stateOf(service, key)).toBe('DEACTIVATED');
  },
);

test('FLT-43: a second call right after the first adds nothing, and of two at once one sends everything', async () => {
  const receiver = await startSwitchedReceiver(0);
  const key = await subscribeTo(service, receiver.url);
  const ids = await storeFailed(service, key, 40);
  await deactivate(service, key);
  const answers = await Promise.all([1, 2, 3, 4].map(() => resent(service, key)));
  expect(answers.map(({ total }) => total).sort((one, other) => one - other)).toEqual([0, 0, 0, 40]);
  expect(answers.filter(({ job }) => job !== null)).toHaveLength(1);
  expect(await resent(service, key)).toEqual({ total: 0, job: null, jobSelf: null });
  expect(await resent(service, key, { dryRun: true })).toEqual({ total: 0, job: null, jobSelf: null });
  receiver.letGo(200);
  await ended(service, answers.find(({ job }) => job !== null)!.job);
  expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(await resent(service, key)).toEqual({ total: 0, job: null, jobSelf: null });
});

test('of several calls for all subscriptions that meet, one sends everything', async () => {
  const client = await createClient(service, ['read', 'webhook']);
  const receiver = await startSwitchedReceiver();
  const ids = await storeFailed(service, await subscribeTo(service, receiver.url, {}, client), 20);
  const claimedKeys = await holdTable(service, 'flaghoist_service.resend_job');
  const asked = [1, 2, 3, 4].map(() => resent(service, undefined, {}, client));
  await claimedKeys.waiters(4);
  await claimedKeys.letGo();
  const answers = await Promise.all(asked);
  expect(answers.map(({ total }) => total).sort((one, other) => one - other)).toEqual([0, 0, 0, 20]);
  await ended(service, answers.find(({ job }) => job !== null)!.job);
  expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test('calls for one subscription and for all of them at once send each notification exactly once', async () => {
  const client = await createClient(service, ['read', 'webhook']);
  const receiver = await startSwitchedReceiver();
  const keys = [
    await subscribeTo(service, receiver.url, {}, client),
    await subscribeTo(service, receiver.url, {}, client),
  ];
  const ids = [...(await storeFailed(service, keys[0]!, 30)), ...(await storeFailed(service, keys[1]!, 30))];
  const answers = await Promise.all([
    resent(service, keys[0], {}, client),
    resent(service, undefined, {}, client),
    resent(service, keys[1], {}, client),
    resent(service, undefined, {}, client),
  ]);
  expect(answers.reduce((sum, { total }) => sum + total, 0)).toBe(60);
  for (const { job } of answers) if (job !== null) await ended(service, job);
  expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test('a resend that fails again leaves a deactivated subscription as it is, and mails nobody', async () => {
  const client = await createClient(service, ['read', 'webhook'], { email: 'someone@receiver.example' });
  const receiver = await startSwitchedReceiver(500);
  const key = await subscribeTo(service, receiver.url, {}, client);
  const ids = await storeFailed(service, key, 2);
  await deactivate(service, key);
  const before = await countIn(service, mails);
  const { job } = await resent(service, key);
  expect(await ended(service, job)).toMatchObject({ status: 'DONE', total: 2, done: 0, failed: 2 });
  // A fresh set of attempts, on top of those that there were.
  expect((await storedOf(service, key)).map(({ id, status, attempts }) => [id, status, attempts])).toEqual(
    ids.map((id) => [id, 'FAILED', 4]),
  );
  expect(receiver.deliveries).toHaveLength(4);
  expect(await stateOf(service, key)).toBe('DEACTIVATED');
  expect(await countIn(service, mails)).toBe(before);
  expect((await resent(service, key, { dryRun: true })).total).toBe(2);
});

test('a resend that uses up its attempts deactivates an active subscription as usual', async () => {
  const receiver = await startSwitchedReceiver(500);
  const key = await subscribeTo(service, receiver.url);
  await storeFailed(service, key, 1);
  expect(await stateOf(service, key)).toBe('ACTIVE');
  const { job } = await resent(service, key);
  expect(await ended(service, job)).toMatchObject({ done: 0, failed: 1 });
  expect(await stateOf(service, key)).toBe('DEACTIVATED');
});

test('what is being tried anyway, and fails later, is no business of the resend', async () => {
  const receiver = await startSwitchedReceiver(0);
  const key = await subscribeTo(service, receiver.url, { doNotUnsubscribe: true });
  await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
  await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBe(1);
  const ids = await storeFailed(service, key, 3);
  const { total, job } = await resent(service, key);
  expect(total).toBe(3);
  receiver.letGo(500);
  expect(await ended(service, job)).toMatchObject({ total: 3, done: 0, failed: 3 });
  await expect
    .poll(async () => (await storedOf(service, key)).map(({ status }) => status), { timeout: 5_000 })
    .toEqual(['FAILED', 'FAILED', 'FAILED', 'FAILED']);
  const tries = (id: string) => receiver.deliveries.filter((each) => each.id === id).length;
  expect(ids.map(tries)).toEqual([2, 2, 2]);
  expect(receiver.deliveries).toHaveLength(8);
  expect((await resent(service, key, { dryRun: true })).total).toBe(4);
});

test('an attempt that was under way all the time has no say in the resend of the same notification', async () => {
  const receiver = await startSwitchedReceiver(0);
  const key = await subscribeTo(service, receiver.url);
  await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
  await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBe(1);
  await deactivate(service, key);
  await service.database.pool.query(
    `insert into flaghoist_system.ended_subscription values ($1, 'The subscription is deactivated.')`,
    [key],
  );
  await expect.poll(async () => (await storedOf(service, key))[0]?.status, { timeout: 5_000 }).toBe('FAILED');
  const { job } = await resent(service, key);
  await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBe(2);
  receiver.letGo(500, 'first');
  // Takes longer than the wait for another attempt.
  const other = await startSwitchedReceiver(500);
  const witness = await subscribeTo(service, other.url);
  await storeFailed(service, witness, 1);
  await ended(service, (await resent(service, witness)).job);
  expect(receiver.deliveries).toHaveLength(2);
  receiver.letGo(200);
  expect(await ended(service, job)).toMatchObject({ status: 'DONE', total: 1, done: 1, failed: 0 });
  expect((await storedOf(service, key))[0]?.status).toBe('DELIVERED');
});

test('new notifications of a subscription are sent before those that are sent again', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const workers = await service.database.pool.connect();
  // Nothing can be claimed until both are there.
  await workers.query('begin');
  await workers.query('lock table flaghoist_system.delivery_worker in exclusive mode');
  await storeFailed(service, key, 400);
  const { job } = await resent(service, key);
  await expect
    .poll(() => countIn(service, `flaghoist_system.pending_notification where resend_job = ${job}`))
    .toBe(400);
  const { rows } = await workers.query(
    'select notification_key::int as key from flaghoist_system.pending_notification where subscription_key = $1 ' +
      'limit 1',
    [key],
  );
  expect(rows).toHaveLength(1);
  await service.database.pool.query(
    `with n as (select nextval('flaghoist.object_key') as key, flaghoist_system.utc_second() as created_date),
    b as (insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
      select key, created_date, '{}', '8-1 Voyage 1 C 1 2026-11-01T00:00:00.000000Z application/json' from n),
    p as (insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key)
      select key, created_date, $1 from n)
    insert into flaghoist_service.webhook_notification (key, created_date, id, subscription, "user", object_type,
      object_key, event_type,
      subscribed_object_key, occurred_at, content_type, status)
    select n.key, n.created_date, '8-1', s.key, s."user", 'Voyage', 1, 'C', 1, '2026-11-01', 'application/json',
      'PENDING'
    from n, flaghoist_service.webhook_subscription s where s.key = $1`,
    [key],
  );
  await workers.query('commit');
  workers.release();
  await ended(service, job);
  // Of hundreds that were there before it, only those that were claimed already can be ahead.
  expect(receiver.deliveries.findIndex(({ id }) => id === '8-1')).toBeLessThan(50);
});
