// Why a subscription was or was not notified: every reason, for recent events, shown to the owner of the subscription.

import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { decisionReasons } from '../../src/explain/verdict/decision-reasons.ts';
import { subscriptionActions } from '../../src/model/catalogue/subscription-actions.ts';
import { heardBy, matched, subscribe } from '../match/heard.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { type Decision, decidedBy, subscriptions } from './decided.ts';

const service = useTestService();
const { decisionsAt, lastOf, changeVessel, createVessel } = decidedBy(service);
let fleet: Fleet;
let owner: TestClient;
let other: TestClient;
beforeAll(async () => {
  fleet = await createFleet(service);
  owner = await createClient(service, ['write', 'webhook']);
  other = await createClient(service, ['write', 'webhook']);
});

describe('NOTIFIED', () => {
  test('names the notification, the event and both objects', async () => {
    const vessel = await createVessel();
    const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel}`, name: 'Vessels' });
    await changeVessel(vessel);
    const [notification] = await heardBy(service, subscription);
    const { eventTime, ...decision } = await lastOf(subscription, vessel);
    expect(eventTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(decision).toEqual({
      event: Number(notification!.id.split('-')[0]),
      objectType: 'Vessel',
      eventType: 'U',
      objectKey: vessel,
      subscription,
      subscriptionName: 'Vessels',
      subscribedObjectKey: vessel,
      isNotified: true,
      reason: 'NOTIFIED',
      message: 'A notification was created.',
      notification: notification!.key,
      notificationId: notification!.id,
      log: null,
      evaluation: null,
    });
  });

  test('is returned for each subscribed object that has the changed one in its hierarchy', async () => {
    const voyage = await createVoyage(service, fleet);
    const portCall = voyage.portCalls[0].key;
    const orders: Shown[] = [];
    for (let count = 0; count < 3; count += 1)
      orders.push(await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCall)));
    const subscription = await subscribe(service, { eventType: 'BunkerOrder.U' });
    await service.put(`/ws/rest/PortCall/${portCall}`, { speed: 12 });
    const [{ event }] = (await decisionsAt(`${subscription}/decisions?limit=1`)) as [Decision];
    const decisions = await decisionsAt(`${subscription}/decisions?event=${event}`);
    expect(decisions.map(({ objectType, objectKey, reason }) => [objectType, objectKey, reason])).toEqual(
      orders.map(() => ['PortCall', portCall, 'NOTIFIED']),
    );
    expect(decisions.map(({ subscribedObjectKey }) => subscribedObjectKey).sort()).toEqual(
      orders.map(({ key }) => key).sort(),
    );
    const ofOne = await decisionsAt(`${subscription}/decisions?objectKey=${orders[1].key}&limit=1`);
    expect(ofOne.map(({ subscribedObjectKey }) => subscribedObjectKey)).toEqual([orders[1].key]);
  });
});

describe('a rule that rejected the candidate', () => {
  test('ANOTHER_OPERATION', async () => {
    const vessel = await createVessel();
    const subscription = await subscribe(service, { eventType: `Vessel.D.${vessel}` });
    await changeVessel(vessel);
    expect(await lastOf(subscription, vessel)).toMatchObject({
      isNotified: false,
      reason: 'ANOTHER_OPERATION',
      notification: null,
      notificationId: null,
    });
  });

  test('ANOTHER_KEY', async () => {
    const [one, another] = [await createVessel(), await createVessel()];
    const subscription = await subscribe(service, { eventType: `Vessel.U.${one}` });
    await changeVessel(another);
    expect(await lastOf(subscription, another)).toMatchObject({ isNotified: false, reason: 'ANOTHER_KEY' });
  });

  test('ONLY_MAIN_OBJECT', async () => {
    const voyage = await createVoyage(service, fleet);
    const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, onlyMainObject: true });
    await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 11 });
    expect(await lastOf(subscription, voyage.portCalls[0].key)).toMatchObject({
      subscribedObjectKey: voyage.key,
      reason: 'ONLY_MAIN_OBJECT',
    });
  });

  test('BEFORE_SUBSCRIPTION', async () => {
    const vessel = await createVessel();
    await changeVessel(vessel);
    const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel}` });
    expect(await lastOf(subscription, vessel)).toMatchObject({ isNotified: false, reason: 'BEFORE_SUBSCRIPTION' });
  });

  test('SAME_TRANSACTION', async () => {
    const subscription = await subscribe(service, { eventType: 'Voyage.U' });
    const voyage = await createVoyage(service, fleet);
    expect(await lastOf(subscription, voyage.portCalls[0].key)).toMatchObject({
      objectType: 'PortCall',
      eventType: 'C',
      subscribedObjectKey: voyage.key,
      reason: 'SAME_TRANSACTION',
    });
  });

  test('OWN_CHANGE', async () => {
    const vessel = await createVessel();
    const wishes = { eventType: `Vessel.U.${vessel}`, notSendMyChanges: true };
    const subscription = await subscribe(service, wishes, owner);
    await changeVessel(vessel, owner.headers);
    expect(await lastOf(subscription, vessel)).toMatchObject({ isNotified: false, reason: 'OWN_CHANGE' });
    await changeVessel(vessel, other.headers);
    expect(await lastOf(subscription, vessel)).toMatchObject({ isNotified: true });
  });
});

