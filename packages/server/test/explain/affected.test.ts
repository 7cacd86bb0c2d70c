// Who would be notified of a change before it is saved: the same subscriptions as when it is saved.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { heardBy, subscribe } from '../match/heard.ts';
import { makeScript, prepared } from '../shape/shaped.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import {
  bunkerOrderBody,
  cargoBody,
  create,
  createFleet,
  createVoyage,
  type Fleet,
  read,
  type Shown,
} from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const path = '/ws/rest/WebhookSubscription/affected';
let fleet: Fleet;
let owner: TestClient;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  owner = await createClient(service, ['write', 'webhook']);
});
beforeEach(async () => {
  voyage = await createVoyage(service, fleet, { freight: 100 });
});

interface Affected {
  subscriptions: { key: number; name: string | null; userKey: number; certain: boolean }[];
  count: number;
  uncertain: number;
}

async function affected(body: object, headers?: TestClient['headers']): Promise<Affected> {
  const answer = await service.post(path, body, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const ofVoyage = (changes: object, more: object = {}) => ({
  objectType: 'Voyage',
  objectKey: voyage.key,
  changes,
  ...more,
});

/** Those among `keys` that would hear of it. */
async function hearing(keys: readonly number[], body: object): Promise<number[]> {
  const { subscriptions } = await affected(body);
  return keys.filter((key) => subscriptions.some((each) => each.key === key));
}

const subscribeToVoyage = (wishes: object = {}, by?: TestClient) =>
  subscribe(service, { eventType: `Voyage.U.${voyage.key}`, ...wishes }, by);

describe('a change of an object', () => {
  test('is heard by those whose conditions hold with the new values', async () => {
    const rises = await subscribeToVoyage({ expression: 'freight > old.freight', name: 'Rising' });
    const falls = await subscribeToVoyage({ expression: 'freight < old.freight' });
    const fails = await subscribeToVoyage({ expression: 'svcObject.getBallastPort().getPortName().isEmpty()' });
    const all = [rises, falls, fails];
    expect(await hearing(all, ofVoyage({ freight: 120 }))).toEqual([rises]);
    expect(await hearing(all, ofVoyage({ freight: 80 }))).toEqual([falls]);
    expect(await hearing(all, ofVoyage({ freight: 100 }))).toEqual([]);
    const { subscriptions } = await affected(ofVoyage({ freight: 120 }));
    const { body: user } = await service.get(`/ws/rest/WebhookSubscription/${rises}`);
    expect(subscriptions).toContainEqual({ key: rises, name: 'Rising', userKey: user.user.key, certain: true });
  });

  test('is heard of in its sub-objects and in the hierarchies that it is in', async () => {
    const [call, other] = voyage.portCalls;
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
    const another = await createVoyage(service, fleet);
    const ofCall = await subscribe(service, { eventTypes: [`PortCall.*.${call.key}`] });
    const ofOrder = await subscribe(service, { eventType: `BunkerOrder.U.${order.key}` });
    const ofAnother = await subscribe(service, { eventType: `Voyage.U.${another.key}` });
    const here = await subscribeToVoyage();
    const mainOnly = await subscribeToVoyage({ onlyMainObject: true });
    const all = [ofCall, ofOrder, ofAnother, here, mainOnly];
    const portCalls = [{ key: call.key, speed: 11 }, { key: other.key }];
    expect(await hearing(all, ofVoyage({ portCalls }))).toEqual([ofCall, ofOrder, here]);
    expect(await hearing(all, ofVoyage({ comments: 'new' }))).toEqual([here, mainOnly]);
    const moved = { objectType: 'PortCall', objectKey: call.key, changes: { voyage: another.key } };
    expect(await hearing(all, moved)).toEqual([ofCall, ofOrder, ofAnother, here]);
  });

  test('that is created or deleted is heard of once, not as an update', async () => {
    const created = await subscribe(service, { eventType: 'Voyage.C', expression: 'freight = 7777' });
    const updated = await subscribe(service, { eventType: 'Voyage.U', expression: 'freight = 7777' });
    const deleted = await subscribe(service, { eventType: `Voyage.D.${voyage.key}` });
    const here = await subscribeToVoyage();
    const all = [created, updated, deleted, here];
    const cargos = [cargoBody(fleet)];
    const portCalls = [{ port: fleet.port.key, reasonForCall: 'L', eventLogs: [{ event: 'ARR' }] }];
    const changes = { vessel: fleet.vessel.key, freight: 7777, portCalls, cargos };
    expect(await hearing(all, { objectType: 'Voyage', changes })).toEqual([created]);
    const deletion = { objectType: 'Voyage', objectKey: voyage.key, operation: 'D' };
    expect(await hearing(all, deletion)).toEqual([deleted]);
  });

  test('is not heard of by a subscription that is not active, or that is not told of own changes', async () => {
    const ended = await subscribeToVoyage();
    await service.put(`/ws/rest/WebhookSubscription/${ended}`, { unsubscribed: true });
    const own = await subscribeToVoyage({ notSendMyChanges: true }, owner);
    const { subscriptions } = await affected(ofVoyage({ freight: 1 }), owner.headers);
    expect(subscriptions.map(({ key }) => key)).not.toContain(own);
    expect(await hearing([ended, own], ofVoyage({ freight: 1 }))).toEqual([own]);
  });

  test('is heard of by those that really are notified when it is saved', async () => {
    const expressions = [
      'freight > 100',
      'changedObject instanceof PortCall',
      'svcObject.getPortCalls().stream().anyMatch(p -> p.getSpeed() != null && p.getSpeed() > 12)',
      '!Objects.equals(svcObject.getComments(), oldSvcObject.getComments())',
      'oldChangedObject == null',
      'svcObject.getPortCalls().size() != oldSvcObject.getPortCalls().size()',
    ];
    const keys: number[] = [];
    for (const expression of expressions) keys.push(await subscribeToVoyage({ expression }));
    const [call, other] = voyage.portCalls;
    for (const changes of [
      { freight: 150, comments: 'dearer' },
      { portCalls: [{ key: call.key, speed: 14 }, { key: other.key }] },
      { portCalls: [{ key: call.key }, { key: other.key }, { port: fleet.port.key, reasonForCall: 'B' }] },
      { freight: 50, portCalls: [{ key: other.key, speed: 5 }] },
    ]) {
      const before = await Promise.all(keys.map(async (key) => (await heardBy(service, key)).length));
      const expected = await hearing(keys, ofVoyage(changes));
      const saved = await service.put(`/ws/rest/Voyage/${voyage.key}`, changes);
      expect(saved.status, saved.text).toBe(200);
      const after = await Promise.all(keys.map(async (key) => (await heardBy(service, key)).length));
      expect(keys.filter((_, index) => after[index]! > before[index]!)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
    }
  });
});

test('a subscription with a script is not certain, and the script is not run', async () => {
  const { code } = await makeScript(service, 'for (;;);');
  const scripted = await subscribeToVoyage({ dlpAlertScript: code });
  const never = await subscribeToVoyage({ dlpAlertScript: code, expression: 'freight < 0' });
  const plain = await subscribeToVoyage();
  const { subscriptions, uncertain } = await affected(ofVoyage({ freight: 5 }));
  expect(subscriptions.find(({ key }) => key === scripted)).toMatchObject({ certain: false });
  expect(subscriptions.find(({ key }) => key === plain)).toMatchObject({ certain: true });
  expect(subscriptions.map(({ key }) => key)).not.toContain(never);
  expect(uncertain).toBe(subscriptions.filter(({ certain }) => !certain).length);
});

test('others than administrators see their own subscriptions, and only how many there are of others', async () => {
  const theirs = await subscribeToVoyage({ name: 'Theirs' });
  const mine = await subscribeToVoyage({ name: 'Mine' }, owner);
  const change = ofVoyage({ freight: 1 });
  const forAdmin = await affected(change);
  expect(forAdmin.subscriptions.map(({ key }) => key)).toEqual(expect.arrayContaining([theirs, mine]));
  const forOwner = await affected(change, owner.headers);
  expect(forOwner.subscriptions).toEqual([{ key: mine, name: 'Mine', userKey: owner.userKey, certain: true }]);
  expect(forOwner.count).toBe(forAdmin.count);
  expect(JSON.stringify(forOwner)).not.toContain('Theirs');
});

test('nothing remains: not the change, not its events, and no number is used up', async () => {
  await subscribeToVoyage();
  const traces = async () => {
    await prepared(service);
    const { rows } = await service.database.pool.query(`select
      (select last_value from flaghoist.object_key) as key,
      (select json_agg(last_value order by sequencename) from pg_sequences where schemaname = 'flaghoist') as numbers,
      (select count(*) from flaghoist_service.webhook_notification) as notifications,
      (select count(*) from flaghoist_service.audit_log) as audits,
      (select count(*) from flaghoist.voyage) as voyages,
      (select count(*) from flaghoist.port_call) as calls,
      (select count(*) from flaghoist_system.event) as events,
      (select count(*) from flaghoist_system.unmatched_event) as unmatched`);
    return { ...rows[0], voyage: await read(service, 'Voyage', voyage.key) };
  };
  const before = await traces();
  await affected(ofVoyage({ freight: 3, portCalls: [] }));
  await affected({ objectType: 'Voyage', objectKey: voyage.key, operation: 'D' });
  const portCalls = [{ port: fleet.port.key, reasonForCall: 'L' }];
  await affected({ objectType: 'Voyage', changes: { vessel: fleet.vessel.key, portCalls } });
  expect((await service.post(path, ofVoyage({ freight: 'x' }))).status).toBe(400);
  expect(await traces()).toEqual(before);
  expect((await create(service, 'Voyage', { vessel: fleet.vessel.key })).referenceNo).toBe(voyage.referenceNo + 1);
});

describe('a request with mistakes is a 400 that says where', () => {
  test.each<[string, () => object, string, RegExp]>([
    ['no type', () => ({ changes: {} }), 'objectType', /is required/],
    ['a type that is none', () => ({ objectType: 'Voyge', changes: {} }), 'objectType', /Did you mean "Voyage"/],
    ['a type of the service', () => ({ objectType: 'ApiUser', changes: {} }), 'objectType', /no such object type/],
    ['a type without events', () => ({ objectType: 'Remarks', changes: {} }), 'objectType', /never notified/],
    ['no changes', () => ({ objectType: 'Voyage', objectKey: voyage.key }), 'changes', /is required/],
    ['changes that are no object', () => ofVoyage([]), 'changes', /must be an object, not an array/],
    ['a wrong value', () => ofVoyage({ freight: 'much' }), 'changes.freight', /must be a number/],
    ['an unknown attribute', () => ofVoyage({ fright: 1 }), 'changes.fright', /Did you mean "freight"/],
    [
      'a wrong element',
      () => ofVoyage({ portCalls: [{ speed: 1 }] }),
      'changes.portCalls[0].reasonForCall',
      /is required/,
    ],
    ['a reference to nothing', () => ofVoyage({ vessel: 999_999_999 }), 'changes.vessel', /there is no Vessel/],
    ['a missing attribute', () => ({ objectType: 'Cargo', changes: {} }), 'changes.cargoMeasurement', /is required/],
    ['an object that is none', () => ofVoyage({}, { objectKey: 999_999_999 }), 'objectKey', /no Voyage with key/],
    ['a key with C', () => ofVoyage({}, { operation: 'C' }), 'objectKey', /goes without C/],
    ['a D without a key', () => ({ objectType: 'Voyage', operation: 'D' }), 'objectKey', /is required with D/],
    ['changes with D', () => ofVoyage({}, { operation: 'D' }), 'changes', /goes without D/],
    ['something unknown', () => ofVoyage({}, { save: true }), 'save', /does not take it/],
  ])('%s', async (_, body, place, message) => {
    const { violations } = expectErrorBody(await service.post(path, body()), 400);
    expect(violations![0]).toEqual({ path: place, message: expect.stringMatching(message) });
  });

  test('a change that the database rejects is rejected as when it is saved', async () => {
    const changes = { unLoCode: fleet.port.unLoCode, portName: 'Again', country: 'NL' };
    expectErrorBody(await service.post(path, { objectType: 'Port', changes }), 409);
  });
});

test('it needs the scopes of subscriptions', async () => {
  const reader = await createClient(service, ['read']);
  expectErrorBody(await service.post(path, ofVoyage({ freight: 1 }), reader.headers), 403);
});

test('more than a thousand subscriptions are counted, and those that were not evaluated are uncertain', async () => {
  const wishes = { eventType: `Voyage.U.${voyage.key}`, url: 'http://127.0.0.1:9/hook' };
  for (const expression of ['freight = 2', 'freight = 3']) {
    const bodies = Array.from({ length: 510 }, () => ({ ...wishes, expression }));
    expect((await service.post('/ws/rest/WebhookSubscription/batch', bodies)).status).toBe(201);
  }
  const { subscriptions, count, uncertain } = await affected(ofVoyage({ freight: 2 }));
  expect(subscriptions).toHaveLength(100);
  // The newest thousand are evaluated: 510 of them do not match.
  expect(count - uncertain).toBe(490);
  expect(uncertain).toBeGreaterThanOrEqual(20);
});
