// Values that an attribute cannot have. Which attributes there are is read from the model, so that none is left out.

import { beforeAll, describe, expect, test } from 'vitest';
import type { TextFormat } from '../../src/model/attribute-declaration.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { Attribute } from '../../src/model/object-type.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

const notText = ['1', 'true', '[]', '{}', '["x"]', '{"key":1}'];
const notNumber = ['"1"', '""', 'true', '[]', '{}', '[1]', '"NaN"'];
const badDates = [
  '"2026-02-30"',
  '"2025-02-29"',
  '"2100-02-29T00:00:00"',
  '"2026-04-31T10:00:00"',
  '"2026-00-10"',
  '"2026-13-01"',
  '"2026-01-00"',
  '"2026-01-01T24:00:00"',
  '"2026-01-01T23:60:00"',
  '"2026-06-30T23:59:60"',
  '"2026-01-01T00:00:00+24:00"',
  '"2026-01-01T00:00:00+01:60"',
  '"2026-01-01T00:00:00 Europe/Oslo"',
  '"0000-01-01"',
  '"-0001-01-01"',
  '"10000-01-01"',
  '"+010000-01-01"',
  '"0001-01-01T00:00:00+01:00"',
  '"9999-12-31T23:59:59-01:00"',
  '"26-01-01"',
  '"01/02/2026"',
  '"2026-W01-1"',
  '"2026-001"',
  '"20260101"',
  '"2026-1-1"',
  '"now"',
  '"infinity"',
  '"epoch"',
  '""',
  '" 2026-01-01"',
  '"２０２６-01-01"',
  '1767225600',
  '1767225600000',
  'true',
  '[]',
  '{}',
];
const badReferences = [
  '0',
  '-1',
  '1.5',
  '1e20',
  '9007199254740992',
  '999999999',
  'true',
  '[]',
  '[1]',
  '{}',
  '{"key":"1"}',
  '{"key":null}',
  '{"key":{"key":1}}',
  '{"self":"x"}',
];
const badCollections = [
  'null',
  '1',
  '"x"',
  'true',
  '{}',
  '[null]',
  '[1]',
  '["x"]',
  '[[]]',
  '[true]',
  '[{"key":0}]',
  '[{"key":-1}]',
  '[{"key":"1"}]',
  '[{"key":1.5}]',
  '[{"key":9007199254740993}]',
  '[{"key":999999999}]',
];

const badLists = [
  '1',
  '"x"',
  'true',
  '{}',
  '[null]',
  '[1]',
  '[true]',
  '[[]]',
  '[["x"]]',
  '[{}]',
  '[""]',
  '["x","x"]',
  JSON.stringify(['x'.repeat(256)]),
  JSON.stringify(Array.from({ length: 101 }, (_, index) => `${index}`)),
];
const badFormats: Record<TextFormat, string[]> = {
  imoNumber: ['', '9074728', '907472', '90747299', 'IMO 9074729', '９０７４７２９'],
  email: [
    '',
    'x',
    '@',
    'a@',
    '@b.example',
    'a@b@c.example',
    'a b@c.example',
    'a@c.example,d@e.example',
    'a@c.example\r\nBcc: d@e.example',
    'A <a@c.example>',
    '"a b"@c.example',
    'a..b@c.example',
    'a@c..example',
    'a@[127.0.0.1]',
    'a\u202e@c.example',
  ],
  clientId: ['', 'ab', 'a b', 'a"b', 'a\\b', 'a\tb', 'åbc', 'a'.repeat(129)],
  signingSecret: ['', 'whsec_', 'whsec_bXkgb3du', `whsec_${'A'.repeat(92)}`, 'A'.repeat(44)],
  apiVersion: ['', 'x', '3', '3.2', '6.45', '7.0', '5.23.1', '-5.23', ' 5.23', '5,23', '5.x', '12345.1'],
};

