// Which changes a subscription with several event types or wildcards is notified of, and what the envelope says.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, heardBy, subscribe } from './heard.ts';

const service = useTestService();
let fleet: Fleet;
let planner: TestClient;

let speed = 0;
const nextSpeed = () => {
  speed += 0.25;
  return speed;
};

beforeAll(async () => {
  fleet = await createFleet(service);
  planner = await createClient(service, ['write', 'webhook']);
});

const to = (eventTypes: readonly string[], more: object = {}) => subscribe(service, { eventTypes, ...more });
const heard = async (subscription: number) => (await changesHeardBy(service, subscription)).sort();

/** Changes its comments. */
async function comment({ key }: Shown, comments: string, by?: TestClient): Promise<void> {
  const { status } = await service.put(`/ws/rest/Voyage/${key}`, { comments }, by?.headers);
  expect(status).toBe(200);
}

test('several plain event types: each of them, and nothing else', async () => {
  const other = await createVoyage(service, fleet);
  const subscription = await to(['Voyage.C', 'Vessel.U']);
  const voyage = await createVoyage(service, fleet);
  await comment(voyage, 'not created');
  await service.put(`/ws/rest/Vessel/${fleet.vessel.key}`, { flag: 'FI' });
  await service.delete(`/ws/rest/Voyage/${other.key}`);
  expect(await heard(subscription)).toEqual([`Vessel.U.${fleet.vessel.key}`, `Voyage.C.${voyage.key}`]);
});

test('X.*: an X is created, updated or deleted, or anything in its hierarchy changes', async () => {
  const subscription = await to(['Voyage.*']);
  const voyage = await createVoyage(service, fleet);
  await comment(voyage, 'updated');
  const [{ key: call }] = voyage.portCalls;
  await service.put(`/ws/rest/PortCall/${call}`, { speed: 8 });
  await service.delete(`/ws/rest/Voyage/${voyage.key}`);
  expect(await changesHeardBy(service, subscription)).toEqual([
    `Voyage.C.${voyage.key}`,
    `Voyage.U.${voyage.key}`,
    `PortCall.U.${call} of ${voyage.key}`,
    `Voyage.D.${voyage.key}`,
  ]);
});

test('X.*.key: only that X', async () => {
  const [one, other] = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
  const subscription = await to([`Voyage.*.${one.key}`]);
  for (const voyage of [one, other]) await comment(voyage, 'updated');
  for (const { key } of [one, other]) await service.delete(`/ws/rest/Voyage/${key}`);
  expect(await heard(subscription)).toEqual([`Voyage.D.${one.key}`, `Voyage.U.${one.key}`]);
});

test('*.D: every object that is deleted, whatever its type; and nothing of a hierarchy', async () => {
  const voyage = await createVoyage(service, fleet);
  const [first, second] = voyage.portCalls;
  const [log] = (await service.get(`/ws/rest/PortCall/${first.key}`)).body.eventLogs;
  const subscription = await to(['*.D']);
  await comment(voyage, 'not deleted');
  await service.delete(`/ws/rest/Voyage/${voyage.key}`);
  expect(await heard(subscription)).toEqual(
    [`EventLog.D.${log.key}`, `PortCall.D.${first.key}`, `PortCall.D.${second.key}`, `Voyage.D.${voyage.key}`].sort(),
  );
});

describe('*.U and *.* and a PortCall in the hierarchies of others', () => {
  let voyage: Shown;
  let call: number;
  let orders: Shown[];
  beforeAll(async () => {
    voyage = await createVoyage(service, fleet);
    call = voyage.portCalls[0].key;
    const body = bunkerOrderBody(fleet, call);
    orders = [await create(service, 'BunkerOrder', body), await create(service, 'BunkerOrder', body)];
  });

  test.each([[['*.U']], [['*.*']], [['*.*', 'PortCall.U', 'Voyage.*']]])(
    '%j: once per subscribed object: the PortCall itself, its Voyage, and its BunkerOrders',
    async (eventTypes) => {
      const subscription = await to(eventTypes);
      await service.put(`/ws/rest/PortCall/${call}`, { speed: nextSpeed() });
      const above = [voyage, ...orders].map(({ key }) => `PortCall.U.${call} of ${key}`);
      expect(await heard(subscription)).toEqual([`PortCall.U.${call}`, ...above].sort());
    },
  );

  test('with onlyMainObject it is one notification', async () => {
    const subscription = await to(['*.U', '*.*'], { onlyMainObject: true });
    await service.put(`/ws/rest/PortCall/${call}`, { speed: 5 });
    const log = await create(service, 'EventLog', { portCall: call, event: 'DEP' });
    expect(await heard(subscription)).toEqual([`EventLog.C.${log.key}`, `PortCall.U.${call}`]);
  });

  test('each notification shows its own object, in the default view of its type', async () => {
    const subscription = await to(['*.U']);
    await service.put(`/ws/rest/PortCall/${call}`, { speed: 6 });
    for (const { body, subscribedObjectKey } of await heardBy(service, subscription)) {
      const [, type] = /\/(\w+)\/\d+$/.exec(body.resource.self)!;
      expect(body.resource).toEqual((await service.get(`/ws/rest/${type}/${subscribedObjectKey}`)).body);
    }
  });
});