describe('an expression', () => {
  test('EXPRESSION_FALSE', async () => {
    const vessel = await createVessel();
    const wishes = { eventType: 'Vessel.U', expression: `svcObject.getKey() != ${vessel}` };
    const subscription = await subscribe(service, wishes);
    await changeVessel(vessel);
    expect(await lastOf(subscription, vessel)).toMatchObject({
      isNotified: false,
      reason: 'EXPRESSION_FALSE',
      message: `The expression was false: svcObject.getKey() != ${vessel} with svcObject.getKey() = ${vessel}.`,
    });
  });

  test('EXPRESSION_ERROR comes with the error', async () => {
    const vessel = await createVessel();
    const wishes = { eventType: 'Vessel.U', expression: 'svcObject.getCallSignal().equals("LAXP")' };
    const subscription = await subscribe(service, wishes);
    await changeVessel(vessel);
    const { isNotified, reason, message } = await lastOf(subscription, vessel);
    expect([isNotified, reason]).toEqual([false, 'EXPRESSION_ERROR']);
    expect(message).toMatch(/^The subscription could not be evaluated\. .*NullPointerException/);
  });

  test('EXPRESSION_ERROR is also the reason for an unusable json', async () => {
    const vessel = await createVessel();
    const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel}` });
    await service.database.pool.query(
      "update flaghoist_service.webhook_subscription set json = 'e30-' where key = $1",
      [subscription],
    );
    await changeVessel(vessel);
    expect(await lastOf(subscription, vessel)).toMatchObject({
      isNotified: false,
      reason: 'EXPRESSION_ERROR',
      message: expect.stringMatching(/^The subscription could not be evaluated\. json is not Base64: /),
    });
  });

  test('NOT_RECORDED if the result is no longer stored', async () => {
    const vessel = await createVessel();
    const subscription = await subscribe(service, { eventType: 'Vessel.U', expression: 'svcObject == null' });
    await changeVessel(vessel);
    await matched(service);
    await service.database.pool.query('delete from flaghoist_system.suppressed_match where subscription_key = $1', [
      subscription,
    ]);
    expect(await lastOf(subscription, vessel)).toMatchObject({ isNotified: false, reason: 'NOT_RECORDED' });
  });
});

test('WAITING until the change is matched', async () => {
  const vessel = await createVessel();
  const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel}` });
  const client = await service.database.pool.connect();
  await client.query('begin');
  await client.query("update flaghoist.vessel set flag = 'WT' where key = $1", [vessel]);
  // Queues the event before the COMMIT, so that nothing matches it in between.
  await client.query('set constraints all immediate');
  await client.query(`update flaghoist_system.unmatched_event set not_before = now() + interval '1 hour'
    where event_id = (select max(id) from flaghoist_system.event where object_key = ${vessel})`);
  await client.query('commit');
  client.release();
  const path = `${subscriptions}/${subscription}/decisions?objectKey=${vessel}&limit=1`;
  expect((await service.get(path)).body).toMatchObject([{ isNotified: false, reason: 'WAITING' }]);
  await service.database.pool.query('update flaghoist_system.unmatched_event set not_before = null');
  await matched(service);
  expect((await service.get(path)).body).toMatchObject([{ isNotified: true, reason: 'NOTIFIED' }]);
});

test('NOT_ACTIVE after the unsubscribe; earlier notifications stay NOTIFIED', async () => {
  const vessel = await createVessel();
  const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel}` });
  await changeVessel(vessel);
  await matched(service);
  expect((await service.put(`${subscriptions}/${subscription}`, { unsubscribed: true })).status).toBe(200);
  await changeVessel(vessel);
  const decisions = await decisionsAt(`${subscription}/decisions?objectKey=${vessel}`);
  expect(decisions.map(({ reason }) => reason)).toEqual(['NOT_ACTIVE', 'NOTIFIED', 'ANOTHER_OPERATION']);
  expect(decisions[0]!.message).toMatch(/^The subscription is not active \(unsubscribed since \d{4}-/);
});

test('every reason is described in the OpenAPI document and in the docs', async () => {
  const { reason } = subscriptionActions.decisions!.answers;
  expect(reason!.kind === 'code' && [...reason!.values].sort()).toEqual([...decisionReasons].sort());
  const page = await readFile('docs/how-to/why-not-notified.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]).filter((name) => name !== 'reason');
  expect(rows.sort()).toEqual([...decisionReasons].sort());
});
