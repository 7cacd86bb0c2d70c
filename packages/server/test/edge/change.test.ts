// PUT contains only what changes, and a PUT that changes nothing creates no event.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventNamesDuring, eventsDuring } from '../support/events-written.ts';
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
import { scenario, testScenarios } from '../support/scenario.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});
const givenVoyage = () => createVoyage(service, fleet, { comments: 'Before', freight: 12.5 });

function put(voyage: Shown, body: unknown) {
  return { method: 'PUT' as const, path: `Voyage/${voyage.key}`, body };
}

testScenarios(service, [
  scenario({
    name: 'PUT carries only what changes and answers the whole object',
    given: givenVoyage,
    request: (voyage) => put(voyage, { comments: 'After' }),
    status: 200,
    body: ({ portCalls, vessel }) => ({ comments: 'After', freight: 12.5, voyageStatus: 'NOM', vessel, portCalls }),
    events: ({ key }) => [`Voyage.U.${key}`],
  }),
  scenario({
    name: 'null clears an attribute',
    given: givenVoyage,
    request: (voyage) => put(voyage, { comments: null, freight: null, voyageStatus: null, vessel: null }),
    status: 200,
    body: () => ({ comments: null, freight: null, voyageStatus: null, vessel: null }),
    events: ({ key }) => [`Voyage.U.${key}`],
  }),
  scenario({
    name: 'null on a mandatory attribute is a 400',
    given: async () => create(service, 'Vessel', { vesselName: 'Named' }),
    request: ({ key }) => ({ method: 'PUT', path: `Vessel/${key}`, body: { vesselName: null } }),
    status: 400,
    body: () => ({ violations: [{ path: 'vesselName' }] }),
  }),
  scenario({
    name: 'a PUT of the values that are there already is no event',
    given: givenVoyage,
    request: (voyage) => put(voyage, { comments: 'Before', freight: 12.5, vessel: fleet.vessel.key }),
    status: 200,
    body: ({ modifiedDate }) => ({ modifiedDate }),
  }),
  scenario({
    name: 'an empty PUT is no event',
    given: givenVoyage,
    request: (voyage) => put(voyage, {}),
    status: 200,
    body: (voyage) => voyage,
  }),
  scenario({
    name: 'a PUT with a mistake changes nothing',
    given: givenVoyage,
    request: (voyage) => put(voyage, { comments: 'After', voyageStatus: 'NONE' }),
    status: 400,
  }),
  scenario({
    name: 'a PUT of an object that does not exist is a 404',
    given: givenVoyage,
    request: () => ({ method: 'PUT', path: 'Voyage/999999999', body: { comments: 'x' } }),
    status: 404,
  }),
  scenario({
    name: 'a PUT of an array is a 400',
    given: givenVoyage,
    request: (voyage) => put(voyage, [{ comments: 'x' }]),
    status: 400,
  }),
]);

describe('a whole response that is sent back', () => {
  test.each([
    'Voyage',
    'PortCall',
    'EventLog',
    'Cargo',
    'CargoPort',
    'BunkerOrder',
    'BunkerOrderLine',
    'Document',
    'DocumentLine',
    'Remarks',
    'Attachment',
    'Vessel',
    'Port',
    'BusinessPartner',
    'Currency',
    'Commodity',
    'BunkerType',
  ])(
    'GET, then PUT of the unchanged response, creates no event and keeps the object and its ETag: %s',
    async (resource) => {
      await createOneOfEach();
      const [{ key }] = (await service.get(`/ws/rest/${resource}?limit=1`)).body;
      const path = `/ws/rest/${resource}/${key}`;
      const before = await service.get(path);
      const events = await eventNamesDuring(service, async () => {
        const answer = await service.put(path, before.text);
        expect([answer.status, answer.text]).toEqual([200, before.text]);
      });
      expect(events).toEqual([]);
      expect((await service.get(path)).headers.get('etag')).toBe(before.headers.get('etag'));
    },
  );

  let isCreated = false;
  async function createOneOfEach(): Promise<void> {
    if (isCreated) return;
    isCreated = true;
    const voyage = await givenVoyage();
    await create(service, 'Cargo', { ...cargoBody(fleet), voyage: voyage.key });
    await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
    const document = { documentType: 'INO', company: fleet.partner.key, documentLines: [{ amount: 0.5 }] };
    await create(service, 'Document', { ...document, voyage: voyage.key });
    const attachments = [{ fileName: 'a.txt', file: 'aGVsbG8=' }];
    await create(service, 'Remarks', { source: voyage.key, remarkTitle: 'About', attachments });
  }
});

describe('read-only attributes', () => {
  test.each(['key', 'self', 'createdDate', 'modifiedDate', 'createdById', 'changedById', 'referenceNo'])(
    '%s may be sent back unchanged and is ignored',
    async (name) => {
      const voyage = await givenVoyage();
      const answer = await service.put(`/ws/rest/Voyage/${voyage.key}`, { [name]: voyage[name], comments: 'After' });
      expect([answer.status, answer.body.comments]).toEqual([200, 'After']);
    },
  );

  test.each([
    ['key', 1],
    ['self', 'http://elsewhere.example/'],
    ['createdDate', '2001-01-01T00:00:00'],
    ['modifiedDate', '2001-01-01T00:00:00'],
    ['createdById', 7],
    ['changedById', 7],
    ['referenceNo', 123_456],
  ])('%s with another value is a 400 that names it, and nothing is changed', async (name, value) => {
    const voyage = await givenVoyage();
    const answer = await service.put(`/ws/rest/Voyage/${voyage.key}`, { [name]: value, comments: 'After' });
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toMatchObject([{ path: name }]);
    expect(await read(service, 'Voyage', voyage.key)).toEqual(voyage);
  });
});

describe('read-only attributes of an element', () => {
  test('are compared with the element in the same way', async () => {
    const { key, portCalls } = await givenVoyage();
    const [first, second] = portCalls;
    const put = (createdDate: string) =>
      service.put(`/ws/rest/Voyage/${key}`, { portCalls: [{ ...first, createdDate }, { key: second.key }] });
    expect((await put(first.createdDate)).status).toBe(200);
    expect((await put('2001-01-01T00:00:00')).body.violations).toMatchObject([{ path: 'portCalls[0].createdDate' }]);
  });
});

describe('the event of a change', () => {
  test('has the row before and after', async () => {
    const voyage = await givenVoyage();
    const [event] = await eventsDuring(service, () =>
      service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'After' }),
    );
    expect(event).toMatchObject({
      name: `Voyage.U.${voyage.key}`,
      oldRow: { comments: 'Before', voyage_status: 'NOM' },
      newRow: { comments: 'After', voyage_status: 'NOM' },
    });
  });
});
