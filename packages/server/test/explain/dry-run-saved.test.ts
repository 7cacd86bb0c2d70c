// The dry run of saved subscriptions, and of events: it agrees with what really happens.

import { beforeAll, describe, expect, test } from 'vitest';
import { heardBy, subscribe } from '../match/heard.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { dryRunsOf } from './dry-runs.ts';

const service = useTestService();
const { tryOut, tried } = dryRunsOf(service);
const url = 'https://agent.example/hook';
let fleet: Fleet;
let owner: TestClient;
let voyage: Shown;
let order: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  owner = await createClient(service, ['write', 'webhook']);
  voyage = await createVoyage(service, fleet);
  order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
});

let comments = 0;

describe('a saved subscription', () => {
  test('is named by its key, and shows what it really sends', async () => {
    const subscription = await subscribe(service, { eventType: `BunkerOrder.U.${order.key}` });
    await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 12.5 });
    const [sent] = await heardBy(service, subscription);
    const event = Number(sent!.id.split('-')[0]);
    const answer = await tried({ subscription, event });
    expect(answer).toMatchObject({ isNotified: true, subscribedObjectKey: order.key, contentType: 'application/json' });
    expect(answer.body).toBe(sent!.text!.replace(sent!.id, `${event}-0`));
  });

  test('tells which retries would follow if the first attempt failed', async () => {
    const subscription = await subscribe(service, { eventType: 'BunkerOrder.U' });
    const secondsBetween = ({ retries }: Shown) =>
      (Date.parse(`${retries.lastAttemptDate}Z`) - Date.parse(`${retries.nextAttemptDate}Z`)) / 1000;
    const byDefault = await tried({ subscription, objectKey: order.key });
    expect(byDefault.retries.attempts).toBe(5);
    expect(secondsBetween(byDefault)).toBe(180);
    const retryPolicy = { attempts: 4, intervalSeconds: 100, backoff: 'EXPONENTIAL', maxIntervalSeconds: 300 };
    const changed = await tried({ subscription: { key: subscription, retryPolicy }, objectKey: order.key });
    expect(changed.retries.attempts).toBe(4);
    expect(secondsBetween(changed)).toBe(200 + 300);
    const once = { eventType: 'BunkerOrder.U', url, retryPolicy: { attempts: 1 } };
    const { retries } = await tried({ subscription: once, objectKey: order.key });
    expect(retries).toEqual({ attempts: 1, nextAttemptDate: null, lastAttemptDate: null });
  });

  test('can be tried with changes, as in a PUT', async () => {
    const key = await subscribe(service, { eventType: 'BunkerOrder.U', expression: '.bunkerOrderStatus = ORD' });
    const { body: before } = await service.get(`/ws/rest/WebhookSubscription/${key}`);
    const attempt = (changes: object) => tried({ subscription: { key, ...changes }, objectKey: order.key });
    expect(await attempt({})).toMatchObject({ isNotified: false, reason: 'EXPRESSION_FALSE' });
    const changed = await attempt({ expression: '.bunkerOrderStatus = PLN', url });
    expect(changed).toMatchObject({ isNotified: true, url });
    expect(JSON.parse(changed.body).subscription.key).toBe(key);
    expect(await attempt({ expression: null })).toMatchObject({ isNotified: true });
    expect(await attempt({ unsubscribed: true })).toMatchObject({
      isNotified: false,
      reason: 'NOT_ACTIVE',
      message: 'The subscription is not active (unsubscribed).',
    });
    const refused = await tryOut({ subscription: { key, rawObject: true }, objectKey: order.key });
    expect(expectErrorBody(refused, 400).violations).toMatchObject([{ path: 'subscription.rawObject' }]);
    expect((await service.get(`/ws/rest/WebhookSubscription/${key}`)).body).toEqual(before);
  });

  test('would send nothing after the unsubscribe, and can no longer be changed', async () => {
    const key = await subscribe(service, { eventType: 'BunkerOrder.U' });
    await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
    expect(await tried({ subscription: key, objectKey: order.key })).toMatchObject({
      isNotified: false,
      reason: 'NOT_ACTIVE',
      message: expect.stringMatching(/^The subscription is not active \(unsubscribed since \d{4}-/),
    });
    expectErrorBody(await tryOut({ subscription: { key, url }, objectKey: order.key }), 409);
  });

  test('of another user is not found', async () => {
    const key = await subscribe(service, { eventType: 'BunkerOrder.U' });
    for (const [subscription, place] of [
      [key, 'subscription'],
      [{ key, url }, 'subscription.key'],
      [999_999_999, 'subscription'],
    ] as const) {
      const refused = await tryOut({ subscription, objectKey: order.key }, owner.headers);
      const missing = typeof subscription === 'number' ? subscription : subscription.key;
      expect(expectErrorBody(refused, 400).violations).toEqual([
        { path: place, message: `there is no WebhookSubscription with key ${missing}.` },
      ]);
    }
  });

  test('suppresses own changes if it says so', async () => {
    const wishes = { eventType: 'BunkerOrder.U', notSendMyChanges: true };
    const subscription = await subscribe(service, wishes, owner);
    const attempt = (event: number) => tried({ subscription, event }, owner.headers);
    const changed = async (headers?: TestClient['headers']): Promise<number> => {
      comments += 1;
      await service.put(`/ws/rest/BunkerOrder/${order.key}`, { extraCost: comments }, headers);
      const { rows } = await service.database.pool.query(
        'select max(id)::int as id from flaghoist_system.event where object_key = $1',
        [order.key],
      );
      return rows[0].id;
    };
    expect(await attempt(await changed(owner.headers))).toMatchObject({ isNotified: false, reason: 'OWN_CHANGE' });
    expect(await attempt(await changed())).toMatchObject({ isNotified: true });
  });
});

