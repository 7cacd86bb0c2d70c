import { describe, expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { matched } from '../match/heard.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, type TestService, useTestService } from '../support/test-service.ts';
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
import { openStream } from './stream-client.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };

async function replace(service: TestService, url: string, replaces: number): Promise<{ key: number; job: number }> {
  const key = await subscribeTo(service, url, { replaces });
  const jobs = await service.get(`/ws/rest/ResendJob?filter=subscription.key(EQ)${key}`);
  expect(jobs.body).toHaveLength(1);
  return { key, job: jobs.body[0].key };
}

async function makeVoyage(service: TestService): Promise<number> {
  const answer = await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.key;
}

function mistakesOf(answer: Answer): string[] {
  expectErrorBody(answer, 400);
  return answer.body.violations.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`);
}

describe('a service that delivers', () => {
  const service = useTestService(settings);

  test(
    'what a deactivated subscription failed to deliver, and has ' + 'collected since, goes to the one that replaces it',
    async () => {
      const [dead, alive] = [await startSwitchedReceiver(500), await startSwitchedReceiver()];
      const old = await subscribeTo(service, dead.url);
      for (let count = 0; count < 3; count += 1) await makeVoyage(service);
      await expect.poll(() => stateOf(service, old), { timeout: 10_000 }).toBe('DEACTIVATED');
      await makeVoyage(service);
      await matched(service);
      await expect
        .poll(async () => (await storedOf(service, old)).map(({ status }) => status), { timeout: 5_000 })
        .toEqual(Array(4).fill('FAILED'));
      const failed = await storedOf(service, old);
      const sentBefore = dead.deliveries.length;

      const answer = await service.post(subscriptions, { eventType: 'Voyage.C', url: alive.url, replaces: old });
      expect(answer.status, answer.text).toBe(201);
      const { key, replaces, state } = answer.body;
      expect([replaces, state]).toEqual([old, 'ACTIVE']);
      expect((await service.get(`${subscriptions}/${old}`)).body).toMatchObject({
        state: 'UNSUBSCRIBED',
        unsubscribed: true,
        stateReason: `Replaced by ${key}.`,
      });
      const [job] = (await service.get(`/ws/rest/ResendJob?filter=replacedSubscription.key(EQ)${old}`)).body;
      expect(await ended(service, job.key)).toMatchObject({
        status: 'DONE',
        total: 4,
        done: 4,
        failed: 0,
        subscription: { key },
        replacedSubscription: { key: old },
      });
      expect(alive.taken().sort()).toEqual(failed.map(({ id }) => id).sort());
      for (const { id, body } of alive.deliveries) expect(body).toBe(failed.find((each) => each.id === id)!.body);
      expect((await storedOf(service, key)).map(({ key: of, status }) => [of, status])).toEqual(
        failed.map((each) => [each.key, 'DELIVERED']),
      );
      expect(await storedOf(service, old)).toEqual([]);
      expect(dead.deliveries).toHaveLength(sentBefore);
      expectErrorBody(await resend(service, old), 409);

      await makeVoyage(service);
      await expect.poll(() => alive.deliveries.length, { timeout: 5_000 }).toBe(5);
      expect((await service.put(`${subscriptions}/${key}`, { replaces: old, webhookUsername: 'me' })).status).toBe(200);
      expect(mistakesOf(await service.put(`${subscriptions}/${key}`, { replaces: key }))).toHaveLength(1);
    },
  );

  test('a new one that fails too is deactivated as usual, and whatever replaces it gets everything', async () => {
    const [dead, alive] = [await startSwitchedReceiver(500), await startSwitchedReceiver()];
    const old = await subscribeTo(service, dead.url);
    const ids = await storeFailed(service, old, 5);
    await deactivate(service, old);
    const second = await replace(service, dead.url, old);
    expect(await ended(service, second.job)).toMatchObject({ status: 'DONE', total: 5, done: 0, failed: 5 });
    await expect.poll(() => stateOf(service, second.key), { timeout: 5_000 }).toBe('DEACTIVATED');
    const third = await replace(service, alive.url, second.key);
    expect(await ended(service, third.job)).toMatchObject({ status: 'DONE', total: 5, done: 5 });
    expect(alive.deliveries.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  test('cancelled, the rest is failed at the new one, where it can be sent again', async () => {
    const receiver = await startSwitchedReceiver(0);
    const old = await subscribeTo(service, receiver.url);
    const ids = await storeFailed(service, old, 2_500);
    await deactivate(service, old);
    const { key, job } = await replace(service, receiver.url, old);
    await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect((await service.put(`/ws/rest/ResendJob/${job}`, { cancelled: true })).status).toBe(200);
    receiver.letGo(500);
    await service.put(`${subscriptions}/${key}`, { doNotUnsubscribe: true });
    await expect.poll(() => countIn(service, 'flaghoist_system.resend_progress'), { timeout: 20_000 }).toBe(0);
    expect(await storedOf(service, old)).toEqual([]);
    receiver.letGo(200);
    const again = await resent(service, key);
    expect(again.total).toBe(ids.length);
    expect(await ended(service, again.job, 30_000)).toMatchObject({ done: ids.length, failed: 0 });
    expect(new Set(receiver.taken())).toEqual(new Set(ids));
  }, 60_000);

  test('an active one is replaced with other event types: what waits for a retry goes to the new one, as it is', async () => {
    const [failing, alive] = [await startSwitchedReceiver(500), await startSwitchedReceiver()];
    const retryPolicy = { attempts: 5, intervalSeconds: 3600 };
    const old = await subscribeTo(service, failing.url, { retryPolicy });
    for (let count = 0; count < 3; count += 1) await makeVoyage(service);
    await expect.poll(() => failing.deliveries.length, { timeout: 10_000 }).toBe(3);
    const waiting = await storedOf(service, old);
    const answer = await service.post(subscriptions, {
      eventTypes: ['Voyage.C', 'Vessel.C'],
      url: alive.url,
      replaces: old,
    });
    expect(answer.status, answer.text).toBe(201);
    // The receiver knows the secret of the old one.
    expect(answer.body).not.toHaveProperty('signingSecret');
    const { key } = answer.body;
    expect((await service.get(`${subscriptions}/${old}`)).body).toMatchObject({
      state: 'UNSUBSCRIBED',
      stateReason: `Replaced by ${key}.`,
    });
    const [job] = (await service.get(`/ws/rest/ResendJob?filter=replacedSubscription.key(EQ)${old}`)).body;
    expect(await ended(service, job.key)).toMatchObject({ status: 'DONE', total: 3, done: 3, failed: 0 });
    expect(alive.taken().sort()).toEqual(waiting.map(({ id }) => id).sort());
    for (const { id, body } of alive.deliveries) expect(body).toBe(waiting.find((each) => each.id === id)!.body);
    await makeVoyage(service);
    expect((await service.post('/ws/rest/Vessel', { vesselName: 'New' })).status).toBe(201);
    await expect.poll(() => alive.deliveries.length, { timeout: 5_000 }).toBe(5);
    expect(failing.deliveries).toHaveLength(3);
  });

  test('an active stream is replaced: what no consumer has acknowledged goes to the new one, also over HTTP', async () => {
    const channelInfo = { channelType: 'STREAM' };
    const old = await subscribeTo(service, undefined, { channelInfo });
    for (let count = 0; count < 3; count += 1) await makeVoyage(service);
    const stream = await openStream(service, old, { query: '?limit=2' });
    const leased = await stream.reach(2);
    const second = await subscribeTo(service, undefined, { channelInfo, onlyMainObject: true, replaces: old });
    await expect.poll(() => stream.isEnded(), { timeout: 5_000 }).toBe(true);
    const next = await openStream(service, second);
    const ids = (await next.reach(3)).map(({ headers }) => headers['webhook-id']!);
    expect(ids).toEqual(expect.arrayContaining(leased.map(({ headers }) => headers['webhook-id'])));
    next.cut();
    const receiver = await startSwitchedReceiver();
    await subscribeTo(service, receiver.url, { replaces: second });
    await expect.poll(() => receiver.taken().sort(), { timeout: 10_000 }).toEqual(ids.sort());
  });

  test('a repeat with the same Idempotency-Key replaces nothing a second time', async () => {
    const old = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    await deactivate(service, old);
    const body = { eventType: 'Voyage.C', url: 'http://127.0.0.1:9/hook', replaces: old };
    const headers = { 'idempotency-key': 'replace-once' };
    const first = await service.post(subscriptions, body, headers);
    const second = await service.post(subscriptions, body, headers);
    expect([first.status, second.status, second.body.key]).toEqual([201, 201, first.body.key]);
    expect(await countIn(service, `flaghoist_service.resend_job where replaced_subscription = ${old}`)).toBe(1);
  });

  test('of two that replace the same at once, one does and the other is refused', async () => {
    const old = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    await deactivate(service, old);
    const body = { eventType: 'Voyage.C', url: 'http://127.0.0.1:9/hook', replaces: old };
    const answers = await Promise.all([1, 2, 3].map(() => service.post(subscriptions, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });
});

describe('a service that takes requests only', () => {
  const service = useTestService({ ...settings, FLAGHOIST_ROLES: 'api' });
  const deliver = () => startBeside(service.database, { ...settings, FLAGHOIST_ROLES: 'worker' });

  test(
    'a change that was committed and not yet matched is told to ' +
      'the new one, once; one before the old one to nobody',
    async () => {
      const receiver = await startSwitchedReceiver();
      await makeVoyage(service);
      const old = await subscribeTo(service, 'http://127.0.0.1:9/hook');
      const before = await makeVoyage(service);
      await deactivate(service, old);
      const between = await makeVoyage(service);
      const { key, job } = await replace(service, receiver.url, old);
      const after = await makeVoyage(service);
      await deliver();
      await matched(service);
      await expect.poll(() => receiver.deliveries.length, { timeout: 10_000 }).toBe(3);
      expect(receiver.deliveries.map(({ body }) => JSON.parse(body).serviceObject).sort()).toEqual(
        [before, between, after].sort(),
      );
      expect(await ended(service, job)).toMatchObject({ status: 'DONE', total: 0, done: 0 });
      expect(await storedOf(service, old)).toEqual([]);
      expect((await storedOf(service, key)).map(({ status }) => status)).toEqual(Array(3).fill('DELIVERED'));
    },
  );

  test('changes that were not matched yet are matched with the event types of the new one, once', async () => {
    const receiver = await startSwitchedReceiver();
    const vessel = async (vesselName: string) => (await service.post('/ws/rest/Vessel', { vesselName })).body.key;
    await vessel('before');
    const old = await subscribeTo(service, 'http://127.0.0.1:9/hook', {
      eventType: undefined,
      eventTypes: ['Voyage.C', 'Vessel.C'],
    });
    const [dropped, kept] = [await makeVoyage(service), await vessel('between')];
    await subscribeTo(service, receiver.url, { eventType: undefined, eventTypes: ['Vessel.*'], replaces: old });
    const after = await vessel('after');
    await deliver();
    await matched(service);
    await expect.poll(() => receiver.deliveries.length, { timeout: 10_000 }).toBe(2);
    const keys = receiver.deliveries.map(({ body }) => JSON.parse(body).serviceObject);
    expect(keys.sort()).toEqual([kept, after].sort());
    expect(keys).not.toContain(dropped);
    expect(await storedOf(service, old)).toEqual([]);
  });

  test('what was still pending of the old one, also of a resend, arrives at the new one, once', async () => {
    const receiver = await startSwitchedReceiver();
    const old = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    const ids = await storeFailed(service, old, 2_500);
    await deactivate(service, old);
    const { job: first } = await resent(service, old);
    // 1,500 pending of the deactivation, 300 of the resend, 700 failed.
    await service.database.pool.query(
      `with chosen as (select notification_key, created_date, row_number() over (order by notification_key) as no
        from flaghoist_system.resendable_notification where subscription_key = $1 order by notification_key limit 1800),
      gone as (delete from flaghoist_system.resendable_notification f using chosen
        where f.notification_key = chosen.notification_key),
      recorded as (update flaghoist_service.webhook_notification n set status = 'PENDING' from chosen
        where n.key = chosen.notification_key and n.created_date = chosen.created_date)
      insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, resend_job)
      select notification_key, created_date, $1, case when no <= 300 then $2::bigint end from chosen`,
      [old, first],
    );
    const { key, job } = await replace(service, receiver.url, old);
    expect((await service.get(`/ws/rest/ResendJob/${job}`)).body.total).toBe(2_500);
    await deliver();
    expect(await ended(service, job, 40_000)).toMatchObject({ status: 'DONE', total: 2_500, done: 2_500, failed: 0 });
    expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await ended(service, first)).toMatchObject({ status: 'CANCELLED', done: 0 });
    expect(await storedOf(service, old)).toEqual([]);
    expect(new Set((await storedOf(service, key)).map(({ status }) => status))).toEqual(new Set(['DELIVERED']));
  }, 60_000);

  test('replaced again before anything was carried over, the last one gets everything', async () => {
    const receiver = await startSwitchedReceiver();
    const first = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    const ids = await storeFailed(service, first, 30);
    await deactivate(service, first);
    const second = await replace(service, 'http://127.0.0.1:9/hook', first);
    ids.push(...(await storeFailed(service, second.key, 10)));
    await deactivate(service, second.key);
    const third = await subscribeTo(service, receiver.url, { replaces: second.key });
    await deliver();
    await expect.poll(() => receiver.deliveries.length, { timeout: 10_000 }).toBe(40);
    expect(receiver.taken().sort()).toEqual([...ids].sort());
    expect((await storedOf(service, third)).length).toBe(40);
    const jobs = (await service.get(`/ws/rest/ResendJob?filter=subscription.key(EQ)${third}`)).body;
    expect(jobs.map(({ total }: { total: number }) => total).sort()).toEqual([10, 30]);
    for (const { key } of jobs) expect((await ended(service, key)).status).toBe('DONE');
  });

  test('a subscription that got notifications that way cannot be deleted', async () => {
    const old = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    await storeFailed(service, old, 1);
    await deactivate(service, old);
    const { key } = await replace(service, 'http://127.0.0.1:9/hook', old);
    await service.put(`${subscriptions}/${key}`, { unsubscribed: true });
    expectErrorBody(await service.delete(`${subscriptions}/${key}`), 409);
  });

  test('what cannot be replaced is a 400 at `replaces` that says why, and nothing is done', async () => {
    const other = await createClient(service, ['read', 'webhook']);
    const voyage = await makeVoyage(service);
    const hook = { url: 'http://127.0.0.1:9/hook' };
    const ask = (body: object, by?: TestClient) => service.post(subscriptions, { ...hook, ...body }, by?.headers);
    const old = await subscribeTo(service, hook.url);
    const event = { eventType: 'Voyage.C', replaces: old };
    await deactivate(service, old);
    expect(mistakesOf(await ask({ ...event, replaces: 999_999_999 }))).toEqual([
      'replaces: there is no WebhookSubscription with key 999999999.',
    ]);
    expect(mistakesOf(await ask(event, other))).toEqual([`replaces: there is no WebhookSubscription with key ${old}.`]);
    expect(mistakesOf(await ask({ ...event, user: other.userKey }))).toEqual([
      'replaces: belongs to another user; only a subscription of the same user can be replaced.',
    ]);
    expect(mistakesOf(await ask({ ...event, replaces: 'x' }))).toHaveLength(1);
    const twice = await service.post(subscriptions, [
      { ...hook, ...event },
      { ...hook, ...event },
    ]);
    expect(mistakesOf(twice)).toEqual(['[1].replaces: is already replaced by another subscription of this request.']);
    const tried = await service.post(`${subscriptions}/test`, {
      subscription: { ...hook, ...event, replaces: 999_999_999 },
      objectKey: voyage,
    });
    expect(tried.status, tried.text).toBe(400);
    expect(
      (await service.post(`${subscriptions}/test`, { subscription: { ...hook, ...event }, objectKey: voyage })).status,
    ).toBe(200);
    expect(await stateOf(service, old)).toBe('DEACTIVATED');
    expect(await countIn(service, `flaghoist_service.resend_job where replaced_subscription = ${old}`)).toBe(0);
    expect(await countIn(service, `flaghoist_service.webhook_subscription where replaces = ${old}`)).toBe(0);
    await service.put(`${subscriptions}/${old}`, { unsubscribed: true });
    expect(mistakesOf(await ask(event))).toEqual([
      'replaces: is unsubscribed; only an active or deactivated subscription can be replaced.',
    ]);
    // By its code, the user is the same one.
    const { body: me } = await service.get(`${subscriptions}/${old}`);
    const next = await subscribeTo(service, hook.url);
    await deactivate(service, next);
    const named = await ask({ ...event, replaces: next, user: me.user.userCode });
    expect(named.status, named.text).toBe(201);
  });
});
