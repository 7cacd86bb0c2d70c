// Actions of each form: on an object or on a type, by POST or by GET. They are routed, rejected and described like
// other paths.

import { describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../src/describe/build-openapi.ts';
import { narrowModel } from '../../src/model/narrow-model.ts';
import { withIncluded } from '../../src/model/scopes.ts';
import { descriptionOptions } from '../describe/description-options.ts';
import { actionsModel, useActionsServer } from './actions-server.ts';

const server = useActionsServer();

describe('a GET', () => {
  test('reads its members from the query, by their kinds, and has defaults', async () => {
    const query = 'since=2026-11-15T09:30:00%2B01:00&by=42&isNight=1&colour=RED&note=caf%C3%A9';
    const { status, body } = await server.send('GET', `Beacon/7/sightings?${query}`);
    expect([status, body]).toEqual([
      200,
      [
        {
          key: 7,
          given: {
            since: '2026-11-15T08:30:00',
            by: '42',
            isNight: 'true',
            colour: 'RED',
            note: 'café',
            limit: '100',
          },
        },
      ],
    ]);
    const decimal = await server.send('GET', 'Beacon/7/range?height=12.50');
    expect(decimal.body.given).toEqual({ height: '12.5' });
  });

  test('may also be on the type, without a key', async () => {
    const { status, body } = await server.send('GET', 'Beacon/sightings?limit=5');
    expect([status, body]).toEqual([200, [{ key: null, given: { limit: '5' } }]]);
  });

  test.each([
    ['by=0', 'by: "0" is not a key; a positive integer was expected.'],
    ['limit=many', 'limit: "many" is not an integer from -2147483648 to 2147483647.'],
    ['isNight=maybe', 'isNight: "maybe" is not a boolean; true, false, 1 or 0 was expected.'],
    ['colour=BLUE', 'colour: "BLUE" is not a value of colour; expected one of RED, WHITE.'],
    ['note=lengthy', 'note: may have at most 5 characters; this has 7.'],
    ['note=%00', 'note: has a NUL or half of a surrogate pair.'],
    ['limit=0', 'limit: must be between 1 and 500.'],
    ['limit=501', 'limit: must be between 1 and 500.'],
    ['limit=1&limit=2', 'The query parameter "limit" is given twice.'],
    [
      'limits=1',
      'There is no query parameter "limits" here; known are since, by, isNight, colour, note, limit. Did you ' +
        'mean "limit"?',
    ],
  ])('rejects unknown and invalid parameters: %s', async (query, message) => {
    for (const path of ['Beacon/sightings', 'Beacon/7/sightings']) {
      const { status, body } = await server.send('GET', `${path}?${query}`);
      expect([status, body.message]).toEqual([400, message]);
    }
  });

  test('rejects a missing required parameter', async () => {
    const { status, body } = await server.send('GET', 'Beacon/7/range');
    expect([status, body.message]).toEqual([400, 'height: is required.']);
  });

  test('requires the read scope, and a POST the write scope', async () => {
    const scope = 'read';
    expect((await server.send('GET', 'Beacon/sightings', { scope })).status).toBe(200);
    expect((await server.send('GET', 'Beacon/7/sightings', { scope })).status).toBe(200);
    expect((await server.send('POST', 'Beacon/plan', { scope, body: { place: 1 } })).status).toBe(403);
    expect((await server.send('GET', 'Beacon/sightings', { scope: 'webhook' })).status).toBe(403);
  });

  test('also supports HEAD, without the body', async () => {
    const [head, get] = [await server.send('HEAD', 'Beacon/sightings'), await server.send('GET', 'Beacon/sightings')];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'vary', 'cache-control'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
  });
});

describe('a POST on the type', () => {
  test('reads its members from the body, and JSON keeps its digits', async () => {
    const body = '{"place": {"at": [1.10, 12345678901234567890.12345678]}, "by": 9007199254740991}';
    const answer = await server.send('POST', 'Beacon/plan', { body });
    expect([answer.status, answer.body]).toEqual([
      200,
      { key: null, given: { place: '{"at":[1.1,12345678901234567890.12345678]}', by: '9007199254740991' } },
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('reports all mistakes at once', async () => {
    const { status, body } = await server.send('POST', 'Beacon/plan', { body: { by: 'x', plaice: 1, '': 2 } });
    expect(status).toBe(400);
    expect(body.violations).toEqual([
      { path: 'plaice', message: 'is unknown: plan does not take it. Did you mean "place"?' },
      { path: '""', message: 'is unknown: plan does not take it.' },
      { path: 'place', message: 'is required.' },
      { path: 'by', message: 'must be a whole number, not text.' },
    ]);
  });

  test('takes no query', async () => {
    expect((await server.send('POST', 'Beacon/plan?by=1', { body: { place: 1 } })).status).toBe(400);
  });
});

describe('the path of an action', () => {
  test('takes precedence over that of an object: its name is never read as a key', async () => {
    for (const [path, allow] of [
      ['Beacon/plan', 'POST, OPTIONS'],
      ['Beacon/sightings', 'GET, HEAD, OPTIONS'],
      ['Beacon/7/sightings', 'GET, HEAD, OPTIONS'],
    ] as const) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        if (allow.includes(method)) continue;
        const answer = await server.send(method, `${path}?x=1`);
        expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 405, allow]);
      }
      const options = await server.send('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
    }
  });

  test('exists only if the model has it', async () => {
    expect((await server.send('POST', 'Beacon/7/plan', { body: {} })).status).toBe(404);
    expect((await server.send('GET', 'Beacon/range?height=1')).status).toBe(400);
    expect((await server.send('GET', 'Beacon/x/sightings')).body.message).toContain('"x" is not a key');
  });

  test('requires a token before it reveals anything', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
      const response = await fetch(`${server.url()}/ws/rest/Beacon/plan`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([401, null]);
    }
  });

  test('is rejected for callers of an older version', async () => {
    const headers = { 'API-Version': '5.22' };
    const { status, body } = await server.send('GET', 'Beacon/7/range?height=1', { headers });
    expect([status, body.message]).toEqual([
      400,
      'range came with API version 5.23; this request uses 5.22. Ask for it with the header API-Version: 5.23.',
    ]);
    expect((await server.send('GET', 'Beacon/7/sightings', { headers })).status).toBe(200);
  });
});

describe('the API description', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many depths.
  const describeAt = (version: string): any => {
    const seen = narrowModel(actionsModel, { version, scopes: withIncluded(['admin']) });
    return buildOpenApi(seen, { ...descriptionOptions, apiVersion: version });
  };
  const { paths, components } = describeAt('6.44');

  test('has only the method of the action on each path', () => {
    const actions = Object.entries(paths).filter(
      ([path]) => !path.endsWith('/batch') && /^\/ws\/rest\/Beacon\/(\{key\}\/)?[a-z]+$/.test(path),
    );
    expect(actions.map(([path, item]) => [path, ...Object.keys(item as object)])).toEqual([
      ['/ws/rest/Beacon/{key}/sightings', 'parameters', 'get'],
      ['/ws/rest/Beacon/sightings', 'parameters', 'get'],
      ['/ws/rest/Beacon/{key}/range', 'parameters', 'get'],
      ['/ws/rest/Beacon/plan', 'parameters', 'post'],
    ]);
    const ids = actions.map(([, item]) => Object.values(item as object).at(-1).operationId);
    expect(ids).toEqual(['listBeaconSightings', 'listAllBeaconSightings', 'getBeaconRange', 'planBeacon']);
  });

  test('describes the input of a GET as parameters, and a list as an array', () => {
    const { get } = paths['/ws/rest/Beacon/sightings'];
    expect(get.requestBody).toBeUndefined();
    const limit = get.parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit).toMatchObject({ in: 'query', required: false });
    expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 500, default: 100 });
    const since = get.parameters.find(({ name }: { name: string }) => name === 'since');
    expect([since.description, since.schema.type]).toEqual(['From when on.', 'string']);
    const height = paths['/ws/rest/Beacon/{key}/range'].get.parameters[0];
    expect([height.name, height.required]).toEqual(['height', true]);
    expect(get.responses[200].content['application/json'].schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/BeaconSightingsAnswer' },
    });
    expect(components.schemas).not.toHaveProperty('BeaconSightingsRequest');
    expect(components.schemas).toHaveProperty('BeaconPlanRequest');
  });

  test('has a text of its own for the type as a whole, and no Idempotency-Key if ' + 'nothing is changed', () => {
    expect(paths['/ws/rest/Beacon/{key}/sightings'].get.summary).toBe('Who has seen a Beacon');
    expect(paths['/ws/rest/Beacon/sightings'].get).toMatchObject({
      summary: 'Who has seen any Beacon',
      description: expect.stringMatching(/^Who has seen one of them\. /),
      responses: { 200: { description: 'Who has seen one of them.' } },
    });
    const { post } = paths['/ws/rest/Beacon/plan'];
    expect(post).toMatchObject({ summary: 'Where a Beacon would stand' });
    expect(post.responses[200].description).toBe('Where one would stand.');
    expect(post.parameters).toBeUndefined();
    expect(paths['/ws/rest/ApiClient/{key}/rotateSecret'].post.parameters).toEqual([
      { $ref: '#/components/parameters/idempotencyKey' },
    ]);
  });

  test('has a key parameter only if the path has a key', () => {
    const parametersOf = (path: string) => paths[path].parameters.map(({ $ref }: { $ref: string }) => $ref);
    expect(parametersOf('/ws/rest/Beacon/plan')).toEqual(['#/components/parameters/apiVersion']);
    expect(parametersOf('/ws/rest/Beacon/{key}/sightings')).toContain('#/components/parameters/key');
  });

  test('omits actions that are newer than the version', () => {
    const older = describeAt('5.22').paths;
    expect(older).not.toHaveProperty(['/ws/rest/Beacon/{key}/range']);
    expect(older).toHaveProperty(['/ws/rest/Beacon/{key}/sightings']);
  });

  test('says what is deprecated', () => {
    const { get } = paths['/ws/rest/Beacon/{key}/range'] as { get: { deprecated: boolean; description: string } };
    expect(get.deprecated).toBe(true);
    expect(get.description).toContain(
      'Deprecated since 2026-01-31, and may be removed from 2027-01-31 on. Instead: `sightings`.',
    );
  });
});

describe('what is deprecated of an action', () => {
  test('is told by the answers to requests that use it, and by no other', async () => {
    const range = await server.send('GET', 'Beacon/1/range?height=3.5', { headers: { 'api-version': '5.23' } });
    expect(range.headers.get('deprecation')).toBe('@1769817600');
    expect(range.headers.get('sunset')).toBe('Sun, 31 Jan 2027 00:00:00 GMT');
    expect(range.headers.get('link')).toBe(`<${server.url()}/docs#type-Beacon>; rel="deprecation"; type="text/html"`);
    const planned = await server.send('POST', 'Beacon/plan', { body: { place: 1, by: 1 } });
    expect(planned.headers.get('deprecation')).toBe('@1774915200');
    const plain = await server.send('POST', 'Beacon/plan', { body: { place: 1 } });
    expect([plain.status, plain.headers.get('deprecation')]).toEqual([200, null]);
  });
});
