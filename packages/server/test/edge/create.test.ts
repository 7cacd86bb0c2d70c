// POST creates one object, or all objects of an array or none.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventNamesDuring } from '../support/events-written.ts';
import { cargoBody, create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { scenario, testScenarios } from '../support/scenario.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

testScenarios(service, [
  scenario({
    name: 'POST creates: 201, Location, the whole object, and one event',
    given: async () => fleet,
    request: () => ({ method: 'POST', path: 'Voyage', body: { comments: 'Made', vessel: fleet.vessel.key } }),
    status: 201,
    body: () => ({ comments: 'Made', vessel: { vesselName: fleet.vessel.vesselName }, portCalls: [], cargos: [] }),
    headers: (_, { body }) => ({
      location: `${service.url()}/ws/rest/Voyage/${body.key}`,
      'content-type': 'application/json; charset=utf-8',
    }),
    events: (_, { body }) => [`Voyage.C.${body.key}`],
  }),
  scenario({
    name: 'POST creates sub-objects with their owner, each with its event',
    given: async () => fleet,
    request: ({ port }) => ({
      method: 'POST',
      path: 'Voyage',
      body: {
        portCalls: [
          { port: port.key, reasonForCall: 'L' },
          { port: port.key, reasonForCall: 'D' },
        ],
      },
    }),
    status: 201,
    body: () => ({ portCalls: [{ reasonForCall: 'L' }, { reasonForCall: 'D' }] }),
    events: (_, { body }) => [`Voyage.C.${body.key}`, ...body.portCalls.map(({ key }: Shown) => `PortCall.C.${key}`)],
  }),
  scenario({
    name: 'a JSON array creates all: 201 and an array in the same order, no Location',
    given: async () => fleet,
    request: () => ({
      method: 'POST',
      path: 'Vessel',
      body: ['Zulu', 'Alfa', 'Mike'].map((vesselName) => ({ vesselName })),
    }),
    status: 201,
    body: () => [{ vesselName: 'Zulu' }, { vesselName: 'Alfa' }, { vesselName: 'Mike' }],
    headers: () => ({ location: null }),
    events: (_, { body }) => body.map(({ key }: Shown) => `Vessel.C.${key}`),
  }),
  scenario({
    name: 'a JSON array with one bad object creates none, and its violation says which',
    given: async () => fleet,
    request: () => ({ method: 'POST', path: 'Vessel', body: [{ vesselName: 'Good' }, { vesselName: 5 }, {}] }),
    status: 400,
    body: () => ({ violations: [{ path: '[1].vesselName' }, { path: '[2].vesselName' }] }),
  }),
  scenario({
    name: 'a JSON array in which one object has a code that is taken creates none',
    given: async () => fleet,
    request: ({ port }) => ({
      method: 'POST',
      path: 'Port',
      body: [{ unLoCode: 'ZZNEW' }, { unLoCode: port.unLoCode }],
    }),
    status: 409,
  }),
  scenario({
    name: 'a JSON array of more than 1000 objects is a 400',
    given: async () => fleet,
    request: () => ({
      method: 'POST',
      path: 'Vessel',
      body: Array.from({ length: 1001 }, () => ({ vesselName: 'x' })),
    }),
    status: 400,
  }),
  scenario({
    name: 'an object that is read and posted again without its key is a new one',
    given: async () => read(service, 'Vessel', fleet.vessel.key),
    request: (vessel) => ({ method: 'POST', path: 'Vessel', body: { ...vessel, key: null } }),
    status: 201,
    body: ({ vesselName }) => ({ vesselName }),
    events: (_, { body }) => [`Vessel.C.${body.key}`],
  }),
  scenario({
    name: 'an object that is read and posted again with its key is a 400, and nothing is created',
    given: async () => read(service, 'Vessel', fleet.vessel.key),
    request: (vessel) => ({ method: 'POST', path: 'Vessel', body: vessel }),
    status: 400,
    body: () => ({ violations: [{ path: 'key', message: expect.stringContaining('must be null or left out') }] }),
  }),
  scenario({
    name: 'a key in one object of an array is a 400 that says which, and none is created',
    given: async () => fleet,
    request: ({ vessel }) => ({
      method: 'POST',
      path: 'Vessel',
      body: [
        { vesselName: 'Good', key: null },
        { vesselName: 'Bad', key: vessel.key },
      ],
    }),
    status: 400,
    body: () => ({ violations: [{ path: '[1].key' }] }),
  }),
]);

test('the answer to a POST shows what a trigger of the operator did after the insert', async () => {
  const { pool } = service.database;
  await pool.query(`create function public.complete() returns trigger language plpgsql as
    $$ begin update flaghoist.voyage set comments = 'completed' where key = new.key; return null; end $$;
    create trigger complete after insert on flaghoist.voyage for each row when (new.comments = 'to be completed')
    execute function public.complete()`);
  onTestFinished(async () => {
    await pool.query('drop function public.complete() cascade');
  });
  const made = await service.post('/ws/rest/Voyage', { comments: 'to be completed' });
  expect(made.body).toMatchObject({ comments: 'completed' });
  const shown = await service.get(`/ws/rest/Voyage/${made.body.key}`);
  expect([made.text, made.headers.get('etag')]).toEqual([shown.text, shown.headers.get('etag')]);
});

describe('the answer to a POST is that of a GET, with the same ETag, which an If-Match takes', () => {
  const bodies: [string, string, () => object][] = [
    ['no attributes', 'Voyage', () => ({})],
    ['plain attributes', 'Vessel', () => ({ vesselName: 'Plain', imoNumber: '9074729', dwtSummer: 75000.5 })],
    [
      'a date, a boolean and empty collections',
      'Voyage',
      () => ({ isTc: true, estimatedVoyageStartDate: '2026-01-31' }),
    ],
    ['a reference', 'Voyage', () => ({ comments: 'Refers', vessel: fleet.vessel.key })],
    ['sub-objects', 'Voyage', () => ({ portCalls: [{ port: fleet.port.key, reasonForCall: 'L' }] })],
  ];
  test.each(bodies)('%s', async (_, type, body) => {
    const made = await service.post(`/ws/rest/${type}`, body());
    expect(made.status).toBe(201);
    const path = `/ws/rest/${type}/${made.body.key}`;
    const shown = await service.get(path);
    expect([made.text, made.headers.get('etag')]).toEqual([shown.text, shown.headers.get('etag')]);
    const changed = await service.put(path, { externalObjectKey: 'x' }, { 'if-match': made.headers.get('etag')! });
    expect(changed.status).toBe(200);
  });
});

describe('a key in a POST', () => {
  const types = ['Voyage', 'Port', 'Currency', 'Remarks', 'Document', 'ApiUser', 'ApiClient', 'WebhookSubscription'];

  test.each(types)('is a 400 that names it, whatever else is wrong: %s', async (type) => {
    for (const key of [1, fleet.vessel.key, 0, -1, '5', 'x', true, {}, []]) {
      const { status, body } = await service.post(`/ws/rest/${type}`, { key });
      expect(status).toBe(400);
      expect(body.violations.map(({ path }: Shown) => path)).toContain('key');
    }
    const { body } = await service.post(`/ws/rest/${type}`, { key: null, x: 1 });
    expect(body.violations.map(({ path }: Shown) => path)).not.toContain('key');
  });

  test('of an element must exist: with another owner it is a 400, without an owner it is attached', async () => {
    const { portCalls } = await createVoyage(service, fleet);
    const taken = await service.post('/ws/rest/Voyage', { portCalls: [{ key: portCalls[0].key }] });
    expect([taken.status, taken.body.violations]).toEqual([
      400,
      [{ path: 'portCalls[0].key', message: `PortCall ${portCalls[0].key} belongs to another object.` }],
    ]);
    const cargo = await create(service, 'Cargo', cargoBody(fleet));
    const owner = await create(service, 'Voyage', { cargos: [{ key: cargo.key }] });
    expect((await read(service, 'Cargo', cargo.key)).voyage.key).toBe(owner.key);
  });
});

describe('the response to a POST', () => {
  test('equals that of a GET, with the same ETag', async () => {
    const posted = await service.post('/ws/rest/Voyage', {
      portCalls: [{ port: fleet.port.key, reasonForCall: 'L', eventLogs: [{ event: 'ARR' }] }],
    });
    const got = await service.get(`/ws/rest/Voyage/${posted.body.key}`);
    expect(got.text).toBe(posted.text);
    expect(got.headers.get('etag')).toBe(posted.headers.get('etag'));
  });

  test.each(['5', '"text"', 'null', 'true'])('with a body that is not an object is a 400: %s', async (body) => {
    const events = await eventNamesDuring(service, async () => {
      expect((await service.post('/ws/rest/Vessel', body)).status).toBe(400);
    });
    expect(events).toEqual([]);
  });
});
