// What generators and linters need of the API description, for the whole document and against the service: named
// schemas, no null types, `required` as the service requires, bounds as it checks them, and no promise that it breaks.

import { beforeAll, describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { create, createFleet, createVoyage } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { type Document, methods, operationsOf, type SchemaNode } from './api-document.ts';

const service = useTestService();
const model = buildModel(catalogue);
let document: Document;
let schemas: Record<string, SchemaNode>;
beforeAll(async () => {
  document = (await service.get('/openapi.json')).body;
  ({ schemas } = document.components);
});

interface PlacedSchema {
  path: string;
  schema: SchemaNode;
}

/** A schema and all that are written inside it. */
function inside(schema: SchemaNode, path: string): PlacedSchema[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = schema;
  return [
    { path, schema },
    ...Object.entries(properties).flatMap(([name, member]) => inside(member, `${path}.${name}`)),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((branch, index) => inside(branch, `${path}|${index}`)),
    ...(items ? inside(items, `${path}[]`) : []),
    ...(typeof additionalProperties === 'object' ? inside(additionalProperties, `${path}{}`) : []),
  ];
}

function inComponents(): PlacedSchema[] {
  return Object.entries(schemas).flatMap(([name, schema]) => inside(schema, name));
}

/** The bodies of requests and responses, as the operations have them. */
function inOperations(): PlacedSchema[] {
  return operationsOf(document).flatMap(({ path, method, node }) => {
    const bodies = [node.requestBody, ...Object.values(node.responses)] as { content?: Record<string, PlacedSchema> }[];
    const content = bodies.flatMap((body) => Object.values(body?.content ?? {}));
    return content.flatMap(({ schema }) => inside(schema, `${method} ${path}`));
  });
}

function branchesOf({ anyOf = [], oneOf = [] }: SchemaNode): SchemaNode[] {
  return [...anyOf, ...oneOf].filter(({ type }) => type !== 'null');
}

describe('every schema', () => {
  test('that is an object or a union has a name', () => {
    const isTop = ({ path }: PlacedSchema) => path in schemas;
    const unnamed = [...inComponents(), ...inOperations()].filter(
      (placed) => !isTop(placed) && (placed.schema.properties || branchesOf(placed.schema).length > 1),
    );
    expect(
      unnamed.filter(({ path }) => !path.startsWith('WebhookSubscriptionChangeWithKey')).map(({ path }) => path),
    ).toEqual([]);
  });

  test('is null only beside another type, and says no constant and no default', () => {
    for (const { path, schema } of [...inComponents(), ...inOperations()]) {
      if (!path.includes('|')) expect(schema.type, path).not.toBe('null');
      expect(schema, path).not.toHaveProperty('const');
      expect(schema, path).not.toHaveProperty('default');
    }
  });

  test('that is a component is used, and has a name that generated clients have not', () => {
    const used = JSON.stringify(document);
    for (const name of Object.keys(schemas)) expect(used, name).toContain(`"#/components/schemas/${name}"`);
    expect(schemas).not.toHaveProperty('ApiClient');
    expect(schemas.ApiClientObject).toMatchObject({ 'x-flaghoist-type': 'ApiClient' });
    expect(document.paths).toHaveProperty(['/ws/rest/ApiClient']);
  });
});

test('every operation says whether it needs a token, and has an id of a verb and its object', () => {
  for (const { path, method, node } of operationsOf(document)) {
    expect(node.security, `${method} ${path}`).toBeDefined();
    expect(node.operationId).toMatch(
      /^(list|get|create|update|delete|rotate|ping|send|resend|replay|stream|pull|acknowledge|test|check|request|read|open|start|stop|change)[A-Z]\w+$/,
    );
  }
  expect(document.paths['/health/live']?.get?.security).toEqual([]);
  const ids = operationsOf(document).map(({ node }) => node.operationId);
  for (const id of ['pingWebhookSubscription', 'rotateApiClientSecret', 'listAllWebhookSubscriptionDecisions'])
    expect(ids).toContain(id);
  expect(methods.length).toBe(4);
});

describe('a new object', () => {
  test('requires in the description exactly what the service requires, for every type', async () => {
    const creatable = [...model.types.values()].filter(
      ({ access, isCreatedByService }) => access.write !== 'nobody' && !isCreatedByService,
    );
    expect(creatable.length).toBeGreaterThan(15);
    for (const { name } of creatable) {
      const { body } = await service.post(`/ws/rest/${name}`, {});
      const violations = (body.violations ?? []) as { path: string; message: string }[];
      const missing = violations.filter(({ message }) => /required|at least/.test(message)).map(({ path }) => path);
      const { required = [], if: _ = undefined } = schemas[`${name}Create`] as SchemaNode & { if?: unknown };
      const conditional = name === 'WebhookSubscription' ? ['eventType', 'url'] : [];
      expect([...required, ...conditional].sort(), name).toEqual(missing.sort());
    }
  });

  test.each([
    [{ eventType: 'Voyage.U', url: 'https://agent.example/' }, true],
    [{ eventTypes: ['Voyage.U', '*.D'], channelInfo: { channelType: 'STREAM' } }, true],
    [{ objectType: 'Voyage', operation: 'U', url: 'https://agent.example/', channelInfo: null }, true],
    [{ eventType: null, url: 'https://agent.example/' }, false],
    [{ url: 'https://agent.example/' }, false],
    [{ objectType: 'Voyage', url: 'https://agent.example/' }, false],
    [{ eventType: 'Voyage.U' }, false],
    [{ eventType: 'Voyage.U', url: null }, false],
  ])('of WebhookSubscription %j: %s, in the description and for the service', async (body, isGood) => {
    const { openSchemas } = await import('./check-answer.ts');
    const validate = openSchemas(document).compile({ $ref: 'document#/components/schemas/WebhookSubscriptionCreate' });
    expect(validate(body)).toBe(isGood);
    expect((await service.post('/ws/rest/WebhookSubscription', body)).status).toBe(isGood ? 201 : 400);
  });
});

test('decimals stay below 10^16: the bounds are exclusive', async () => {
  const { freight } = schemas.VoyageCreate!.properties!;
  expect(freight).toMatchObject({ exclusiveMinimum: -1e16, exclusiveMaximum: 1e16 });
  expect((await service.post('/ws/rest/Voyage', { freight: 1e16 })).status).toBe(400);
  expect((await service.post('/ws/rest/Voyage', '{"freight": 9999999999999998}')).status).toBe(201);
  const { ratePerSecond } = schemas.WebhookSubscriptionCreate!.properties!;
  expect(ratePerSecond).toMatchObject({ minimum: 0.01, maximum: 1000 });
});

test('the largest page number is the one of the description', async () => {
  const { maximum } = document.components.parameters.pageNumber!.schema;
  const page = (number: number) => service.get(`/ws/rest/Voyage?limit=2000&pageNumber=${number}`);
  expect([(await page(maximum!)).status, (await page(maximum!)).body]).toEqual([200, []]);
  expect((await page(maximum! + 1)).status).toBe(400);
});

describe('what answers show', () => {
  test('a whole, a minimized object and a reference have what their components say', async () => {
    const fleet = await createFleet(service);
    const voyage = await createVoyage(service, fleet);
    await create(service, 'Remarks', { remarkText: 'Late', source: voyage.key });
    const whole = (await service.get(`/ws/rest/Voyage/${voyage.key}`)).body;
    const [listed] = (await service.get(`/ws/rest/Voyage?filter=key(EQ)${voyage.key}`)).body;
    const shownWhen = (when: string | undefined) =>
      Object.entries(schemas.Voyage!.properties!)
        .filter(([, property]) => property['x-flaghoist-shown'] === when)
        .map(([name]) => name);
    expect(Object.keys(listed)).toEqual(shownWhen(undefined));
    expect(Object.keys(listed)).toEqual(Object.keys(schemas.VoyageMinimized!.properties!));
    expect(Object.keys(whole).sort()).toEqual([...shownWhen(undefined), ...shownWhen('object')].sort());
    expect(shownWhen('fields')).toEqual(['remarks']);
    expect(Object.keys(whole.vessel)).toEqual(Object.keys(schemas.VesselReference!.properties!));
    expect(Object.keys(whole.portCalls[0])).toEqual(Object.keys(schemas.PortCallMinimized!.properties!));
    expect(schemas.VesselReference).toMatchObject({ additionalProperties: true });
  });

  test('only the response to a create has what is shown once', () => {
    const { clientSecret } = schemas.ApiClientCreated!.properties!;
    expect(clientSecret).toMatchObject({ 'x-flaghoist-shown': 'create' });
  });

  test('no response has a member that can only be written', () => {
    expect(Object.keys(schemas.OAuth2Auth!.properties!)).not.toContain('clientSecret');
    expect(schemas.OAuth2AuthInput!.required).toContain('clientSecret');
    expect(schemas.OAuth2AuthChange!.required).not.toContain('clientSecret');
  });
});
