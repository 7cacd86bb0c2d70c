// Requests to replay notifications: what they select, what is sent, and what becomes of the records.

import { expect, test } from 'vitest';
import { mistakesOf } from '../subscriptions/subscribe.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { useTestService } from '../support/test-service.ts';
import {
  countIn,
  deactivate,
  ended,
  jobOf,
  resent,
  stateOf,
  storeFailed,
  subscribeTo,
  subscriptions,
} from './failed-notifications.ts';
import { createVoyage, notificationsOf, settled, startHooks } from './hooks.ts';
import { keyIn, recordsOf, replay, replayed, storeDelivered } from './replays.ts';
import { resendSettings } from './resend-jobs.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const service = useTestService(resendSettings);
const nowhere = 'http://127.0.0.1:9/hook';

test('a delivered notification is sent again with the same id and bytes, and with the key of the job', async () => {
  const hooks = await startHooks();
  const key = await subscribeTo(service, hooks.url);
  await createVoyage(service);
  const [before] = await settled(service, { key }, ['DELIVERED']);
  const { total, job, jobSelf } = await replayed(service, key);
  expect({ total, jobSelf }).toEqual({ total: 1, jobSelf: `${service.url()}/ws/rest/ResendJob/${job}` });
  expect(await ended(service, job)).toMatchObject({
    kind: 'REPLAY',
    subscription: { key },
    status: 'DONE',
    total: 1,
    done: 1,
    failed: 0,
    objectKey: null,
    notificationStatus: null,
  });
  const [first, second] = hooks.received;
  expect(hooks.received).toHaveLength(2);
  expect(second!.body).toBe(first!.body);
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(first!.headers).not.toHaveProperty('flaghoist-replay');
  expect(second!.headers['flaghoist-replay']).toBe(String(job));
  const [after] = await notificationsOf(service, { key });
  expect(after).toMatchObject({ status: 'DELIVERED', deliveryDate: before.deliveryDate, attempts: 2 });
  expect(after.attemptLog.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual([200, 200]);
});

test('a failed notification is replayed like a resend, with the header; a resend has no such header', async () => {
  const hooks = await startHooks();
  const key = await subscribeTo(service, hooks.url);
  const [one] = await storeFailed(service, key, 1);
  const { job } = await replayed(service, key, { status: 'FAILED' });
  expect(await ended(service, job)).toMatchObject({ done: 1, notificationStatus: 'FAILED' });
  const [other] = await storeFailed(service, key, 1);
  await ended(service, (await resent(service, key)).job);
  expect(hooks.received.map(({ headers }) => [headers['webhook-id'], headers['flaghoist-replay']])).toEqual([
    [one, String(job)],
    [other, undefined],
  ]);
  expect(await recordsOf(service, key)).toMatchObject([{ status: 'DELIVERED' }, { status: 'DELIVERED' }]);
  expect((await resent(service, key, { dryRun: true })).total).toBe(0);
});

test('what is selected by time, keys, object and status is sent, and nothing else', async () => {
  // What has failed fails again, so that each selection finds the same.
  const hooks = await startHooks((response, { headers }) =>
    response.writeHead(headers['webhook-id'] === failed ? 500 : 200).end(),
  );
  const key = await subscribeTo(service, hooks.url, { doNotUnsubscribe: true });
  const [early] = await storeDelivered(service, key, 1, { eventTime: '2020-11-01T00:00:00', objectKey: 71 });
  const [late] = await storeDelivered(service, key, 1, { eventTime: '2020-11-03T00:00:00', subscribedObjectKey: 71 });
  const [other] = await storeDelivered(service, key, 1, { eventTime: '2020-11-03T00:00:00', objectKey: 72 });
  const [failed] = await storeFailed(service, key, 1, '2020-11-02T00:00:00');
  const selections: [selection: object, ids: (string | undefined)[]][] = [
    [{ from: '2020-11-02T00:00:00' }, [late, other, failed]],
    [{ from: '2020-11-01T00:00:00', to: '2020-11-03T00:00:00' }, [early, failed]],
    [{ from: '2020-11-03T00:00:00', to: '2020-11-03T00:00:00' }, []],
    [{ objectKey: 71 }, [early, late]],
    [{ objectKey: 71, to: '2020-11-02T00:00:00' }, [early]],
    [{ objectKey: 999_999_999 }, []],
    [{ status: 'DELIVERED' }, [early, late, other]],
    [{ status: ['FAILED'] }, [failed]],
    [{ status: ['DELIVERED', 'FAILED'] }, [early, late, other, failed]],
    [{ status: null, objectKey: null, from: null, notifications: null }, [early, late, other, failed]],
    [{ notifications: [keyIn(late!), keyIn(early!), keyIn(late!)] }, [early, late]],
    [{ notifications: [keyIn(failed!)], status: 'DELIVERED' }, []],
    [{ notifications: [] }, []],
  ];
  for (const [selection, ids] of selections)
    expect((await replayed(service, key, { ...selection, dryRun: true })).total, JSON.stringify(selection)).toBe(
      ids.length,
    );
  for (const [selection, ids] of selections) {
    hooks.received.length = 0;
    const { total, job } = await replayed(service, key, selection);
    expect(total).toBe(ids.length);
    if (job !== null) expect(await ended(service, job)).toMatchObject({ status: 'DONE', total });
    const sent = new Set(hooks.received.map(({ headers }) => headers['webhook-id']));
    expect(sent, JSON.stringify(selection)).toEqual(new Set(ids));
  }
});

test('a dry run counts, and stores and sends nothing; nothing to replay is no job', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const jobs = await countIn(service, 'flaghoist_service.resend_job');
  expect(await replayed(service, key)).toEqual({ total: 0, job: null, jobSelf: null });
  await storeDelivered(service, key, 3);
  await storeFailed(service, key, 2);
  expect(await replayed(service, key, { dryRun: true })).toEqual({ total: 5, job: null, jobSelf: null });
  expect(await countIn(service, 'flaghoist_service.resend_job')).toBe(jobs);
  expect(await countIn(service, `flaghoist_system.pending_notification where subscription_key = ${key}`)).toBe(0);
  expect(receiver.deliveries).toEqual([]);
});

