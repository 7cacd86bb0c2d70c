// A subscription whose receiver fails: attempts, the early warning, deactivation with its alert, and what counts as
// failed from then on (part 3 of the seed, with short intervals).

import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import {
  answering,
  createVoyage,
  notificationsOf,
  type Respond,
  readSubscription,
  settled,
  startHooks,
  subscribeTo,
} from './hooks.ts';

const service = useTestService({
  FLAGHOIST_DELIVERY_ATTEMPTS: '3',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2',
});

/** Those that are whole: one that is being written has another name until then. */
async function savedMails(): Promise<{ name: string; text: string }[]> {
  const folder = join(service.dataDir, 'mail');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
  return await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
}

async function alertsTo(address: string): Promise<string[]> {
  return (await savedMails()).map(({ text }) => text).filter((text) => text.includes(`To: ${address}`));
}

/** Those that wait to be sent, then those that are: between the two there is none that is neither. */
async function alertsOf({ key }: { key: number }): Promise<string[]> {
  const { rows } = await service.database.pool.query(`select mail ->> 'id' as id from flaghoist_system.outgoing_mail`);
  const names = [...rows.map(({ id }) => String(id)), ...(await savedMails()).map(({ name }) => name)];
  return names.filter((name) => new RegExp(`alert-${key}\\b`).test(name));
}

/** Answers 500, from this request of a path on not before it is told what to answer. */
function holdingFrom(first: number) {
  const claimedKeys: ServerResponse[] = [];
  const counts = new Map<string, number>();
  let answered: number | undefined;
  const respond: Respond = (response, { path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    if (count < first || answered !== undefined) response.writeHead(answered ?? 500).end();
    else claimedKeys.push(response);
  };
  return {
    respond,
    isHolding: () => expect.poll(() => claimedKeys.length, { timeout: 10_000, interval: 10 }).toBe(1),
    letGo: (status: number) => {
      answered = status;
      for (const response of claimedKeys.splice(0)) response.writeHead(status).end();
    },
  };
}

/** Another subscription to the same changes has had several attempts since: nothing more is to be expected. */
async function timeHasPassed(): Promise<void> {
  const hooks = await startHooks(answering(500));
  const witness = await subscribeTo(service, { url: `${hooks.url}/witness`, doNotUnsubscribe: true });
  await createVoyage(service);
  await settled(service, witness, ['FAILED']);
}

describe('a receiver that answers 200', () => {
  test('has one attempt, and the log shows it', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { url: `${hooks.url}/good` });
    const voyage = await createVoyage(service);
    const [one] = await settled(service, subscription, ['DELIVERED']);
    expect(hooks.received).toHaveLength(1);
    expect(one).toMatchObject({
      attempts: 1,
      isFailed: false,
      nextAttemptDate: null,
      errorMessage: null,
      objectKey: voyage,
    });
    expect(one.deliveryDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(one.attemptLog).toEqual([
      {
        date: expect.stringMatching(/Z$/),
        durationMs: expect.any(Number),
        statusCode: 200,
        answer: 'thanks',
        error: null,
      },
    ]);
    expect(one.body).toBe(hooks.received[0]!.body);
    expect(await readSubscription(service, subscription)).toMatchObject({
      state: 'ACTIVE',
      failingSince: null,
      consecutiveFailures: 0,
    });
  });
});

describe('a receiver that fails and then recovers', () => {
  test('is tried again with the same id and bytes, and the early warning comes and goes', async () => {
    const gate = holdingFrom(2);
    const hooks = await startHooks(gate.respond);
    const subscription = await subscribeTo(service, { url: `${hooks.url}/again` });
    await createVoyage(service);
    await gate.isHolding();
    const failures = async () => (await readSubscription(service, subscription)).consecutiveFailures;
    const failing = await readSubscription(service, subscription);
    expect(failing).toMatchObject({
      state: 'ACTIVE',
      consecutiveFailures: 1,
      failingSince: expect.stringMatching(/^20/),
    });
    const listed = await service.get(
      '/ws/rest/WebhookSubscription?filter=consecutiveFailures(GT)0&sort=failingSince(AS)',
    );
    expect(listed.body.map(({ key }: { key: number }) => key)).toContain(subscription.key);
    gate.letGo(204);
    const [one] = await settled(service, subscription, ['DELIVERED']);
    expect([one.attempts, hooks.received.length]).toEqual([2, 2]);
    expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([one.id]));
    expect(new Set(hooks.received.map(({ body }) => body))).toEqual(new Set([one.body]));
    await expect.poll(failures, { timeout: 5_000 }).toBe(0);
    expect((await readSubscription(service, subscription)).failingSince).toBeNull();
  });
});

