// Faults of the service, or of one subscription, delay no others: a full pool, a row that cannot be written, unreadable
// secrets, an address of the service itself.

import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { administrator, createClient } from '../support/access.ts';
import { holdTable } from '../support/held-lock.ts';
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
import { countPending, queue } from './queued.ts';

const service = useTestService({
  FLAGHOIST_DATABASE_CONNECTIONS: '3',
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
});
const { pool } = service.database;

/** Of something that nobody does: only what is queued is sent. */
const quiet = { eventType: 'Vessel.D' };

describe('FLT-28: the connections of requests and those of the worker are not the same', () => {
  test('where all of the API wait, notifications are sent', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { url: hooks.url, ...quiet });
    // One client has a share of them only.
    const clients = await Promise.all([1, 2, 3].map(() => createClient(service, ['write'])));
    const lock = await holdTable(service, 'flaghoist.vessel');
    const waiting = clients.map(({ headers }, n) =>
      service.post('/ws/rest/Vessel', { vesselName: `Waits ${n}` }, headers),
    );
    try {
      await lock.waiters(3);
      await queue(pool, subscription.key, 20);
      await expect
        .poll(() => countPending(pool, `subscription_key = ${subscription.key}`), { timeout: 10_000 })
        .toBe(0);
      expect(hooks.received).toHaveLength(20);
    } finally {
      await lock.letGo();
    }
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test('where the worker waits, requests are answered', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { url: hooks.url });
    const lock = await holdTable(service, 'flaghoist_system.pending_notification');
    try {
      await createVoyage(service);
      await lock.waiters(2);
      for (let n = 0; n < 5; n += 1) await createVoyage(service);
      expect((await service.get('/ws/rest/Voyage?limit=1')).status).toBe(200);
      expect(hooks.received).toEqual([]);
    } finally {
      await lock.letGo();
    }
    await settled(service, subscription, Array(6).fill('DELIVERED'));
  });
});

describe('FLT-37: a success at the same time as the last failure of another notification', () => {
  test.each([
    ['the failure is answered first', (claimedKeys: Held) => [claimedKeys.fail, claimedKeys.succeed]],
    ['the success is answered first', (claimedKeys: Held) => [claimedKeys.succeed, claimedKeys.fail]],
  ])('%s: the subscription is deactivated, and stays so', async (_, order) => {
    const claimedKeys = new Map<string, ServerResponse>();
    const hooks = await startHooks((response, { headers }) => claimedKeys.set(String(headers['webhook-id']), response));
    const subscription = await subscribeTo(service, { url: hooks.url, ...quiet });
    const [failing] = await queueAfterFailures(subscription.key);
    const [arriving] = await queue(pool, subscription.key);
    await expect.poll(() => claimedKeys.size, { timeout: 10_000, interval: 10 }).toBe(2);
    const answer = (id: string, status: number) => () => void claimedKeys.get(id)!.writeHead(status).end();
    for (const say of order({ fail: answer(failing!, 500), succeed: answer(arriving!, 200) })) say();
    const both = await settled(service, subscription, ['FAILED', 'DELIVERED']);
    expect(both.map(({ id }) => id)).toEqual([failing, arriving]);
    const state = async () => (await readSubscription(service, subscription)).state;
    await expect.poll(state, { timeout: 5_000 }).toBe('DEACTIVATED');
    const [late] = await queue(pool, subscription.key);
    await settled(service, subscription, ['FAILED', 'DELIVERED', 'FAILED']);
    expect([claimedKeys.has(late!), await state()]).toEqual([false, 'DEACTIVATED']);
  });

  interface Held {
    fail: () => void;
    succeed: () => void;
  }

  /** Its next attempt is the last. */
  async function queueAfterFailures(subscription: number): Promise<string[]> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('lock table flaghoist_system.pending_notification in access exclusive mode');
      const ids = await queue(client as unknown as typeof pool, subscription);
      await client.query('update flaghoist_system.pending_notification set attempts = 1 where subscription_key = $1', [
        subscription,
      ]);
      await client.query('commit');
      return ids;
    } finally {
      client.release();
    }
  }
});

test(
  'FLT-44: an outcome that cannot be recorded holds up no ' + 'other, and is tried again later under its id',
  async () => {
    const claimedKeys: ServerResponse[] = [];
    let isHolding = true;
    const respond: Respond = (response) => void (isHolding ? claimedKeys.push(response) : response.end());
    const hooks = await startHooks((response, received) => respond(response, received));
    // One of its own first: a receiver that nobody knows is sent two at a time.
    const subscription = await subscribeTo(service, { url: hooks.url, ...quiet });
    isHolding = false;
    await queue(pool, subscription.key);
    await settled(service, subscription, ['DELIVERED']);
    isHolding = true;
    const ids = await queue(pool, subscription.key, 8);
    await expect.poll(() => claimedKeys.length, { timeout: 10_000, interval: 10 }).toBe(8);
    const poisoned = ids[3]!;
    await refuseToRecord(poisoned);
    isHolding = false;
    for (const response of claimedKeys) response.end();
    const statuses = ['DELIVERED', ...ids.map((id) => (id === poisoned ? 'PENDING' : 'DELIVERED'))];
    await settled(service, subscription, statuses);
    const told = () =>
      service.observations.some((each) => each.kind === 'delivery.failed' && /poisoned/.test(each.error.message));
    await expect.poll(told, { timeout: 5_000 }).toBe(true);
    await expect.poll(() => countPending(pool, `due_at > now() and subscription_key = ${subscription.key}`)).toBe(1);
    await pool.query('drop trigger poisoned on flaghoist_service.webhook_notification');
    await pool.query('update flaghoist_system.pending_notification set due_at = now() where subscription_key = $1', [
      subscription.key,
    ]);
    const all = await settled(service, subscription, Array(9).fill('DELIVERED'));
    expect(all.map(({ attempts }) => attempts)).toEqual(Array(9).fill(1));
    expect(hooks.received.filter(({ headers }) => headers['webhook-id'] === poisoned)).toHaveLength(2);
  },
);

