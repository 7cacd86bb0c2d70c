// Notifications that match a filter are sent again: what is selected, for whom, and what is rejected.

import { describe, expect, test } from 'vitest';
import { mistakesOf } from '../subscriptions/subscribe.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, type TestService, useTestService } from '../support/test-service.ts';
import { countIn, deactivate, ended, jobOf, storeFailed, subscribeTo, subscriptions } from './failed-notifications.ts';
import { startHooks } from './hooks.ts';
import { recordsOf, storeDelivered } from './replays.ts';
import { resendSettings } from './resend-jobs.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const log = '/ws/rest/WebhookNotification';
const nowhere = 'http://127.0.0.1:9/hook';

export interface Accepted {
  count: number;
  isEstimate: boolean;
  oldest: string | null;
  newest: string | null;
  resendJob: number | null;
}

function resend(service: TestService, body: unknown, headers?: Record<string, string>): Promise<Answer> {
  return service.post(`${log}/resend`, body, headers);
}

async function resent(service: TestService, filter: string[], by?: TestClient): Promise<Accepted> {
  const answer = await resend(service, { filter }, by?.headers);
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

async function counted(service: TestService, filter: string[], by?: TestClient): Promise<Accepted> {
  const answer = await resend(service, { filter, dryRun: true }, by?.headers);
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

function listed(service: TestService, filter: string[], by?: TestClient): Promise<Answer> {
  const query = filter.map((each) => `filter=${encodeURIComponent(each)}`).join('&');
  return service.get(`${log}?${query}`, by?.headers);
}

const none = { count: 0, isEstimate: false, oldest: null, newest: null, resendJob: null };

describe('a service that delivers', () => {
  const service = useTestService(resendSettings);

  test('what the list shows for a filter is what is counted and sent, over several subscriptions', async () => {
    const owner = await createClient(service, ['read', 'webhook']);
    const hooks = await startHooks();
    const [one, other] = [
      await subscribeTo(service, hooks.url, { name: 'Berth plan' }, owner),
      await subscribeTo(service, hooks.url, {}, owner),
    ];
    await storeDelivered(service, one, 2, { eventTime: '2026-11-01T00:00:00', objectKey: 71 });
    await storeDelivered(service, other, 3, { eventTime: '2026-11-03T00:00:00', objectKey: 72 });
    await storeFailed(service, one, 4, '2026-11-02T00:00:00');
    await storeFailed(service, other, 1, '2026-11-04T00:00:00');
    const filters: [filter: string[], count: number][] = [
      [['status(EQ)DELIVERED'], 5],
      [['status(EQ)FAILED'], 5],
      [['status(IN)(DELIVERED,FAILED)', 'eventTime(GTE)2026-11-02'], 8],
      [[`subscription(EQ)${one}`], 6],
      [['subscription.name(EQ)Berth plan', 'isFailed(EQ)true'], 4],
      [['objectKey(EQ)71', '(OR)', 'eventTime(EQ)2026-11-04'], 3],
      [['errorMessage(ILIKE)%FAILED%'], 5],
      [['objectType(EQ)Vessel'], 0],
    ];
    for (const [filter, count] of filters) {
      const shown = (await listed(service, filter, owner)).body;
      expect(shown).toHaveLength(count);
      const dry = await counted(service, filter, owner);
      expect(dry, filter.join()).toMatchObject({ count, isEstimate: false, resendJob: null });
      const times = shown.map(({ eventTime }: { eventTime: string }) => eventTime).sort();
      expect([dry.oldest, dry.newest]).toEqual([times[0] ?? null, times.at(-1) ?? null]);
    }
    expect(await countIn(service, `flaghoist_service.resend_job where "user" = ${owner.userKey}`)).toBe(0);

    const filter = ['objectKey(EQ)71', '(OR)', 'errorMessage(NOTNULL)'];
    const expected = (await listed(service, filter, owner)).body.map(({ id }: { id: string }) => id);
    const { count, resendJob } = await resent(service, filter, owner);
    expect(count).toBe(7);
    expect(await ended(service, resendJob)).toMatchObject({
      kind: 'REPLAY',
      status: 'DONE',
      user: { key: owner.userKey },
      subscription: null,
      filter,
      total: 7,
      done: 7,
      failed: 0,
    });
    expect(hooks.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(expected.sort());
    expect(new Set(hooks.received.map(({ headers }) => headers['flaghoist-replay']))).toEqual(
      new Set([String(resendJob)]),
    );
    // What had failed is delivered now, so that nothing is left of it.
    expect(await resent(service, ['status(EQ)FAILED'], owner)).toEqual(none);
  });

  test('a filter that matches nothing starts no job', async () => {
    const jobs = await countIn(service, 'flaghoist_service.resend_job');
    expect(await resent(service, ['objectKey(EQ)999999999'])).toEqual(none);
    expect(await countIn(service, 'flaghoist_service.resend_job')).toBe(jobs);
  });

  test('a mistake in a filter gets the error of the list; every other mistake says where it is', async () => {
    for (const wrong of [
      'state(EQ)FAILED',
      'status(IS)FAILED',
      'status(EQ)',
      'objectKey(EQ)x',
      'attemptLog(EQ)1',
      '',
    ]) {
      const [sent, shown] = [await resend(service, { filter: [wrong] }), await listed(service, [wrong])];
      expectErrorBody(sent, 400);
      expect(sent.headers.get('flaghoist-error')).toBe(shown.headers.get('flaghoist-error'));
      expect(sent.body.message).toBe(shown.body.message);
    }
    expectErrorBody(await resend(service, { filter: Array(101).fill('status(EQ)FAILED') }), 400);
    const mistakes = async (body: unknown) => {
      const answer = await resend(service, body);
      expectErrorBody(answer, 400);
      return mistakesOf(answer);
    };
    expect(await mistakes({})).toEqual(['filter: is required.']);
    expect(await mistakes({ filter: [] })).toEqual([
      'filter: is empty. To select everything, send ["status(IN)(DELIVERED,FAILED)"].',
    ]);
    expect(await mistakes({ filter: 'status(EQ)FAILED' })).toEqual([
      'filter: must be an array of filters, such as ["status(EQ)FAILED"].',
    ]);
    expect(await mistakes({ filter: ['status(EQ)FAILED', 7, null] })).toEqual([
      'filter[1]: must be text.',
      'filter[2]: must be text.',
    ]);
    expect(await mistakes({ filter: ['status(EQ)FAILED'], dryrun: true })).toHaveLength(1);
    expectErrorBody(await service.post(`${log}/1/resend`, { filter: ['status(EQ)FAILED'] }), 404);
    expectErrorBody(await service.get(`${log}/resend`), 405);
  });

  test('a caller sends own notifications, an administrator those of all users, as the list shows them', async () => {
    const [mine, theirs] = [
      await createClient(service, ['read', 'webhook']),
      await createClient(service, ['read', 'webhook']),
    ];
    const receiver = await startSwitchedReceiver();
    const keys = [
      await subscribeTo(service, receiver.url, { name: 'of two users' }, mine),
      await subscribeTo(service, receiver.url, { name: 'of two users' }, theirs),
    ];
    const [own] = await storeFailed(service, keys[0]!, 1);
    await storeFailed(service, keys[1]!, 1);
    const filter = ['subscription.name(EQ)of two users'];
    expect(await counted(service, filter, mine)).toMatchObject({ count: 1 });
    expect(await counted(service, filter)).toMatchObject({ count: 2 });
    expect(await counted(service, [...filter, `user(EQ)${theirs.userKey}`])).toMatchObject({ count: 1 });
    expect(await counted(service, [`user(EQ)${theirs.userKey}`], mine)).toEqual(none);

    const { resendJob } = await resent(service, filter, mine);
    expect(await ended(service, resendJob)).toMatchObject({ total: 1, done: 1 });
    expect(receiver.taken()).toEqual([own]);
    expectErrorBody(await service.get(`/ws/rest/ResendJob/${resendJob}`, theirs.headers), 404);

    const ofAll = await resent(service, filter);
    expect(await ended(service, ofAll.resendJob)).toMatchObject({ user: null, total: 2, done: 2 });
    for (const client of [mine, theirs])
      expectErrorBody(await service.get(`/ws/rest/ResendJob/${ofAll.resendJob}`, client.headers), 404);
    expect((await service.get('/ws/rest/ResendJob', mine.headers)).body).toHaveLength(1);
  });

  test('the scope webhook is needed', async () => {
    const readOnly = await createClient(service, ['read', 'write']);
    expectErrorBody(await resend(service, { filter: ['status(EQ)FAILED'] }, readOnly.headers), 403);
  });

  test('pending notifications and those of unsubscribed subscriptions are not sent; of deactivated ones they are', async () => {
    const owner = await createClient(service, ['read', 'webhook']);
    const receiver = await startSwitchedReceiver();
    const [gone, stopped] = [
      await subscribeTo(service, receiver.url, {}, owner),
      await subscribeTo(service, receiver.url, {}, owner),
    ];
    await storeFailed(service, gone, 2);
    const [kept, waiting] = await storeFailed(service, stopped, 2);
    await service.put(`${subscriptions}/${gone}`, { unsubscribed: true }, owner.headers);
    await deactivate(service, stopped);
    await service.database.pool.query(
      `update flaghoist_service.webhook_notification set status = 'PENDING' where id = $1`,
      [waiting],
    );
    const { count, resendJob } = await resent(service, ['status(IN)(PENDING,FAILED,DELIVERED)'], owner);
    expect(count).toBe(1);
    expect(await ended(service, resendJob)).toMatchObject({ total: 1, done: 1 });
    expect(receiver.taken()).toEqual([kept]);
    expect((await service.get(`${subscriptions}/${stopped}`)).body.state).toBe('DEACTIVATED');
  });

  test('one that no longer matches when its turn comes is not sent', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    await storeFailed(service, key, 3);
    // The other job sends everything first, or this one does: each notification is sent once.
    const filter = [`subscription(EQ)${key}`, 'status(EQ)FAILED'];
    const [one, other] = [await resent(service, filter), await resent(service, filter)];
    const jobs = [await ended(service, one.resendJob)];
    if (other.resendJob !== null) jobs.push(await ended(service, other.resendJob));
    expect(jobs.reduce((sum, { done }) => sum + done, 0)).toBe(3);
    expect(receiver.taken()).toHaveLength(3);
  });

  test('cancelled, what is not in flight stays as it was', async () => {
    const receiver = await startSwitchedReceiver(0);
    const key = await subscribeTo(service, receiver.url, { doNotUnsubscribe: true });
    await storeFailed(service, key, 700);
    await storeDelivered(service, key, 700);
    const { resendJob } = await resent(service, [`subscription(EQ)${key}`]);
    await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBeGreaterThan(0);
    const cancelled = await service.put(`/ws/rest/ResendJob/${resendJob}`, { cancelled: true });
    expect(cancelled.body).toMatchObject({ status: 'CANCELLED', total: 1_400, done: 0 });
    receiver.letGo(500);
    const progress = `flaghoist_system.resend_progress where job_key = ${resendJob}`;
    await expect.poll(() => countIn(service, progress), { timeout: 20_000 }).toBe(0);
    const statuses = (await recordsOf(service, key)).map(({ status }) => status);
    expect(statuses).toEqual([...Array(700).fill('FAILED'), ...Array(700).fill('DELIVERED')]);
    expect(await counted(service, [`subscription(EQ)${key}`])).toMatchObject({ count: 1_400 });
  }, 60_000);

  test('a repeat with the same Idempotency-Key gets the first answer and starts no other job', async () => {
    const key = await subscribeTo(service, nowhere);
    await storeDelivered(service, key, 1);
    const body = { filter: [`subscription(EQ)${key}`] };
    const headers = { 'idempotency-key': 'resend-filter-once' };
    const first = await resend(service, body, headers);
    const second = await resend(service, body, headers);
    expect([second.status, second.text]).toEqual([202, first.text]);
    expect((await jobOf(service, first.body.resendJob)).filter).toEqual(body.filter);
  });
});

describe('a service with the original wire names', () => {
  const service = useTestService({ ...resendSettings, FLAGHOIST_WIRE_NAMES: 'dataloy' });

  test('a filter means in the job what it means in the list', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    await storeDelivered(service, key, 1);
    const filter = ['subscription.eventType(EQ)C'];
    expect((await listed(service, filter)).body).toHaveLength(1);
    const { count, resendJob } = await resent(service, filter);
    expect(count).toBe(1);
    expect(await ended(service, resendJob)).toMatchObject({ status: 'DONE', done: 1 });
  });
});
