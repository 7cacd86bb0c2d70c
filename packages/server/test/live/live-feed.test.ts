// `GET /ws/rest/live`: what happens arrives, at those who may see it, and in bounds.

import { beforeAll, describe, expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { answering, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { openLive } from './live-client.ts';

const service = useTestService();
const poll = { timeout: 20_000, interval: 20 };
let owner: TestClient;
let other: TestClient;
let reader: TestClient;
beforeAll(async () => {
  owner = await createClient(service, ['write', 'webhook']);
  other = await createClient(service, ['write', 'webhook']);
  reader = await createClient(service, ['read']);
});

const createVessel = (vesselName: string, by?: TestClient): Promise<Shown> =>
  by
    ? service.post('/ws/rest/Vessel', { vesselName }, by.headers).then(({ body }) => body)
    : create(service, 'Vessel', { vesselName });

describe('the feed', () => {
  test('begins with figures, and sends them every second', async () => {
    const live = await openLive(service);
    expect(live.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const names = ['changesPerSecond', 'notificationsPerSecond', 'deliveredPerSecond', 'failedPerSecond'];
    const all = [...names, 'p50Ms', 'p99Ms', 'backlog', 'oldestPendingSeconds'];
    expect(live.events[0]!.event).toBe('ready');
    expect(Object.keys(live.events[0]!.data)).toEqual(all);
    const figures = () => live.events.filter(({ event }) => event === 'figures');
    await expect.poll(() => figures().length, poll).toBeGreaterThanOrEqual(2);
    expect(Object.keys(figures()[1]!.data)).toEqual(all);
    const [one, next] = figures();
    expect(next!.atMs - one!.atMs).toBeGreaterThan(500);
  });

  test('shows a change as the list does, and its notification from the creation to the delivery', async () => {
    const hooks = await startHooks();
    const name = 'Live deliveries';
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url, name });
    const live = await openLive(service);
    const vessel = await createVessel('Alive');
    const change = () => live.rows('changes').find(({ objectKey }) => objectKey === vessel.key);
    await expect.poll(change, poll).toBeDefined();
    const [listed] = (await service.get(`/ws/rest/changes?objectKey=${vessel.key}`)).body.changes;
    expect({ ...change(), notificationCount: 1 }).toEqual(listed);
    const notification = (status: string) =>
      live.rows('notifications').find((row) => row.objectKey === vessel.key && row.status === status);
    await expect.poll(() => notification('DELIVERED'), poll).toBeDefined();
    const delivered = notification('DELIVERED')!;
    const list = await service.get(`/ws/rest/WebhookNotification?filter=key(EQ)${delivered.key}`);
    const { self, key } = list.body[0].subscription;
    expect(delivered).toEqual({ ...list.body[0], subscription: { key, self, name } });
    const rates = () => live.events.findLast(({ event }) => event === 'figures')!.data;
    await expect.poll(() => rates().deliveredPerSecond, poll).toBeGreaterThan(0);
    expect(rates()).toMatchObject({ failedPerSecond: 0, p50Ms: expect.any(Number) });
    // Of the ten seconds at most, or of those since the connection.
    expect(rates().notificationsPerSecond).toBeGreaterThanOrEqual(0.1);
    expect(rates().notificationsPerSecond).toBeLessThanOrEqual(1);
    expect(rates().changesPerSecond).toBeGreaterThan(0);
    await unsubscribe(subscription);
  });

  test('shows retries and failures', async () => {
    const hooks = await startHooks(answering(500));
    const subscription = await subscribeTo(service, {
      eventType: 'Vessel.C',
      url: hooks.url,
      retryPolicy: { attempts: 2, intervalSeconds: 1 },
    });
    const live = await openLive(service);
    await createVessel('Failing');
    const statuses = () =>
      live
        .rows('notifications')
        .filter((row) => row.subscription.key === subscription.key)
        .map(({ status, attempts }) => `${status} ${attempts}`);
    await expect.poll(statuses, poll).toContain('FAILED 2');
    expect(statuses()).toContain('PENDING 1');
    const changed = () => live.events.filter(({ event }) => event === 'subscriptions').flatMap(({ data }) => data.keys);
    await expect.poll(changed, poll).toContain(subscription.key);
  });

  test('can leave out notifications or changes', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url });
    const [changes, notifications] = await Promise.all([
      openLive(service, '?notifications=false'),
      openLive(service, '?changes=false'),
    ]);
    await createVessel('Left out');
    await expect.poll(() => changes.rows('changes').length, poll).toBeGreaterThan(0);
    await expect.poll(() => notifications.rows('notifications').length, poll).toBeGreaterThan(0);
    expect(changes.events.filter(({ event }) => event === 'notifications')).toEqual([]);
    expect(notifications.events.filter(({ event }) => event === 'changes')).toEqual([]);
    await unsubscribe(subscription);
  });

  test('shows what another process does', async () => {
    const live = await openLive(service);
    const beside = await startBeside(service.database, {
      FLAGHOIST_ROLES: 'api',
      FLAGHOIST_DATA_DIR: service.dataDir,
      FLAGHOIST_BASE_URL: service.url(),
    });
    const elsewhere = await openLive({ url: () => beside.localUrl, token: service.token });
    const vessel = await createVessel('Elsewhere');
    for (const each of [live, elsewhere])
      await expect.poll(() => each.rows('changes').map(({ objectKey }) => objectKey), poll).toContain(vessel.key);
  });
});

