// Requests to resend failed notifications: what they select, what is rejected, and what a dry run tells.

import { expect, test } from 'vitest';
import { mistakesOf } from '../subscriptions/subscribe.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { useTestService } from '../support/test-service.ts';
import {
  countIn,
  deactivate,
  ended,
  resend,
  resent,
  storedOf,
  storeFailed,
  subscribeTo,
  subscriptions,
} from './failed-notifications.ts';
import { resendSettings } from './resend-jobs.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const service = useTestService(resendSettings);

async function mistakes(subscription: number | undefined, body: object): Promise<string[]> {
  const answer = await resend(service, subscription, body);
  expectErrorBody(answer, 400);
  return mistakesOf(answer);
}

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