describe('a receiver that never recovers', () => {
  test(
    'is tried so often, then its subscription is ' + 'deactivated, all else of it fails, and one alert is ' + 'sent',
    async () => {
      const owner = await createClient(service, ['write', 'webhook'], { email: 'desk@agent.example' });
      const hooks = await startHooks(answering(500));
      const subscription = await subscribeTo(service, { url: `${hooks.url}/bad`, webhookUsername: 'desk' }, owner);
      await createVoyage(service);
      await createVoyage(service);
      await createVoyage(service);
      await expect
        .poll(async () => (await readSubscription(service, subscription)).state, { timeout: 10_000 })
        .toBe('DEACTIVATED');
      const notifications = await settled(service, subscription, ['FAILED', 'FAILED', 'FAILED']);
      expect(Math.max(...notifications.map(({ attempts }) => attempts))).toBe(3);
      for (const { isFailed, nextAttemptDate, errorMessage } of notifications) {
        expect([isFailed, nextAttemptDate]).toEqual([true, null]);
        expect(['The receiver answered 500.', 'The subscription is deactivated.']).toContain(errorMessage);
      }
      expect(await readSubscription(service, subscription)).toMatchObject({
        stateReason: 'Deliveries have failed: The receiver answered 500.',
        unsubscribed: false,
      });
      await expect.poll(() => alertsTo('desk@agent.example'), { timeout: 5_000 }).toHaveLength(1);
      expect((await alertsOf(subscription)).length).toBeGreaterThanOrEqual(1);
      const sent = hooks.received.length;
      await createVoyage(service);
      const last = (await settled(service, subscription, ['FAILED', 'FAILED', 'FAILED', 'FAILED'])).at(-1);
      expect(last).toMatchObject({ attempts: 0, errorMessage: 'The subscription is deactivated.', attemptLog: null });
      expect(last.body).toContain('"eventType":"C"');
      expect(hooks.received).toHaveLength(sent);
      expect(await alertsTo('desk@agent.example')).toHaveLength(1);
    },
  );

  test('has no alert where its user has no address, and is deactivated all the same', async () => {
    const owner = await createClient(service, ['write', 'webhook']);
    const hooks = await startHooks(answering(404));
    const subscription = await subscribeTo(service, { url: `${hooks.url}/none` }, owner);
    await createVoyage(service);
    await settled(service, subscription, ['FAILED']);
    expect((await readSubscription(service, subscription)).state).toBe('DEACTIVATED');
    expect(await alertsOf(subscription)).toEqual([]);
  });

  test('is never deactivated with doNotUnsubscribe: the notification fails, and the next one is tried', async () => {
    const hooks = await startHooks(answering(500));
    const subscription = await subscribeTo(service, { url: `${hooks.url}/stays`, doNotUnsubscribe: true });
    await createVoyage(service);
    await settled(service, subscription, ['FAILED']);
    await createVoyage(service);
    const [, second] = await settled(service, subscription, ['FAILED', 'FAILED']);
    expect(second.attempts).toBe(3);
    expect(hooks.received).toHaveLength(6);
    expect(await readSubscription(service, subscription)).toMatchObject({ state: 'ACTIVE', consecutiveFailures: 6 });
  });
});