/** Whoever writes down that it was delivered, or failed, is refused. */
async function refuseToRecord(id: string): Promise<void> {
  await pool.query(`create or replace function poisoned() returns trigger language plpgsql as $$
    begin if new.id = '${id}' and new.attempts > old.attempts then raise exception 'poisoned'; end if; return new;
      end $$`);
  await pool.query(`create trigger poisoned before update on flaghoist_service.webhook_notification
    for each row execute function poisoned()`);
  onTestFinished(async () => {
    await pool.query('drop trigger if exists poisoned on flaghoist_service.webhook_notification');
  });
}

test('FLT-55: a subscription with unreadable secrets delays no other, and is sent to once it is fixed', async () => {
  const hooks = await startHooks();
  const broken = await subscribeTo(service, { url: `${hooks.url}/broken`, ...quiet });
  const sound = await subscribeTo(service, { url: `${hooks.url}/sound`, ...quiet });
  const seal = (sealed: string) =>
    pool.query('update flaghoist_service.webhook_subscription set signing_secret_sealed = $2 where key = $1', [
      broken.key,
      sealed,
    ]);
  const { rows } = await pool.query(
    'select signing_secret_sealed as sealed from flaghoist_service.webhook_subscription where key = $1',
    [broken.key],
  );
  await seal('garbage');
  const waiting = await queue(pool, broken.key, 3);
  await queue(pool, sound.key, 5);
  await settled(service, sound, Array(5).fill('DELIVERED'));
  await expect.poll(() => service.observations.some(isUnreadable), { timeout: 5_000 }).toBe(true);
  expect(hooks.at('/broken')).toEqual([]);
  expect(await notificationsOf(service, broken)).toMatchObject(Array(3).fill({ status: 'PENDING', attempts: 0 }));
  expect((await service.post(`/ws/rest/WebhookSubscription/${broken.key}/ping`, {})).status).not.toBe(500);
  await seal(rows[0].sealed);
  const delivered = await settled(service, broken, Array(3).fill('DELIVERED'));
  expect(delivered.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  expect(
    hooks
      .at('/broken')
      .map(({ headers }) => headers['webhook-id'])
      .sort(),
  ).toEqual(waiting.sort());

  function isUnreadable(each: (typeof service.observations)[number]): boolean {
    return each.kind === 'subscription.unreadable' && each.subscription === broken.key;
  }
});

describe('SSD-19, SSD-20: a subscription that leads back to us', () => {
  let credentials: { webhookUsername: string; webhookPassword: string };
  beforeAll(async () => {
    const { clientId, clientSecret } = await createClient(service, ['write', 'webhook']);
    credentials = { webhookUsername: clientId, webhookPassword: clientSecret };
  });

  test.each([
    ['what it is about', '/ws/rest/Voyage', 401],
    ['subscriptions', '/ws/rest/WebhookSubscription', 401],
    ['tokens', '/oauth/token', 400],
    ['nothing', '/no-such-path', 404],
  ])('to %s is refused like any stranger, and each change has one notification', async (_, path, status) => {
    const count = async (table: string) =>
      (await pool.query(`select count(*)::int from ${table}`)).rows[0].count as number;
    const url = `${service.url()}${path}`;
    const subscriptions = [
      await subscribeTo(service, { url }),
      await subscribeTo(service, { url, rawObject: true }),
      await subscribeTo(service, { url, ...credentials }),
    ];
    const before = [await count('flaghoist.voyage'), await count('flaghoist_service.webhook_subscription')];
    await createVoyage(service);
    for (const subscription of subscriptions) {
      const [one] = await settled(service, subscription, ['FAILED']);
      const codes = one.attemptLog.map(({ statusCode }: { statusCode: number }) => statusCode);
      expect(codes, path).toEqual([status, status]);
      expect(JSON.stringify(one.attemptLog)).not.toContain('access_token');
      expect(await readSubscription(service, subscription)).toMatchObject({ state: 'DEACTIVATED' });
    }
    const after = [await count('flaghoist.voyage'), await count('flaghoist_service.webhook_subscription')];
    expect(after).toEqual([before[0]! + 1, before[1]!]);
  });

  test('no receiver is sent a token or secret of the service', async () => {
    const hooks = await startHooks(answering(200));
    const subscription = await subscribeTo(service, { url: hooks.url });
    await createVoyage(service);
    await settled(service, subscription, ['DELIVERED']);
    const { headers, body } = hooks.received[0]!;
    expect([headers.authorization, headers.cookie]).toEqual([undefined, undefined]);
    expect(body).not.toContain(administrator.clientSecret);
  });
});