/** JSON texts that are wrong for this attribute. */
function wrongValues(attribute: Attribute): string[] {
  switch (attribute.kind) {
    case 'text':
      return [
        // An object is a field selection; without a valid event type there is nothing to check it against.
        ...notText.filter((value) => attribute.name !== 'json' || !value.startsWith('{')),
        ...(attribute.maxLength ? [JSON.stringify('x'.repeat(attribute.maxLength + 1))] : []),
        ...(attribute.format ? badFormats[attribute.format] : []).map((text) => JSON.stringify(text)),
      ];
    case 'code':
      return [
        ...notText,
        '""',
        '"x"',
        '"__proto__"',
        JSON.stringify(attribute.values[0]!.toLowerCase()),
        JSON.stringify(`${attribute.values[0]} `),
      ];
    case 'decimal':
      return [
        ...notNumber,
        '12345678901234567',
        '0.123456789',
        '1e16',
        '1e-9',
        '1e400',
        '-1e400',
        '1e-400',
        '9'.repeat(400),
      ];
    case 'integer':
      return [...notNumber, '1.5', '1e-1', '2147483648', '-2147483649', '1e10', '12345678901234567890', '1e400'];
    case 'key':
      return [...notNumber, '0', '-1', '1.5', '9007199254740992', ...(attribute.isObjectKey ? ['999999999'] : [])];
    case 'boolean':
      return ['0', '1', '"true"', '"false"', '""', '[]', '{}'];
    case 'dateTime':
      return badDates;
    case 'binary':
      return [...notText, '"x"', '"eA"', '"-_-_"', '" eA=="', '"data:text/plain;base64,eA=="'];
    case 'reference':
      return attribute.target.code ? [...badReferences, '""', '"no such code"'] : [...badReferences, '"x"', '"1"'];
    case 'collection':
      return badCollections;
    case 'textList':
      return [
        ...badLists,
        ...(attribute.minItems > 0 ? ['[]'] : []),
        ...(attribute.values.length > 0 ? ['["x"]'] : []),
      ];
    case 'json':
    case 'self':
      return [];
  }
}

describe('values of the wrong kind are a 400 that names every attribute', () => {
  const types = [...buildModel(catalogue).types.values()]
    .filter(({ access, isCreatedByService }) => access.write !== 'nobody' && !isCreatedByService)
    .map((type) => ({
      name: type.name,
      wrong: [...type.attributes.values()]
        .filter(({ isReadOnly }) => !isReadOnly)
        // Looked up only where all parts of the event type can be read (test/subscriptions).
        .filter(({ name }) => type.name !== 'WebhookSubscription' || !['objectType', 'eventTypes'].includes(name))
        .map((attribute) => ({ name: attribute.name, values: wrongValues(attribute) }))
        .filter(({ values }) => values.length > 0),
    }));

  test.each(types)('$name', async ({ name: type, wrong }) => {
    const rounds = Math.max(...wrong.map(({ values }) => values.length));
    for (let round = 0; round < rounds; round++) {
      const members = wrong.map(({ name, values }) => `"${name}":${values[round % values.length]}`);
      const answer = await service.post(`/ws/rest/${type}`, `{${members.join(',')}}`);
      const { violations = [] } = expectErrorBody(answer, 400);
      const named = new Set(violations.map(({ path }) => /^\w+/.exec(path)?.[0]));
      // One assertion for all: a round has up to a hundred attributes, and a type dozens of rounds.
      expect(members.filter((_, index) => !named.has(wrong[index]!.name))).toEqual([]);
    }
  });
});

describe('numbers', () => {
  test.each([
    ['9999999999999999.99999999', '9999999999999999.99999999'],
    ['-9999999999999999.99999999', '-9999999999999999.99999999'],
    ['0.00000001', '0.00000001'],
    ['1e15', '1000000000000000'],
    ['123456789012345678e-2', '1234567890123456.78'],
    ['1.10000000000000000000000000', '1.1'],
    ['-0', '0'],
    ['-0.0e5', '0'],
    ['0e999999999', '0'],
    ['1E+2', '100'],
    ['100000000000000000000e-10', '10000000000'],
  ])('%s is read back exactly, as %s', async (written, shown) => {
    const answer = await service.post('/ws/rest/Vessel', `{"vesselName":"Exact","dwtSummer":${written}}`);
    expect(answer.status, answer.text).toBe(201);
    expect(/"dwtSummer":([^,}]+)/.exec(answer.text)?.[1]).toBe(shown);
  });
});

describe('what only the service sets', () => {
  test('is ignored when an object is created: its own values win', async () => {
    const answer = await service.post('/ws/rest/Vessel', {
      vesselName: 'Assigned',
      key: null,
      self: 'http://evil.example/',
      createdDate: '1999-01-01T00:00:00',
      modifiedDate: '1999-01-01T00:00:00',
      createdById: 42,
      changedById: 42,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ createdById: voyage.createdById, changedById: voyage.createdById });
    expect(answer.body.createdById).not.toBe(42);
    expect(answer.body.self).toBe(`${service.url()}/ws/rest/Vessel/${answer.body.key}`);
    expect(answer.body.createdDate > '2020').toBe(true);
  });

  test.each([
    ['key', 1],
    ['self', 'http://evil.example/'],
    ['createdDate', '1999-01-01T00:00:00'],
    ['modifiedDate', null],
    ['createdById', 42],
    ['referenceNo', 999],
  ])('is a 400 when another value is sent for it in a change: %s', async (name, value) => {
    const answer = await service.put(`/ws/rest/Voyage/${voyage.key}`, { [name]: value, comments: 'changed' });
    expect(expectErrorBody(answer, 400).violations?.map(({ path }) => path)).toEqual([name]);
    expect((await service.get(`/ws/rest/Voyage/${voyage.key}`)).body.comments).not.toBe('changed');
  });

  test.each([
    'state',
    'tenantId',
    'createdBy',
    'attempts',
    'deactivatedAt',
    'isAdmin',
    'role',
    'user',
    'Key',
    'KEY',
    'vessel_name',
    ' vesselName',
  ])('is not widened by names that do not exist: %s', async (name) => {
    expectErrorBody(await service.post('/ws/rest/Vessel', { vesselName: 'x', [name]: 1 }), 400);
    expectErrorBody(await service.put(`/ws/rest/Vessel/${fleet.vessel.key}`, { [name]: 1 }), 400);
  });
});

