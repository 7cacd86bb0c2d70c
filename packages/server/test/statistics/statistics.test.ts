// `GET /ws/rest/WebhookNotification/statistics`: it counts what has happened to notifications exactly, for those who may
// see them.

import { beforeAll, describe, expect, test } from 'vitest';
import { answering, type Hooks, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { matched } from '../match/heard.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { counted, statisticsBy } from './counts.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.05', FLAGHOIST_DELIVERY_ATTEMPTS: '3' });
let owner: TestClient;
let other: TestClient;
beforeAll(async () => {
  owner = await createClient(service, ['write', 'webhook']);
  other = await createClient(service, ['write', 'webhook']);
});

async function createVessels(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await create(service, 'Vessel', { vesselName: `Counted ${at}` });
}

function totalsOf(subscription: { key: number }) {
  return statisticsBy(service, `subscription=${subscription.key}`).then(({ totals }) => totals);
}

describe('a subscription', () => {
  test('whose receiver accepts everything has created and delivered as many, and how long it took', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url });
    await createVessels(5);
    await settled(service, subscription, Array(5).fill('DELIVERED'));
    await counted(service);
    const totals = await totalsOf(subscription);
    expect(totals).toMatchObject({ created: 5, delivered: 5, retried: 0, failed: 0 });
    expect(totals.p50Ms).toBeGreaterThan(0);
    expect(totals.p99Ms).toBeGreaterThanOrEqual(totals.p50Ms!);
    await endOf(subscription, hooks);
  });

  test('whose receiver refuses has each attempt, the failure, and those that failed with it', async () => {
    const hooks = await startHooks(answering(500));
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url, ordering: 'OBJECT' });
    await createVessels(1);
    const [failed] = await settled(service, subscription, ['FAILED']);
    expect(failed.attempts).toBe(3);
    // The subscription is deactivated: what it collects has failed at once.
    await createVessels(2);
    await settled(service, subscription, ['FAILED', 'FAILED', 'FAILED']);
    await counted(service);
    expect(await totalsOf(subscription)).toEqual({
      changes: expect.any(Number),
      created: 3,
      delivered: 0,
      retried: 2,
      failed: 3,
      p50Ms: null,
      p99Ms: null,
    });
  });

  test('counts what is sent again as delivered, without its time', async () => {
    const hooks = await startHooks(answering(500, 500, 500, 200));
    const subscription = await subscribeTo(service, {
      eventType: 'Vessel.C',
      url: hooks.url,
      doNotUnsubscribe: true,
    });
    await createVessels(1);
    await settled(service, subscription, ['FAILED']);
    await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/sendFailedNotifications`, {});
    await settled(service, subscription, ['DELIVERED']);
    await counted(service);
    expect(await totalsOf(subscription)).toMatchObject({
      created: 1,
      delivered: 1,
      retried: 2,
      failed: 1,
      p50Ms: null,
    });
    await endOf(subscription, hooks);
  });

  test('of a stream counts what was acknowledged', async () => {
    const subscription = await subscribeTo(service, {
      eventType: 'Vessel.C',
      channelInfo: { channelType: 'STREAM' },
    });
    await createVessels(2);
    await matched(service);
    const path = `/ws/rest/WebhookSubscription/${subscription.key}`;
    const { body } = await service.post(`${path}/pull`, { waitSeconds: 10 });
    const notifications = body.map(({ notification }: { notification: number }) => notification);
    await service.post(`${path}/acknowledge`, { notifications });
    await counted(service);
    expect(await totalsOf(subscription)).toMatchObject({ created: 2, delivered: 2, retried: 0, failed: 0 });
    await service.put(path, { unsubscribed: true });
  });
});

describe('the statistics', () => {
  test('have 60, 96 or 84 steps up to the current one, and the same totals in each range', async () => {
    await counted(service);
    const expected = [
      ['HOUR', 60, 60],
      ['DAY', 96, 900],
      ['WEEK', 84, 7200],
    ] as const;
    const all = await Promise.all(expected.map(([range]) => statisticsBy(service, `range=${range}`)));
    for (const [index, [range, points, stepSeconds]] of expected.entries()) {
      const statistics = all[index]!;
      expect(statistics).toMatchObject({ range, stepSeconds });
      expect(statistics.points).toHaveLength(points);
      expect(statistics.points[0]!.at).toBe(statistics.from);
      const last = statistics.points.at(-1)!;
      expect(Date.parse(statistics.to) - Date.parse(last.at)).toBe(stepSeconds * 1000);
      expect(statistics.totals).toEqual(all[0]!.totals);
      const sum = statistics.points.reduce((total, { created }) => total + created, 0);
      expect(sum).toBe(statistics.totals.created);
    }
    expect(all[0]!.totals.created).toBeGreaterThan(8);
  });

  test('count every change, whoever hears of it', async () => {
    await matched(service);
    await counted(service);
    const before = await statisticsBy(service);
    await createVessels(3);
    await matched(service);
    await counted(service);
    const after = await statisticsBy(service);
    expect(after.totals.changes - before.totals.changes).toBe(3);
    expect((await statisticsBy(service, '', owner.headers)).totals.changes).toBe(after.totals.changes);
  });

  test("are those of the caller's subscriptions, and of all for an administrator", async () => {
    const hooks = await startHooks();
    const mine = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url }, owner);
    const theirs = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url }, other);
    await createVessels(2);
    await settled(service, mine, ['DELIVERED', 'DELIVERED']);
    await settled(service, theirs, ['DELIVERED', 'DELIVERED']);
    await counted(service);
    const [ofOwner, ofOther, ofAll] = await Promise.all([
      statisticsBy(service, '', owner.headers),
      statisticsBy(service, '', other.headers),
      statisticsBy(service),
    ]);
    expect(ofOwner.totals).toMatchObject({ created: 2, delivered: 2 });
    expect(ofOther.totals).toMatchObject({ created: 2, delivered: 2 });
    expect(ofAll.totals.created).toBeGreaterThanOrEqual(4);
    const path = `/ws/rest/WebhookNotification/statistics?subscription=${theirs.key}`;
    expect(expectErrorBody(await service.get(path, owner.headers), 404).message).toContain('WebhookSubscription');
    expectErrorBody(await service.get('/ws/rest/WebhookNotification/statistics?subscription=999999999'), 404);
    for (const each of [mine, theirs]) await endOf(each, hooks);
  });

  test.each(['range=MONTH', 'range=hour', 'subscription=x', 'from=2026-01-01'])('reject %s', async (query) => {
    expectErrorBody(await service.get(`/ws/rest/WebhookNotification/statistics?${query}`), 400);
  });

  test('need the scopes of subscriptions', async () => {
    const reader = await createClient(service, ['read']);
    expectErrorBody(await service.get('/ws/rest/WebhookNotification/statistics', reader.headers), 403);
  });
});

async function endOf({ key }: { key: number }, _hooks: Hooks): Promise<void> {
  const answer = await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  expect(answer.status, answer.text).toBe(200);
}
