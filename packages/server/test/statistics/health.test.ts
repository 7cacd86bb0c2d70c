// `GET /ws/rest/WebhookSubscription/health`: how each subscription fares, for those who may see it.

import { beforeAll, describe, expect, test } from 'vitest';
import { answering, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { counted } from './counts.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '600' });
const path = '/ws/rest/WebhookSubscription/health';
let owner: TestClient;
beforeAll(async () => {
  owner = await createClient(service, ['write', 'webhook']);
});

async function healthBy(query: string, headers?: TestClient['headers']): Promise<Shown[]> {
  const answer = await service.get(`${path}?${query}`, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.subscriptions;
}

describe('the health', () => {
  test('of a subscription that delivers has its counts and no error', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url });
    await create(service, 'Vessel', { vesselName: 'Healthy' });
    await settled(service, subscription, ['DELIVERED']);
    await counted(service);
    const [health] = await healthBy(`subscriptions=${subscription.key}`);
    expect(health).toEqual({
      subscription: subscription.key,
      status: 'ACTIVE',
      deliveredLastHour: 1,
      failedLastHour: 0,
      pending: 0,
      oldestPendingAt: null,
      lastError: null,
      failingSince: null,
      points: expect.any(Array),
    });
    expect(health.points).toHaveLength(24);
    expect(health.points.at(-1)).toEqual({
      at: expect.stringMatching(/:00:00Z$/),
      delivered: 1,
      failed: 0,
    });
    await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, { unsubscribed: true });
    expect((await healthBy(`subscriptions=${subscription.key}`))[0].status).toBe('UNSUBSCRIBED');
  });

  test('of one that fails has the last error, since when, and what is pending', async () => {
    const hooks = await startHooks(answering(503));
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url: hooks.url });
    await create(service, 'Vessel', { vesselName: 'Failing' });
    await expect.poll(() => hooks.received.length, { timeout: 10_000 }).toBe(1);
    await expect
      .poll(async () => (await healthBy(`subscriptions=${subscription.key}`))[0].status, { timeout: 10_000 })
      .toBe('FAILING');
    await counted(service);
    const [health] = await healthBy(`subscriptions=${subscription.key}`);
    expect(health).toMatchObject({
      pending: 1,
      oldestPendingAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      lastError: { at: expect.stringMatching(/Z$/), text: expect.stringContaining('503'), status: 503 },
      failingSince: expect.stringMatching(/Z$/),
      deliveredLastHour: 0,
    });
    await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, { unsubscribed: true });
    await settled(service, subscription, ['FAILED']);
    await counted(service);
    expect((await healthBy(`subscriptions=${subscription.key}`))[0]).toMatchObject({ pending: 0, failedLastHour: 1 });
  });

  test("is that of the caller's subscriptions, and of all for an administrator", async () => {
    const mine = await subscribeTo(service, { eventType: 'Vessel.D', url: 'http://127.0.0.1:9/' }, owner);
    const theirs = await subscribeTo(service, { eventType: 'Vessel.D', url: 'http://127.0.0.1:9/' });
    const keysBy = async (query: string, headers?: TestClient['headers']) =>
      (await healthBy(query, headers)).map(({ subscription }) => subscription);
    expect(await keysBy('', owner.headers)).toEqual([mine.key]);
    expect(await keysBy(`subscriptions=${mine.key},${theirs.key}`, owner.headers)).toEqual([mine.key]);
    expect(await keysBy(`subscriptions=${mine.key},${theirs.key},999999999`)).toEqual([theirs.key, mine.key]);
    expect((await keysBy('')).slice(0, 2)).toEqual([theirs.key, mine.key]);
  });

  test.each(['subscriptions=x', 'subscriptions=1,,2', 'subscriptions=', 'keys=1'])('rejects %s', async (query) => {
    expectErrorBody(await service.get(`${path}?${query}`), 400);
  });

  test('of more than 1,000 subscriptions is rejected', async () => {
    const keys = Array.from({ length: 1001 }, (_, index) => index + 1);
    expect(expectErrorBody(await service.get(`${path}?subscriptions=${keys}`), 400).message).toContain('1000');
    expect(await healthBy(`subscriptions=${keys.slice(1)}`)).toEqual([]);
  });

  test('needs the scopes of subscriptions', async () => {
    const reader = await createClient(service, ['read']);
    expectErrorBody(await service.get(path, reader.headers), 403);
  });
});