test('Retry-After lengthens the wait, and never shortens it', async () => {
  const hooks = await startHooks((response, { path }) => {
    response.writeHead(path === '/asks' ? 429 : 503, { 'retry-after': path === '/asks' ? '1' : '0' });
    response.end();
  });
  const asks = await subscribeTo(service, { url: `${hooks.url}/asks`, doNotUnsubscribe: true });
  const hurries = await subscribeTo(service, { url: `${hooks.url}/hurries`, doNotUnsubscribe: true });
  await createVoyage(service);
  await settled(service, hurries, ['FAILED']);
  await settled(service, asks, ['FAILED']);
  const waits = (path: string) => hooks.at(path).map(({ atMs }, index, all) => atMs - (all[index - 1]?.atMs ?? 0));
  for (const waitMs of waits('/asks')) expect(waitMs).toBeGreaterThan(950);
  for (const waitMs of waits('/hurries')) expect(waitMs).toBeGreaterThan(190);
  expect([hooks.at('/asks').length, hooks.at('/hurries').length]).toEqual([3, 3]);
});

test('FLT-40: another url, name, password or expression holds from the next attempt on; the bytes stay', async () => {
  const gate = holdingFrom(1);
  const old = await startHooks(gate.respond);
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, {
    url: `${old.url}/old`,
    webhookUsername: 'a',
    webhookPassword: 'first',
  });
  service.secrets.plant('a webhook password', 'planted-password-9f3k2');
  await createVoyage(service);
  await gate.isHolding();
  const change = {
    url: `${hooks.url}/new`,
    webhookUsername: 'b',
    webhookPassword: 'planted-password-9f3k2',
    expression: 'svcObject.getComments() != null',
  };
  const changed = await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, change);
  expect(changed.status, changed.text).toBe(200);
  gate.letGo(500);
  await settled(service, subscription, ['DELIVERED']);
  expect([old.received.length, hooks.received.length]).toEqual([1, 1]);
  const [before, after] = [old.received[0]!, hooks.received[0]!];
  const credentials = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  expect(before.headers.authorization).toBe(credentials('a:first'));
  expect(after.headers.authorization).toBe(credentials('b:planted-password-9f3k2'));
  expect(after.path).toBe('/new');
  expect(after.headers['webhook-id']).toBe(before.headers['webhook-id']);
  expect(after.body).toBe(before.body);
});

test(
  'FLT-41: unsubscribing fails what is pending, and nothing ' + 'more is sent; with notifications it cannot be deleted',
  async () => {
    const gate = holdingFrom(2);
    const hooks = await startHooks(gate.respond);
    const subscription = await subscribeTo(service, { url: `${hooks.url}/left` });
    const path = `/ws/rest/WebhookSubscription/${subscription.key}`;
    await createVoyage(service);
    await gate.isHolding();
    expect((await service.delete(path)).status).toBe(409);
    expect((await service.put(path, { unsubscribed: true })).status).toBe(200);
    const [one] = await settled(service, subscription, ['FAILED']);
    expect(one.errorMessage).toBe('Unsubscribed.');
    const { rows } = await service.database.pool.query(
      'select count(*)::int from flaghoist_system.pending_notification where subscription_key = $1',
      [subscription.key],
    );
    expect(rows[0].count).toBe(0);
    gate.letGo(500);
    await timeHasPassed();
    expect(hooks.received).toHaveLength(2);
    // The attempt that was in flight is on record.
    await expect
      .poll(() => notificationsOf(service, subscription), { timeout: 5_000 })
      .toMatchObject([{ status: 'FAILED', attempts: 2 }]);
    expect((await service.delete(path)).status).toBe(409);
  },
);

test('one that is deactivated can be unsubscribed, and then collects nothing more', async () => {
  const hooks = await startHooks(answering(500));
  const subscription = await subscribeTo(service, { url: `${hooks.url}/ends` });
  await createVoyage(service);
  await settled(service, subscription, ['FAILED']);
  await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, { unsubscribed: true });
  await timeHasPassed();
  expect(await notificationsOf(service, subscription)).toHaveLength(1);
  expect(hooks.received).toHaveLength(3);
});