test('a failed replay leaves a delivered notification delivered, and its subscription active', async () => {
  const receiver = await startSwitchedReceiver(409);
  const key = await subscribeTo(service, receiver.url);
  await storeDelivered(service, key, 2);
  const before = await recordsOf(service, key);
  const { job } = await replayed(service, key);
  expect(await ended(service, job)).toMatchObject({ status: 'DONE', total: 2, done: 0, failed: 2 });
  expect(receiver.deliveries).toHaveLength(4);
  expect(await recordsOf(service, key)).toEqual(before.map((each) => ({ ...each, attempts: 3 })));
  const [one] = await notificationsOf(service, { key });
  expect(one.attemptLog.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual([409, 409]);
  expect(await stateOf(service, key)).toBe('ACTIVE');
  expect((await resent(service, key, { dryRun: true })).total).toBe(0);
  receiver.letGo(200);
  await createVoyage(service);
  await expect.poll(() => receiver.taken().length, { timeout: 5_000 }).toBe(1);
});

test('while it waits for its next attempt, a replayed notification shows when that is due', async () => {
  const receiver = await startSwitchedReceiver(500);
  const key = await subscribeTo(service, receiver.url);
  await storeDelivered(service, key, 1);
  await service.database.pool.query(
    `create function slow_retry() returns trigger language plpgsql as $$ begin
      new.due_at := now() + interval '1 hour'; return new; end $$;
    create trigger slow_retry before update on flaghoist_system.pending_notification for each row
      when (new.subscription_key = ${key} and new.due_at is not null) execute function slow_retry()`,
  );
  const { job } = await replayed(service, key);
  await expect.poll(async () => (await recordsOf(service, key))[0]!.attempts, { timeout: 5_000 }).toBe(2);
  expect((await recordsOf(service, key))[0]).toMatchObject({
    status: 'DELIVERED',
    errorMessage: null,
    nextAttemptDate: expect.any(String),
  });
  expect((await service.put(`/ws/rest/ResendJob/${job}`, { cancelled: true })).status).toBe(200);
  expect((await recordsOf(service, key))[0]).toMatchObject({ status: 'DELIVERED', nextAttemptDate: null });
  await service.database.pool.query('drop trigger slow_retry on flaghoist_system.pending_notification');
});

test('a failed notification that fails again in a replay deactivates its subscription, as in a resend', async () => {
  const receiver = await startSwitchedReceiver(500);
  const key = await subscribeTo(service, receiver.url);
  await storeFailed(service, key, 1);
  const { job } = await replayed(service, key);
  expect(await ended(service, job)).toMatchObject({ done: 0, failed: 1 });
  expect(await recordsOf(service, key)).toMatchObject([{ status: 'FAILED', attempts: 4 }]);
  expect(await stateOf(service, key)).toBe('DEACTIVATED');
  expect((await resent(service, key, { dryRun: true })).total).toBe(1);
});

test('a deactivated subscription is sent replays and stays deactivated', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const ids = [...(await storeDelivered(service, key, 2)), ...(await storeFailed(service, key, 2))];
  await deactivate(service, key);
  const { job } = await replayed(service, key);
  expect(await ended(service, job)).toMatchObject({ total: 4, done: 4 });
  expect(receiver.taken().sort()).toEqual(ids.sort());
  expect(await stateOf(service, key)).toBe('DEACTIVATED');
});