describe('an event', () => {
  test('is treated as made now, even if it is older than the subscription', async () => {
    await service.put(`/ws/rest/BunkerOrder/${order.key}`, { exchangeRate: 1.5 });
    const { rows } = await service.database.pool.query('select max(id)::int as id from flaghoist_system.event');
    const later = await subscribe(service, { eventType: 'BunkerOrder.U' });
    const answer = await tried({ subscription: later, event: rows[0].id });
    expect(answer).toMatchObject({ isNotified: true, subscribedObjectKey: order.key });
    expect(JSON.parse(answer.body).resource.exchangeRate).toBe(1.5);
  });

  test('may concern several objects; objectKey picks one', async () => {
    const portCall = voyage.portCalls[0].key;
    const second = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCall));
    await service.put(`/ws/rest/PortCall/${portCall}`, { daysAtSea: 3 });
    const { rows } = await service.database.pool.query('select max(id)::int as id from flaghoist_system.event');
    const attempt = (more: object, expression?: string) =>
      tried({ subscription: { eventType: 'BunkerOrder.U', url, expression }, event: rows[0].id, ...more });
    expect(await attempt({ objectKey: second.key })).toMatchObject({
      isNotified: true,
      subscribedObjectKey: second.key,
    });
    expect(await attempt({}, `svcObject.getKey() == ${second.key}`)).toMatchObject({ subscribedObjectKey: second.key });
    expect(await attempt({ objectKey: order.key }, `svcObject.getKey() == ${second.key}`)).toMatchObject({
      isNotified: false,
      subscribedObjectKey: order.key,
    });
  });

  test('of a delete shows the last state', async () => {
    const doomed = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[1].key));
    await service.delete(`/ws/rest/BunkerOrder/${doomed.key}`);
    const { rows } = await service.database.pool.query(
      "select id::int from flaghoist_system.event where object_key = $1 and operation = 'D'",
      [doomed.key],
    );
    const answer = await tried({ subscription: { eventType: 'BunkerOrder.D', url }, event: rows[0].id });
    expect(JSON.parse(answer.body).resource.bunkerOrderLines).toHaveLength(2);
    const updated = await tried({ subscription: { eventType: 'BunkerOrder.U', url }, event: rows[0].id });
    expect(updated).toMatchObject({ isNotified: false, reason: 'ANOTHER_OPERATION' });
  });
});
