// `GET /ws/rest/model`: forms, trees and filters can be built from it, and it shows what the caller may see and do.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { useTestService } from '../support/test-service.ts';
import { type Document, operationsOf } from './api-document.ts';
import { createAnswerChecker } from './check-answer.ts';

interface AttributeData {
  name: string;
  kind: string;
  isRequired: boolean;
  isReadOnly: boolean;
  operators?: string[];
  isSortable?: true;
  [member: string]: unknown;
}

interface TypeData {
  name: string;
  access: { canCreate: boolean; canUpdate: boolean; canDelete: boolean };
  attributes: AttributeData[];
  actions: { name: string; on: string; method: string; takes: AttributeData[] }[];
  [member: string]: unknown;
}

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
const modelFile = join(folder, 'model.json');
writeFileSync(
  modelFile,
  JSON.stringify({
    types: {
      Tide: {
        description: 'A tide at a port.',
        access: { read: 'read', write: 'nobody' },
        attributes: {
          height: { kind: 'decimal', isRequired: true },
          grade: { kind: 'code', values: ['NEAP', 'SPRING'], default: 'NEAP' },
          port: { kind: 'reference', to: 'Port' },
        },
      },
    },
  }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = useTestService({ FLAGHOIST_MODEL_FILE: modelFile });
let types: Map<string, TypeData>;

async function typesFor(headers?: Record<string, string>): Promise<Map<string, TypeData>> {
  const { status, body, text } = await service.get('/ws/rest/model', headers);
  expect(status, text).toBe(200);
  return new Map(body.types.map((type: TypeData) => [type.name, type]));
}

beforeAll(async () => {
  types = await typesFor();
});

const attributeOf = (type: string, name: string) => types.get(type)?.attributes.find((each) => each.name === name);

test('it is as the API description says', async () => {
  const document = (await service.get('/openapi.json')).body as Document;
  const operation = operationsOf(document).find(({ path }) => path === '/ws/rest/model')!;
  const { status, headers, text } = await service.get('/ws/rest/model');
  const answer = { status, headers: Object.fromEntries(headers), text };
  expect(createAnswerChecker(document).check(operation, answer)).toBeUndefined();
});

test('types have their place in the hierarchy, what identifies them, and their attributes in order', () => {
  expect(types.get('PortCall')).toMatchObject({
    label: 'Port call',
    isMain: false,
    makesEvents: true,
    owner: 'Voyage',
    ownerAttribute: 'voyage',
    sequence: 'portCallSequence',
    below: ['EventLog'],
  });
  expect(types.get('Voyage')).toMatchObject({
    isMain: true,
    shownBy: ['referenceNo', 'vessel'],
    below: expect.arrayContaining(['PortCall', 'EventLog', 'Cargo']),
  });
  expect(
    types
      .get('Voyage')!
      .attributes.slice(0, 2)
      .map(({ name }) => name),
  ).toEqual(['key', 'self']);
  expect(types.get('Currency')).toMatchObject({ code: 'currencyCode', below: expect.any(Array) });
  expect(types.get('WebhookSubscription')).toMatchObject({ isMain: false, isServiceOwn: true, ownedBy: 'user' });
  expect(types.get('WebhookSubscription')!.needsOneOf).toContainEqual([['url'], ['channelInfo']]);
});

test('attributes say what a form needs: values, limits, references, elements, and who sets them', () => {
  expect(attributeOf('Voyage', 'voyageStatus')).toMatchObject({
    kind: 'code',
    values: expect.arrayContaining(['EST']),
  });
  expect(attributeOf('Voyage', 'vessel')).toMatchObject({ kind: 'reference', reference: 'Vessel' });
  expect(attributeOf('Voyage', 'portCalls')).toMatchObject({
    kind: 'collection',
    element: 'PortCall',
    elementOwner: 'voyage',
    isOwned: true,
  });
  expect(attributeOf('Voyage', 'remarks')).toMatchObject({ element: 'Remarks', isOwned: false });
  expect(attributeOf('Vessel', 'imoNumber')).toMatchObject({ pattern: '^\\d{7}$' });
  expect(attributeOf('Vessel', 'key')).toMatchObject({ kind: 'key', isReadOnly: true, isRequired: false });
  expect(attributeOf('Currency', 'currencyCode')).toMatchObject({ isRequired: true, isUnique: true, maxLength: 3 });
  expect(attributeOf('WebhookSubscription', 'ordering')).toMatchObject({ isFixed: true, default: 'NONE' });
  expect(attributeOf('WebhookSubscription', 'webhookPassword')).toMatchObject({ isWriteOnly: true });
  expect(attributeOf('WebhookSubscription', 'signingSecret')).toMatchObject({ isShownOnce: true });
  expect(attributeOf('WebhookNotification', 'changes')).toMatchObject({ isOnDemand: true, isReadOnly: true });
  expect(attributeOf('WebhookNotification', 'body')).toMatchObject({ isLarge: true });
  expect(attributeOf('Tide', 'height')).toMatchObject({ isRequired: true, kind: 'decimal' });
  expect(attributeOf('Tide', 'grade')).toMatchObject({ isRequired: false, default: 'NEAP' });
});

test('every filter and sort that it offers is one that lists take, and no other', async () => {
  for (const { name, attributes } of types.values()) {
    const filters = attributes.filter(({ operators }) => operators?.includes('NOTNULL'));
    const sorts = attributes.filter(({ isSortable }) => isSortable).slice(0, 10);
    const query = [
      ...filters.map((attribute) => `filter=${attribute.name}(NOTNULL)`),
      ...sorts.map((attribute) => `sort=${attribute.name}(AS)`),
    ];
    const { status, text } = await service.get(`/ws/rest/${name}?limit=1&${query.join('&')}`);
    expect(status, text).toBe(200);
    if (!['Voyage', 'Document', 'WebhookNotification'].includes(name)) continue;
    for (const attribute of attributes.filter(({ operators }) => operators === undefined))
      expectErrorBody(await service.get(`/ws/rest/${name}?limit=1&filter=${attribute.name}(NOTNULL)`), 400);
    for (const attribute of attributes.filter(({ isSortable }) => !isSortable))
      expectErrorBody(await service.get(`/ws/rest/${name}?limit=1&sort=${attribute.name}(AS)`), 400);
  }
});

test('what it calls required is what a new object must state', async () => {
  const { access, attributes } = types.get('Vessel')!;
  expect(access).toEqual({ canCreate: true, canUpdate: true, canDelete: true });
  const required = attributes.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const answer = await service.post('/ws/rest/Vessel', {});
  expectErrorBody(answer, 400);
  expect(answer.body.violations.map(({ path }: { path: string }) => path).sort()).toEqual(required.sort());
});

test('types, actions and rights are those of the caller', async () => {
  const reader = await createClient(service, ['read']);
  const own = await typesFor(reader.headers);
  expect([...own.keys()]).toContain('Voyage');
  for (const hidden of ['ApiUser', 'ApiClient', 'AuditLog', 'WebhookSubscription', 'WebhookNotification'])
    expect([...own.keys()]).not.toContain(hidden);
  expect(own.get('Voyage')!.access).toEqual({ canCreate: false, canUpdate: false, canDelete: false });
  expect(own.get('Tide')!.access.canCreate).toBe(false);

  const integrator = await typesFor((await createClient(service, ['read', 'webhook'])).headers);
  expect(integrator.get('WebhookSubscription')!.access.canCreate).toBe(true);
  expect(integrator.get('ResendJob')!.access).toEqual({ canCreate: false, canUpdate: true, canDelete: false });
  expect(integrator.get('WebhookNotification')!.access.canUpdate).toBe(false);
  expect(integrator.get('WebhookNotification')!.actions).toMatchObject([
    { name: 'resend', on: 'type', method: 'POST' },
    { name: 'statistics', on: 'type', method: 'GET' },
  ]);
  const actions = integrator.get('WebhookSubscription')!.actions.map(({ name }) => name);
  expect(actions).toEqual(expect.arrayContaining(['ping', 'replay', 'rotateSecret', 'test', 'decisions']));
  expectErrorBody(await service.get('/ws/rest/model', { authorization: '' }), 401);
});

test('an older version of the API lacks what came later', async () => {
  const older = (await typesFor({ 'api-version': '3.3' })).get('WebhookSubscription')!;
  const names = older.attributes.map(({ name }) => name);
  expect(names).toContain('url');
  expect(names).not.toContain('expression');
  expect(older.actions.map(({ name }) => name)).not.toContain('sendFailedNotifications');
});