test('event types that overlap: one notification, which names the first that matches', async () => {
  const voyage = await createVoyage(service, fleet);
  const key = voyage.key;
  const lists = [
    ['Voyage.*', 'Voyage.U', 'Voyage.U', `Voyage.U.${key}`, '*.*'],
    [`Voyage.U.${key}`, 'Voyage.*', `Voyage.*.${key}`],
    [`Voyage.U.${key}`, `Voyage.U.${key}`, `Voyage.*.${key}`],
    ['*.C', 'Voyage.D', '*.U', '*.*'],
    ['Voyage.D', 'Voyage.U'],
  ];
  const subscriptions = [];
  for (const eventTypes of lists) subscriptions.push(await to(eventTypes));
  await comment(voyage, 'once');
  const named = [];
  for (const subscription of subscriptions) {
    const bodies = (await heardBy(service, subscription)).map(({ body }) => body);
    expect(bodies).toMatchObject([{ objectType: 'Voyage', eventType: 'U', serviceObject: key }]);
    named.push(bodies[0].subscription.eventType);
  }
  expect(named).toEqual(['Voyage.*', `Voyage.U.${key}`, `Voyage.U.${key}`, '*.U', 'Voyage.U']);
});

test('the envelope of a change in the hierarchy names the event type that covers the subscribed object', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await to(['PortCall.D', 'Voyage.U', 'PortCall.*']);
  await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 4 });
  const bodies = (await heardBy(service, subscription)).map(({ body }) => body);
  const named = bodies.map(({ resource, subscription: { eventType } }) => [resource.key, eventType]);
  expect(named.sort()).toEqual(
    [
      [voyage.key, 'Voyage.U'],
      [voyage.portCalls[0].key, 'PortCall.*'],
    ].sort(),
  );
});

test('a script of several event types of one type: its default body names the one that matched', async () => {
  const script = await create(service, 'AlertScript', { code: 'EVERY', name: 'Every', body: 'return true;' });
  const subscription = await to(['Voyage.C', 'Voyage.*'], { dlpAlertScript: script.code });
  const voyage = await createVoyage(service, fleet);
  await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 3 });
  const named = async () =>
    (await heardBy(service, subscription)).map(({ body }) => `${body.objectType}: ${body.subscription.eventType}`);
  await expect.poll(named, { timeout: 10_000 }).toHaveLength(2);
  expect((await named()).sort()).toEqual(['PortCall: Voyage.*', 'Voyage: Voyage.C']);
});

test('with notSendMyChanges those of the own user are left out', async () => {
  const voyage = await createVoyage(service, fleet);
  const wishes = { eventTypes: ['*.U', 'Voyage.*'], notSendMyChanges: true };
  const subscription = await subscribe(service, wishes, planner);
  await comment(voyage, 'mine', planner);
  await comment(voyage, 'of the administrator');
  expect((await heardBy(service, subscription)).map(({ body }) => body.resource.comments)).toEqual([
    'of the administrator',
  ]);
});

test('a wildcard covers neither types without events nor types that subscribers cannot read', async () => {
  const subscription = await to(['*.*']);
  const remarks = await create(service, 'Remarks', { source: fleet.vessel.key, remarkTitle: 'one' });
  await service.delete(`/ws/rest/Remarks/${remarks.key}`);
  await createClient(service, ['read']);
  await subscribe(service, { eventType: 'Port.C' });
  expect(await heard(subscription)).toEqual([]);
});

test('an unsubscribed one is notified of nothing any more', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await to(['Voyage.*', '*.U', `Voyage.U.${voyage.key}`, `Voyage.*.${voyage.key}`]);
  await comment(voyage, 'before');
  expect(await heard(subscription)).toHaveLength(1);
  await service.put(`/ws/rest/WebhookSubscription/${subscription}`, { unsubscribed: true });
  await comment(voyage, 'after');
  expect(await heard(subscription)).toHaveLength(1);
});
