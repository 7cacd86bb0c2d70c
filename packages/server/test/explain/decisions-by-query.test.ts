// Which decisions are returned: of one subscription or of all of a caller, of one event or object. They agree with what
// was sent.

import { beforeAll, describe, expect, test } from 'vitest';
import { heardBy, subscribe } from '../match/heard.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet } from '../support/fleet.ts';
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

describe('decisions', () => {
  test('are returned newest first, up to the limit', async () => {
    const vessel = await createVessel();
    const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel}` });
    for (let count = 0; count < 4; count += 1) await changeVessel(vessel);
    const all = await decisionsAt(`${subscription}/decisions?objectKey=${vessel}`);
    const events = all.map(({ event }) => event);
    expect(events).toHaveLength(5);
    expect(events).toEqual([...events].sort((one, next) => next - one));
    const two = await decisionsAt(`${subscription}/decisions?objectKey=${vessel}&limit=2`);
    expect(two.map(({ event }) => event)).toEqual(events.slice(0, 2));
    const [third] = await decisionsAt(`${subscription}/decisions?event=${events[2]}`);
    expect(third!.event).toBe(events[2]);
  });

  test('are those of the subscribed type and its hierarchy, and no others', async () => {
    const subscription = await subscribe(service, { eventType: 'BunkerOrder.U' });
    const vessel = await createVessel();
    const voyage = await createVoyage(service, fleet);
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
    const [event] = await decisionsAt(
      `${await subscribe(service, { eventType: 'Vessel.C' })}/decisions?objectKey=${vessel}`,
    );
    expect(await decisionsAt(`${subscription}/decisions?event=${event!.event}`)).toEqual([]);
    expect(await decisionsAt(`${subscription}/decisions?objectKey=${vessel}`)).toEqual([]);
    expect(await decisionsAt(`${subscription}/decisions?event=999999999`)).toEqual([]);
    const told = await decisionsAt(`${subscription}/decisions?objectKey=${order.key}`);
    expect(told.map(({ objectType, eventType }) => `${objectType}.${eventType}`).sort()).toEqual([
      'BunkerOrder.C',
      'BunkerOrderLine.C',
      'BunkerOrderLine.C',
    ]);
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'event=0', 'objectKey=-1', 'events=1'])(
    'cannot be asked for by %s',
    async (query) => {
      expectErrorBody(await service.get(`${subscriptions}/decisions?${query}`), 400);
    },
  );

  test('of an object are found, however many changes of other objects followed', async () => {
    const vessel = await createVessel();
    const subscription = await subscribe(service, { eventType: 'Vessel.U' });
    await changeVessel(vessel);
    await service.database.pool.query(`begin;
      insert into flaghoist_system.event (object_type, operation, object_key, new_row)
        select 'Vessel', 'C', 1, '{}' from generate_series(1, 2500);
      set constraints all immediate;
      delete from flaghoist_system.unmatched_event; commit`);
    const all = await decisionsAt(`${subscription}/decisions?limit=1000`);
    expect(all).toHaveLength(1000);
    expect(all.filter(({ objectKey }) => objectKey === vessel)).toEqual([]);
    expect(await lastOf(subscription, vessel)).toMatchObject({ isNotified: true });
  });
});

describe("a caller's subscriptions", () => {
  test('of all own subscriptions are returned at once, those of others are not', async () => {
    const vessel = await createVessel();
    const mine = [
      await subscribe(service, { eventType: `Vessel.U.${vessel}` }, owner),
      await subscribe(service, { eventType: `Vessel.D.${vessel}` }, owner),
    ];
    const theirs = await subscribe(service, { eventType: `Vessel.U.${vessel}` }, other);
    await changeVessel(vessel);
    const [{ event }] = (await decisionsAt(`${theirs}/decisions?limit=1`, other.headers)) as [Decision];
    const reasons = async (headers?: TestClient['headers']) => {
      const decisions = await decisionsAt(`decisions?event=${event}`, headers);
      return new Map(decisions.map(({ subscription, reason }) => [subscription, reason]));
    };
    const seenByOwner = await reasons(owner.headers);
    expect([mine.map((key) => seenByOwner.get(key)), seenByOwner.has(theirs)]).toEqual([
      ['NOTIFIED', 'ANOTHER_OPERATION'],
      false,
    ]);
    const seenByOther = await reasons(other.headers);
    expect([seenByOther.get(theirs), mine.some((key) => seenByOther.has(key))]).toEqual(['NOTIFIED', false]);
    const seenByAdmin = await reasons();
    expect([...mine, theirs].map((key) => seenByAdmin.get(key))).toEqual(['NOTIFIED', 'ANOTHER_OPERATION', 'NOTIFIED']);
    const recent = await decisionsAt('decisions?limit=1000', owner.headers);
    const keys = new Set(recent.map(({ subscription }) => subscription));
    expect([mine.every((key) => keys.has(key)), keys.has(theirs)]).toEqual([true, false]);
  });

  test('of another user are not found', async () => {
    const subscription = await subscribe(service, { eventType: 'Vessel.U' }, owner);
    const refused = await service.get(`${subscriptions}/${subscription}/decisions`, other.headers);
    expect(expectErrorBody(refused, 404).message).toBe(`There is no WebhookSubscription with key ${subscription}.`);
    expectErrorBody(await service.get(`${subscriptions}/999999999/decisions`), 404);
    expect((await service.get(`${subscriptions}/${subscription}/decisions`, owner.headers)).status).toBe(200);
  });

  test('need the scopes of subscriptions', async () => {
    const reader = await createClient(service, ['read']);
    for (const path of ['decisions', '1/decisions'])
      expectErrorBody(await service.get(`${subscriptions}/${path}`, reader.headers), 403);
  });
});

test('decisions agree with what was sent: the same events, subscriptions and objects', async () => {
  const voyage = await createVoyage(service, fleet);
  const keys = [
    await subscribe(service, { eventType: 'Voyage.U' }),
    await subscribe(service, { eventType: 'Voyage.U', onlyMainObject: true }),
    await subscribe(service, { eventType: 'PortCall.C' }),
    await subscribe(service, { eventType: 'PortCall.D' }),
    await subscribe(service, { eventType: 'BunkerOrder.U', expression: '.bunkerOrderStatus = REQ' }),
  ];
  const portCall = voyage.portCalls[0].key;
  const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCall));
  await service.put(`/ws/rest/BunkerOrder/${order.key}`, { bunkerOrderStatus: 'REQ' });
  await service.put(`/ws/rest/PortCall/${portCall}`, { speed: 13 });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, {
    comments: 'changed',
    portCalls: [
      { key: portCall, speed: 14 },
      { port: fleet.port.key, reasonForCall: 'W' },
    ],
  });
  for (const subscription of keys) {
    const decisions = await decisionsAt(`${subscription}/decisions?limit=1000`);
    const sent = await heardBy(service, subscription);
    expect(
      decisions.flatMap(({ notificationId }) => notificationId ?? []).sort(),
      `subscription ${subscription}`,
    ).toEqual(sent.map(({ id }) => id).sort());
    expect(decisions.filter(({ reason }) => reason === 'NOT_RECORDED')).toEqual([]);
  }
});
