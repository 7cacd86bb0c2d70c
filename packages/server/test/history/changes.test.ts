// `GET /ws/rest/changes`: which changes it lists, in which order, and what it shows of each.

import { beforeAll, describe, expect, test } from 'vitest';
import { matched, subscribe } from '../match/heard.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let reader: TestClient;
let owner: TestClient;
beforeAll(async () => {
  fleet = await createFleet(service);
  reader = await createClient(service, ['read']);
  owner = await createClient(service, ['write', 'webhook']);
});

async function changesBy(query: string, headers?: TestClient['headers']): Promise<{ changes: Shown[]; next: number }> {
  const answer = await service.get(`/ws/rest/changes?${query}`, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** `Voyage.U`, newest first. */
async function eventsBy(query: string): Promise<string[]> {
  return (await changesBy(query)).changes.map(({ event }) => event);
}

async function put(type: string, key: number, body: object, headers?: TestClient['headers']): Promise<Shown> {
  const answer = await service.put(`/ws/rest/${type}/${key}`, body, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function createVessel(name: string): Promise<Shown> {
  return create(service, 'Vessel', { vesselName: name });
}

describe('a change', () => {
  test('shows who changed what, and the object by what identifies it', async () => {
    const { key } = await createVessel('Alma');
    await put('Vessel', key, { flag: 'NO', dwtSummer: 12345.5 }, owner.headers);
    const { changes, next } = await changesBy(`objectKey=${key}`, reader.headers);
    expect(next).toBeNull();
    expect(changes[0]).toEqual({
      id: expect.any(Number),
      event: 'Vessel.U',
      objectType: 'Vessel',
      objectKey: key,
      name: 'Alma',
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      user: { key: owner.userKey, userCode: expect.stringMatching(/^user-/) },
      client: owner.clientId,
      changedAttributes: [
        { name: 'flag', old: null, new: 'NO' },
        { name: 'dwtSummer', old: null, new: 12345.5 },
      ],
      mainObjects: [],
      notificationCount: 0,
    });
    expect(changes[1]).toMatchObject({ event: 'Vessel.C', changedAttributes: [{ name: 'vesselName', new: 'Alma' }] });
  });

  test('shows references with key and self, in names by their code, and the main objects', async () => {
    const voyage = await createVoyage(service, fleet);
    const call = voyage.portCalls[0];
    await put('PortCall', call.key, { port: fleet.otherPort.key });
    const [change] = (await changesBy(`objectKey=${call.key}`)).changes;
    const reference = ({ key }: Shown) => ({ key, self: `${service.url()}/ws/rest/Port/${key}` });
    expect(change).toMatchObject({
      name: `${fleet.otherPort.unLoCode}, L`,
      changedAttributes: [{ name: 'port', old: reference(fleet.port), new: reference(fleet.otherPort) }],
      mainObjects: [{ objectType: 'Voyage', objectKey: voyage.key }],
    });
    await put('PortCall', call.key, { eta: '2026-12-31T15:42:00' });
    const [later] = (await changesBy(`objectKey=${call.key}`)).changes;
    expect(later.name).toBe(`${fleet.otherPort.unLoCode}, 2026-12-31 15:42, L`);
    const [created] = (await changesBy(`objectKey=${voyage.key}`)).changes;
    expect(created.name).toBe(`${voyage.referenceNo}, ${fleet.vessel.vesselName}`);
  });

  test('of a deleted object shows its last values', async () => {
    const { key } = await createVessel('Gone');
    await service.delete(`/ws/rest/Vessel/${key}`);
    const [deleted] = (await changesBy(`objectKey=${key}`)).changes;
    expect(deleted).toMatchObject({
      event: 'Vessel.D',
      name: 'Gone',
      changedAttributes: [{ name: 'vesselName', old: 'Gone', new: null }],
    });
  });

  test('counts the notifications that the caller may see, and no others', async () => {
    const { key } = await createVessel('Counted');
    const other = await createClient(service, ['write', 'webhook']);
    for (const by of [owner, owner, other]) await subscribe(service, { eventType: `Vessel.U.${key}` }, by);
    await put('Vessel', key, { flag: 'DK' });
    await matched(service);
    const countBy = async (headers?: TestClient['headers']) =>
      (await changesBy(`objectKey=${key}&limit=1`, headers)).changes[0].notificationCount;
    expect(await countBy()).toBe(3);
    expect(await countBy(owner.headers)).toBe(2);
    expect(await countBy(other.headers)).toBe(1);
    expect(await countBy(reader.headers)).toBe(0);
  });
});

describe('the list', () => {
  test('has the changes of all objects, newest first', async () => {
    const before = (await changesBy('limit=1')).changes[0].id;
    const { key } = await createVessel('Newest');
    await put('Port', fleet.port.key, { timezone: 'UTC' });
    const { changes } = await changesBy('limit=2');
    expect(changes.map(({ event, objectKey }) => [event, objectKey])).toEqual([
      ['Port.U', fleet.port.key],
      ['Vessel.C', key],
    ]);
    expect(changes[1].id).toBeGreaterThan(before);
  });

  test('can be limited to a type, an object, an event and an operation', async () => {
    const { key } = await createVessel('Limited');
    await put('Vessel', key, { flag: 'SE' });
    await put('Vessel', key, { flag: 'FI' });
    await put('Port', fleet.port.key, { timezone: 'CET' });
    expect(await eventsBy('objectType=Vessel&limit=3')).toEqual(['Vessel.U', 'Vessel.U', 'Vessel.C']);
    expect(await eventsBy(`objectKey=${key}`)).toEqual(['Vessel.U', 'Vessel.U', 'Vessel.C']);
    expect(await eventsBy(`objectType=Vessel&objectKey=${key}&event=Vessel.C`)).toEqual(['Vessel.C']);
    expect(await eventsBy(`objectKey=${key}&event=*.U`)).toEqual(['Vessel.U', 'Vessel.U']);
    expect(await eventsBy(`objectType=Port&objectKey=${key}`)).toEqual([]);
    expect(await eventsBy('objectType=Vessel&event=Port.*')).toEqual([]);
    expect((await changesBy('event=Vessel.C&limit=1')).changes[0].objectKey).toBe(key);
  });

  test('is paged without a gap or a repeat', async () => {
    const { key } = await createVessel('Paged');
    for (let count = 0; count < 6; count += 1) await put('Vessel', key, { builtYear: 2000 + count });
    const all = (await changesBy(`objectKey=${key}`)).changes.map(({ id }) => id);
    expect(all).toHaveLength(7);
    const paged: number[] = [];
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const { changes, next }: { changes: Shown[]; next: number | null } = await changesBy(
        `objectKey=${key}&limit=3&before=${before}`,
      );
      paged.push(...changes.map(({ id }) => id));
      before = next;
    }
    expect(paged).toEqual(all);
  });

  test('goes on behind any number of changes that are not wanted', async () => {
    const { key } = await createVessel('Hidden by others');
    await service.delete(`/ws/rest/Vessel/${key}`);
    await service.database.pool.query(`begin;
      insert into flaghoist_system.event (object_type, operation, object_key, old_row, new_row)
        select 'Vessel', 'U', 1, '{}', '{}' from generate_series(1, 45000);
      set constraints all immediate;
      delete from flaghoist_system.unmatched_event; commit`);
    const found: number[] = [];
    let pages = 0;
    for (let query = ''; found.length === 0; pages += 1) {
      const { changes, next } = await changesBy(`event=Vessel.D&limit=1${query}`);
      found.push(...changes.map(({ objectKey }) => objectKey));
      query = `&before=${next}`;
    }
    expect(found).toEqual([key]);
    expect(pages).toBeGreaterThan(1);
  });
});

describe('the hierarchy of an object', () => {
  test('has the changes of its sub-objects, also of deleted ones', async () => {
    const voyage = await createVoyage(service, fleet);
    const other = await createVoyage(service, fleet);
    const [first, second] = voyage.portCalls;
    await put('PortCall', other.portCalls[0].key, { speed: 11 });
    await put('PortCall', first.key, { eventLogs: [{ event: 'DEP' }] });
    await service.delete(`/ws/rest/PortCall/${second.key}`);
    const query = `objectType=Voyage&objectKey=${voyage.key}&hierarchy=true`;
    const { changes } = await changesBy(query);
    const told = changes.map(({ event, objectKey }) => `${event}.${objectKey}`);
    expect(told).toHaveLength(7);
    expect(told[0]).toBe(`PortCall.D.${second.key}`);
    expect(told.map((each) => each.split('.').slice(0, 2).join('.')).sort()).toEqual([
      'EventLog.C',
      'EventLog.C',
      'EventLog.D',
      'PortCall.C',
      'PortCall.C',
      'PortCall.D',
      'Voyage.C',
    ]);
    expect(await eventsBy(`${query}&event=PortCall.D`)).toEqual(['PortCall.D']);
    expect(await eventsBy(`objectType=Voyage&objectKey=${voyage.key}`)).toEqual(['Voyage.C']);
  });

  test('has the changes behind a followed reference as long as the reference was there', async () => {
    const voyage = await createVoyage(service, fleet);
    const [first, second] = voyage.portCalls;
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, first.key));
    await put('PortCall', first.key, { speed: 12 });
    await put('BunkerOrder', order.key, { portCall: second.key });
    await put('PortCall', first.key, { speed: 13 });
    await put('PortCall', second.key, { speed: 14 });
    const { changes } = await changesBy(`objectType=BunkerOrder&objectKey=${order.key}&hierarchy=true`);
    const calls = changes.filter(({ objectType }) => objectType === 'PortCall');
    expect(calls.map(({ objectKey, changedAttributes }) => [objectKey, changedAttributes[0].new])).toEqual([
      [second.key, 14],
      [first.key, 12],
    ]);
  });

  test('without a key is that of all objects of the type', async () => {
    const voyage = await createVoyage(service, fleet);
    await put('PortCall', voyage.portCalls[0].key, { speed: 9 });
    await put('Vessel', fleet.vessel.key, { flag: 'IS' });
    const [newest] = (await changesBy('objectType=Voyage&hierarchy=true&limit=1')).changes;
    expect([newest.event, newest.mainObjects]).toEqual([
      'PortCall.U',
      [{ objectType: 'Voyage', objectKey: voyage.key }],
    ]);
  });

  test('with a thousand objects is found as well', async () => {
    const line = { minQuantity: 1, maxQuantity: 2, unitPrice: 3, bunkerType: fleet.bunkerType.key };
    const voyage = await createVoyage(service, fleet);
    const lines = Array.from({ length: 1000 }, () => line);
    const body = { ...bunkerOrderBody(fleet, voyage.portCalls[0].key), bunkerOrderLines: lines };
    const order = await create(service, 'BunkerOrder', body);
    const query = `objectType=BunkerOrder&objectKey=${order.key}&hierarchy=true`;
    expect(await eventsBy(`${query}&event=BunkerOrder.C`)).toEqual(['BunkerOrder.C']);
    expect(await eventsBy(`${query}&event=BunkerOrderLine.C&limit=2`)).toHaveLength(2);
  });
});

describe('a request', () => {
  test.each([
    ['objectType=Vesel', /no type "Vesel"\. Did you mean "Vessel"/],
    ['objectType=Remarks', /changes to Remarks are not recorded/],
    ['hierarchy=true', /also needs objectType/],
    ['event=Vessel', /must be <Resource/],
    ['event=Vessel.X', /operation/],
    ['event=Vessel.U.5', /give it as objectKey/],
    ['objectKey=x', /not a key/],
    ['limit=0', /between 1 and 200/],
    ['limit=201', /between 1 and 200/],
    ['before=0', /not a key/],
    ['limit=1&limit=2', /limit/],
    ['colour=red', /colour/],
  ])('with %s is refused', async (query, message) => {
    expect(expectErrorBody(await service.get(`/ws/rest/changes?${query}`), 400).message).toMatch(message);
  });

  test('needs the scope read, and GET', async () => {
    expectErrorBody(await service.get('/ws/rest/changes', { authorization: '' }), 401);
    const answer = await service.post('/ws/rest/changes', {});
    expectErrorBody(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('of an older API version shows no newer attributes', async () => {
    expect((await service.get('/ws/rest/changes?limit=1', { 'api-version': '3.3' })).status).toBe(200);
  });
});