test('what counts as failed, because its subscription was just deactivated, is replayed too', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const [id] = await storeFailed(service, key, 1);
  await deactivate(service, key);
  await service.database.pool.query(
    `with noted as (insert into flaghoist_system.ended_subscription values ($1, 'The subscription is deactivated.')),
    moved as (delete from flaghoist_system.resendable_notification where subscription_key = $1 returning *),
    recorded as (update flaghoist_service.webhook_notification set status = 'PENDING' where subscription = $1)
    insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at)
    select notification_key, created_date, subscription_key, 'infinity' from moved`,
    [key],
  );
  const { total, job } = await replayed(service, key, { status: 'FAILED' });
  expect(total).toBe(1);
  expect(await ended(service, job)).toMatchObject({ status: 'DONE', done: 1 });
  expect(receiver.taken()).toEqual([id]);
});

test('an unsubscribed subscription is a 409, one of another user a 404, and without the scope a 403', async () => {
  const [owner, other, reader] = [
    await createClient(service, ['read', 'webhook']),
    await createClient(service, ['read', 'webhook']),
    await createClient(service, ['read']),
  ];
  const key = await subscribeTo(service, nowhere, {}, owner);
  await storeDelivered(service, key, 1);
  expectErrorBody(await replay(service, key, {}, other.headers), 404);
  expectErrorBody(await replay(service, key, { dryRun: true }, other.headers), 404);
  expectErrorBody(await replay(service, 999_999_999), 404);
  expectErrorBody(await replay(service, key, {}, reader.headers), 403);
  expect((await replay(service, key, { dryRun: true })).body.total).toBe(1);
  // Not one of the actions that came with a version.
  const old = { ...owner.headers, 'api-version': '3.3' };
  expect((await replay(service, key, { dryRun: true }, old)).body.total).toBe(1);
  await service.put(`${subscriptions}/${key}`, { unsubscribed: true }, owner.headers);
  for (const body of [{}, { dryRun: true }]) {
    const rejected = await replay(service, key, body, owner.headers);
    expectErrorBody(rejected, 409);
    expect(rejected.body.message).toBe('The subscription is unsubscribed: nothing more is sent. Create a new one.');
  }
});

