import { expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { holdTable } from '../support/held-lock.ts';
import { useTestService } from '../support/test-service.ts';
import {
  countIn,
  deactivate,
  ended,
  resend,
  resent,
  stateOf,
  storedOf,
  storeFailed,
  subscribeTo,
  subscriptions,
} from './failed-notifications.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const service = useTestService({
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2',
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
});

const mails = 'flaghoist_system.outgoing_mail';

async function mistakes(subscription: number | undefined, body: object): Promise<string[]> {
  const answer = await resend(service, subscription, body);
  expectErrorBody(answer, 400);
  return answer.body.violations.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`);
}

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
    expect(delivered.map(({ attempts }, index) => attempts - failed[index]!.attempts)).toEqual([1, 1, 1]);
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

test(
  'an unsubscribed subscription is a 409, one of another ' + 'user a 404, and an older version lacks the action',
  async () => {
    const [owner, other] = [
      await createClient(service, ['read', 'webhook']),
      await createClient(service, ['read', 'webhook']),
    ];
    const key = await subscribeTo(service, 'http://127.0.0.1:9/hook', {}, owner);
    await storeFailed(service, key, 1);
    expectErrorBody(await resend(service, key, {}, other.headers), 404);
    expectErrorBody(await resend(service, 999_999_999), 404);
    expectErrorBody(await resend(service, key, {}, { ...owner.headers, 'api-version': '3.9' }), 400);
    expectErrorBody(await resend(service, undefined, {}, { ...owner.headers, 'api-version': '3.9' }), 400);
    expect((await resend(service, key, { dryRun: true }, { ...owner.headers, 'api-version': '3.16' })).body.total).toBe(
      1,
    );
    await service.put(`${subscriptions}/${key}`, { unsubscribed: true }, owner.headers);
    const refused = await resend(service, key, {}, owner.headers);
    expectErrorBody(refused, 409);
    expect(refused.body.message).toBe('The subscription is unsubscribed: nothing more is sent. Create a new one.');
    const readOnly = await createClient(service, ['read']);
    expectErrorBody(await resend(service, key, {}, readOnly.headers), 403);
  },
);

test('a dry run tells how many, and stores and sends nothing', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeFailed(service, key, 5);
  const jobs = await countIn(service, 'flaghoist_service.resend_job');
  expect(await resent(service, key, { dryRun: true })).toEqual({ total: 5, job: null, jobSelf: null });
  expect(await countIn(service, 'flaghoist_service.resend_job')).toBe(jobs);
  expect((await storedOf(service, key)).every(({ status }) => status === 'FAILED')).toBe(true);
  const { job } = await resent(service, key);
  await ended(service, job);
  expect(receiver.deliveries).toHaveLength(5);
});

test('a time window takes what happened from its beginning on and before its end', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const times = ['2026-11-01T00:00:00', '2026-11-02T00:00:00', '2026-11-03T00:00:00', '2026-11-04T00:00:00'];
  const ids: string[] = [];
  for (const time of times) ids.push(...(await storeFailed(service, key, 1, time)));
  const count = async (window: object) => (await resent(service, key, { ...window, dryRun: true })).total;
  expect(await count({ from: times[1] })).toBe(3);
  expect(await count({ to: times[1] })).toBe(1);
  expect(await count({ from: times[1], to: times[1] })).toBe(0);
  const { total, job } = await resent(service, key, { from: times[1], to: times[3] });
  expect(total).toBe(2);
  expect(await count({})).toBe(2);
  expect(await ended(service, job)).toMatchObject({ total: 2, done: 2, from: times[1], to: times[3] });
  expect(receiver.taken().sort()).toEqual([ids[1], ids[2]].sort());
  expect(await count({})).toBe(2);
});

test('a window that nothing falls into for a long time is walked through', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeFailed(service, key, 2_000);
  const [id] = await storeFailed(service, key, 1, '2026-11-09T00:00:00');
  const { total, job } = await resent(service, key, { from: '2026-11-09T00:00:00' });
  expect(total).toBe(1);
  expect(await ended(service, job)).toMatchObject({ total: 1, done: 1 });
  expect(receiver.taken()).toEqual([id]);
});

test('chosen notifications are sent, and no others', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeFailed(service, key, 5);
  const all = await storedOf(service, key);
  const chosen = [all[3]!, all[1]!];
  const keys = chosen.map((each) => each.key);
  const { total, job } = await resent(service, key, { notifications: [...keys, keys[0]] });
  expect(total).toBe(2);
  expect((await ended(service, job)).notifications).toEqual([...keys, keys[0]]);
  expect(receiver.taken().sort()).toEqual(chosen.map(({ id }) => id).sort());
  // One that was delivered is known, and there is nothing to do about it.
  expect(await resent(service, key, { notifications: keys })).toEqual({ total: 0, job: null, jobSelf: null });
  expect((await resent(service, key, { notifications: [], dryRun: true })).total).toBe(0);
  expect((await resent(service, key, { notifications: null, dryRun: true })).total).toBe(3);
});

test('every mistake in what is asked for is a 400 that says where', async () => {
  const client = await createClient(service, ['read', 'webhook']);
  const [mine, theirs] = [
    await subscribeTo(service, 'http://127.0.0.1:9/hook'),
    await subscribeTo(service, 'http://127.0.0.1:9/hook', {}, client),
  ];
  await storeFailed(service, mine, 1);
  await storeFailed(service, theirs, 1);
  const [[own], [other]] = [await storedOf(service, mine), await storedOf(service, theirs)];
  expect(await mistakes(mine, { notifications: 7 })).toEqual(['notifications: must be an array of keys.']);
  expect(await mistakes(mine, { notifications: [own!.key, '7', 1.5, null, -1] })).toEqual(
    [1, 2, 3, 4].map((index) => `notifications[${index}]: must be a key, a positive integer.`),
  );
  expect(await mistakes(mine, { notifications: [own!.key, other!.key, 999_999_999] })).toEqual([
    `notifications[1]: there is no WebhookNotification with key ${other!.key} of this subscription.`,
    'notifications[2]: there is no WebhookNotification with key 999999999 of this subscription.',
  ]);
  expect(await mistakes(undefined, { notifications: [other!.key] })).toEqual([
    `notifications[0]: there is no WebhookNotification with key ${other!.key}.`,
  ]);
  expect(await mistakes(mine, { notifications: Array(1_001).fill(own!.key) })).toEqual([
    'notifications: may have at most 1000 keys; this has 1001.',
  ]);
  expect(await mistakes(mine, { from: '2026-11-02T00:00:00', to: '2026-11-01T00:00:00' })).toEqual([
    'from: is after `to` (2026-11-01T00:00:00).',
  ]);
  expect(await mistakes(mine, { from: 'yesterday' })).toHaveLength(1);
  expect(await mistakes(mine, { dryRun: 'yes' })).toEqual(['dryRun: must be true or false, not text.']);
  expect(await mistakes(mine, { notification: [1] })).toHaveLength(1);
});

test("without a key it is about all subscriptions of the caller's own user that are not unsubscribed", async () => {
  const [client, other] = [
    await createClient(service, ['read', 'webhook', 'admin']),
    await createClient(service, ['read', 'webhook']),
  ];
  const receiver = await startSwitchedReceiver();
  const [active, deactivated, gone] = [
    await subscribeTo(service, receiver.url, {}, client),
    await subscribeTo(service, receiver.url, {}, client),
    await subscribeTo(service, receiver.url, {}, client),
  ];
  const theirs = await subscribeTo(service, receiver.url, {}, other);
  const ids = [...(await storeFailed(service, active, 3)), ...(await storeFailed(service, deactivated, 2))];
  await storeFailed(service, gone, 1);
  await storeFailed(service, theirs, 1);
  await deactivate(service, deactivated);
  await service.put(`${subscriptions}/${gone}`, { unsubscribed: true }, client.headers);
  const { total, job } = await resent(service, undefined, {}, client);
  expect(total).toBe(5);
  expect(await ended(service, job)).toMatchObject({ total: 5, done: 5, subscription: null });
  expect(receiver.taken().sort()).toEqual(ids.sort());
  expect((await storedOf(service, gone, theirs)).map(({ status }) => status)).toEqual(['FAILED', 'FAILED']);
});

test('a repeat with the same Idempotency-Key gets the first answer, and nothing is sent again', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeFailed(service, key, 2);
  const headers = { 'idempotency-key': 'resend-once' };
  const first = await resend(service, key, {}, headers);
  await ended(service, first.body.job);
  await storeFailed(service, key, 1);
  const second = await resend(service, key, {}, headers);
  expect([second.status, second.text]).toEqual([202, first.text]);
  expectErrorBody(await resend(service, key, { dryRun: true }, headers), 422);
  expect(receiver.deliveries).toHaveLength(2);
});