describe('other objects', () => {
  test('are not reached through a reference or an element', async () => {
    const other = await create(service, 'Voyage', { portCalls: [{ port: fleet.port.key, reasonForCall: 'L' }] });
    const [call] = other.portCalls;
    const stolen = await service.put(`/ws/rest/Voyage/${voyage.key}`, { portCalls: [{ key: call.key, speed: 99 }] });
    expectErrorBody(stolen, 400);
    expectErrorBody(
      await service.put(`/ws/rest/Voyage/${voyage.key}`, { vessel: { key: fleet.vessel.key, vesselName: 'Renamed' } }),
      400,
    );
    expectErrorBody(await service.put(`/ws/rest/Voyage/${voyage.key}`, { vessel: fleet.port.key }), 400);
    expect((await service.get(`/ws/rest/Vessel/${fleet.vessel.key}`)).body.vesselName).toBe(fleet.vessel.vesselName);
    expect((await service.get(`/ws/rest/PortCall/${call.key}`)).body.voyage.key).toBe(other.key);
  });

  test('a key that stands twice in an array is a 400', async () => {
    const [{ key }] = voyage.portCalls;
    expectErrorBody(await service.put(`/ws/rest/Voyage/${voyage.key}`, { portCalls: [{ key }, { key }] }), 400);
  });
});

describe('what a message repeats of a request', () => {
  const nasty = 'a\u0007\u001b[31m\u0085\u009b\u200b\u202e\u2028\u2066\ufeff\u{e0041}z';

  test.each<[string, string, unknown, number]>([
    ['an attribute name', 'Vessel', { vesselName: 'x', [nasty]: 1 }, 400],
    ['a code value', 'Voyage', { voyageStatus: nasty }, 400],
    ['a code of another object', 'Voyage', { ballastPort: nasty }, 400],
    ['a name inside a reference', 'Voyage', () => ({ vessel: { key: fleet.vessel.key, [nasty]: 1 } }), 400],
    ['a name inside an element', 'Voyage', { portCalls: [{ [nasty]: 1 }] }, 400],
    ['a date', 'Voyage', { estimatedVoyageStartDate: nasty }, 400],
    ['bad JSON', 'Vessel', `{"vesselName":${nasty}}`, 400],
    ['a key that stands twice', 'Vessel', `{${JSON.stringify(nasty)}:1,${JSON.stringify(nasty)}:2}`, 400],
  ])('can be read without harm: %s', async (_, resource, body, status) => {
    expectErrorBody(await service.post(`/ws/rest/${resource}`, typeof body === 'function' ? body() : body), status);
  });

  test('can be read without harm: a value that is there already', async () => {
    const businessPartnerCode = nasty;
    await create(service, 'BusinessPartner', { businessPartnerCode });
    expectErrorBody(await service.post('/ws/rest/BusinessPartner', { businessPartnerCode }), 409);
  });

  test.each([
    'filter={}(EQ)1',
    'filter=vesselName({})1',
    'filter=key(EQ){}',
    'filter=vesselName(IN)(a){}',
    'sort={}(AS)',
    'sort=key({})',
    'fields={"{}":"*"}',
    'fields={}',
    'limit={}',
    'pageNumber={}',
    '{}=1',
  ])('can be read without harm: %s', async (query) => {
    expectErrorBody(await service.get(`/ws/rest/Vessel?${encodeURI(query.replace('{}', nasty))}`), 400);
  });

  test('can be read without harm: a path', async () => {
    expectErrorBody(await service.get(`/ws/rest/Vessel/${encodeURIComponent(nasty)}`), 400);
    expectErrorBody(await service.get(`/ws/rest/${encodeURIComponent(nasty)}`), 404);
    expectErrorBody(await service.delete(`/ws/rest/Vessel/1?${encodeURIComponent(nasty)}`), 400);
  });
});

describeUnharmed(service);