describe('a viewer', () => {
  test("sees no notification, subscription or figure of another user's", async () => {
    const hooks = await startHooks();
    const [admin, mine, theirs, none] = await Promise.all([
      openLive(service),
      openLive(service, '', owner.headers),
      openLive(service, '', other.headers),
      openLive(service, '', reader.headers),
    ]);
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url }, owner);
    const vessel = await createVessel('Private');
    const delivered = (rows: Shown[]) =>
      rows.some((row) => row.subscription.key === subscription.key && row.status === 'DELIVERED');
    for (const live of [admin, mine]) await expect.poll(() => delivered(live.rows('notifications')), poll).toBe(true);
    const keysOf = (live: typeof mine) =>
      live.events.filter(({ event }) => event === 'subscriptions').flatMap(({ data }) => data.keys);
    for (const live of [admin, mine]) await expect.poll(() => keysOf(live), poll).toContain(subscription.key);
    const created = (live: typeof mine) =>
      live.events.some(({ event, data }) => event === 'figures' && data.notificationsPerSecond > 0);
    for (const live of [admin, mine]) await expect.poll(() => created(live), poll).toBe(true);
    // Everybody sees the change itself.
    for (const live of [theirs, none])
      await expect.poll(() => live.rows('changes').map(({ objectKey }) => objectKey), poll).toContain(vessel.key);
    for (const live of [theirs, none]) {
      expect(live.rows('notifications')).toEqual([]);
      expect(keysOf(live)).toEqual([]);
      expect(created(live)).toBe(false);
      expect(live.rows('changes').find(({ objectKey }) => objectKey === vessel.key)!.notificationCount).toBe(0);
    }
    await unsubscribe(subscription);
  });

  test('whose client loses a scope, or is disabled, has its feed ended', async () => {
    const client = await createClient(service, ['read', 'webhook']);
    const disabled = await createClient(service, ['read']);
    const live = await openLive(service, '', client.headers);
    const ended = await openLive(service, '', disabled.headers);
    await service.put(`/ws/rest/ApiClient/${client.key}`, { scopes: ['read'] });
    await service.put(`/ws/rest/ApiClient/${disabled.key}`, { active: false });
    for (const each of [live, ended]) await expect.poll(() => each.isEnded(), { timeout: 25_000 }).toBe(true);
  }, 60_000);
});

describe('many changes', () => {
  test('come as at most 50 rows four times a second, and the others are counted', async () => {
    const live = await openLive(service, '?notifications=false');
    const before = live.rows('changes').length + live.skipped('changes');
    for (let bulk = 0; bulk < 5; bulk += 1)
      await service.database.pool.query(
        `insert into flaghoist.vessel (vessel_name) select 'M' || n from generate_series(1, 100) n`,
      );
    const all = () => live.rows('changes').length + live.skipped('changes') - before;
    await expect.poll(all, poll).toBe(500);
    const sent = live.events.filter(({ event }) => event === 'changes');
    for (const { data } of sent) expect(data.rows.length).toBeLessThanOrEqual(50);
    expect(live.skipped('changes')).toBeGreaterThan(0);
  });
});

describe('a request', () => {
  test.each(['notifications=maybe', 'changes=2', 'rows=1', 'changes=true&changes=false'])(
    'with %s is refused',
    async (query) => {
      expectErrorBody(await service.get(`/ws/rest/live?${query}`), 400);
    },
  );

  test('without a token is a 401, and a HEAD ends at once', async () => {
    expectErrorBody(await service.get('/ws/rest/live', { authorization: '' }), 401);
    const head = await fetch(`${service.url()}/ws/rest/live`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${service.token()}` },
    });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('beyond a hundred feeds of one client is a 429', async () => {
    const feeds = await Promise.all(Array.from({ length: 100 }, () => openLive(service, '', reader.headers)));
    expect(feeds.every(({ status }) => status === 200)).toBe(true);
    const refused = await service.get('/ws/rest/live', reader.headers);
    expectErrorBody(refused, 429);
    expect(refused.headers.get('retry-after')).toBe('5');
    for (const feed of feeds) feed.cut();
    await expect
      .poll(async () => {
        const answer = await openLive(service, '', reader.headers);
        answer.cut();
        return answer.status;
      }, poll)
      .toBe(200);
  }, 60_000);
});

test('a stop ends the feeds at once', async () => {
  const beside = await startBeside(service.database, {
    FLAGHOIST_ROLES: 'api',
    FLAGHOIST_DATA_DIR: service.dataDir,
    FLAGHOIST_BASE_URL: service.url(),
    FLAGHOIST_STOP_TIMEOUT_SECONDS: '60',
  });
  const live = await openLive({ url: () => beside.localUrl, token: service.token });
  await beside.stop();
  await expect.poll(() => live.isEnded(), poll).toBe(true);
});

async function unsubscribe({ key }: { key: number }): Promise<void> {
  const answer = await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  expect(answer.status, answer.text).toBe(200);
}