test('every mistake in a request is a 400 that says where', async () => {
  const [mine, another] = [await subscribeTo(service, nowhere), await subscribeTo(service, nowhere)];
  const [own] = await storeDelivered(service, mine, 1);
  const [foreign] = await storeDelivered(service, another, 1);
  const mistakes = async (body: object) => {
    const answer = await replay(service, mine, body);
    expectErrorBody(answer, 400);
    return mistakesOf(answer);
  };
  const status = 'status: must be "DELIVERED" or "FAILED", or an array of them.';
  for (const wrong of ['PENDING', 'delivered', '', 7, true, [], ['FAILED', 'PENDING'], [['FAILED']], {}])
    expect(await mistakes({ status: wrong })).toEqual([status]);
  expect(await mistakes({ notifications: [keyIn(own!), keyIn(foreign!)] })).toEqual([
    `notifications[1]: there is no WebhookNotification with key ${keyIn(foreign!)} of this subscription.`,
  ]);
  expect(await mistakes({ from: '2020-11-02T00:00:00', to: '2020-11-01T00:00:00', status: 'X' })).toEqual([
    'from: is after `to` (2020-11-01T00:00:00).',
    status,
  ]);
  expect(await mistakes({ notifications: 7 })).toEqual(['notifications: must be an array of keys.']);
  for (const wrong of ['x', 1.5, 0, -1, [1]]) expect((await mistakes({ objectKey: wrong }))[0]).toMatch(/^objectKey: /);
  expect((await mistakes({ objectkey: 1 }))[0]).toMatch(/^objectkey: is unknown: replay does not take it\..*objectKey/);
  expectErrorBody(await replay(service, mine, [] as object), 400);
  expectErrorBody(await service.post(`${subscriptions}/replay`, {}), 405);
});

test('a repeat with the same Idempotency-Key gets the first response, and nothing more is sent', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeDelivered(service, key, 2);
  const headers = { authorization: `Bearer ${service.token()}`, 'idempotency-key': 'replay-once' };
  const first = await replay(service, key, {}, headers);
  await ended(service, first.body.job);
  expect((await replay(service, key, {}, headers)).body).toEqual(first.body);
  expect(receiver.deliveries).toHaveLength(2);
});

test('unsubscribing ends it: what was delivered stays delivered', async () => {
  const receiver = await startSwitchedReceiver(0);
  const key = await subscribeTo(service, receiver.url);
  await storeDelivered(service, key, 1_200);
  const { job } = await replayed(service, key);
  await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBeGreaterThan(0);
  expect((await service.put(`${subscriptions}/${key}`, { unsubscribed: true })).status).toBe(200);
  expect(await ended(service, job)).toMatchObject({ status: 'CANCELLED', total: 1_200, done: 0, cancelled: false });
  receiver.letGo(500);
  await expect.poll(() => countIn(service, 'flaghoist_system.resend_progress'), { timeout: 10_000 }).toBe(0);
  expect(await countIn(service, `flaghoist_system.pending_notification where subscription_key = ${key}`)).toBe(0);
  expect(await countIn(service, `flaghoist_system.resendable_notification where subscription_key = ${key}`)).toBe(0);
  const stored = await recordsOf(service, key);
  expect(new Set(stored.map(({ status, errorMessage }) => `${status} ${errorMessage}`))).toEqual(
    new Set(['DELIVERED null']),
  );
  expect((await jobOf(service, job)).failed).toBeGreaterThan(0);
});

test('the description has the request and the header in every version', async () => {
  for (const version of ['3.3', '6.44']) {
    const { paths, components } = (await service.get(`/openapi.json?version=${version}`)).body;
    const { post } = paths['/ws/rest/WebhookSubscription/{key}/replay'];
    expect(Object.keys(post.responses)).toContain('202');
    const replayHeader = components.pathItems.notification.post.parameters.find(
      ({ name }: { name: string }) => name === 'flaghoist-replay',
    );
    expect(replayHeader.required).toBe(false);
  }
});
