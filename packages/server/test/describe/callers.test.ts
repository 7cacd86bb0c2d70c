// What the API description says about callers, and whether the service behaves accordingly: tokens, scopes, and the
// token endpoint.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenErrorTable } from '../../src/auth/token-endpoint/token-error.ts';
import { buildOpenApi } from '../../src/describe/build-openapi.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { scopes } from '../../src/model/scopes.ts';
import { administrator, createClient, type TestClient, testAudience } from '../support/access.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { type Document, follow, type Operation, operationsOf } from './api-document.ts';
import { type AnswerChecker, createAnswerChecker, type GivenAnswer } from './check-answer.ts';
import { withSettings } from './description-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
const modelFile = join(folder, 'model.json');
writeFileSync(
  modelFile,
  JSON.stringify({
    types: {
      Watch: {
        makesEvents: false,
        access: { read: 'webhook', write: 'webhook' },
        attributes: { note: { kind: 'text' } },
      },
      Tide: { access: { read: 'read', write: 'nobody' }, attributes: { height: { kind: 'decimal' } } },
    },
  }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = useTestService({ FLAGHOIST_MODEL_FILE: modelFile });
let document: Document;
let checker: AnswerChecker;
let resources: Operation[];

beforeAll(async () => {
  document = (await service.get('/openapi.json')).body as Document;
  checker = createAnswerChecker(document);
  resources = operationsOf(document).filter(isResource);
});

function isResource({ path }: Operation): boolean {
  return path.startsWith('/ws/rest/');
}

/** The scopes that the description asks for. */
function scopesOf({ node }: Operation): string[] {
  return node.security?.find(({ oauth2 }) => oauth2)?.oauth2 ?? [];
}

async function ask({ method, path, node }: Operation, headers: Record<string, string>): Promise<GivenAnswer> {
  const hasBody = node.requestBody !== undefined;
  const answer = await fetch(`${service.url()}${path.replace('{key}', '1')}`, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { body: '{}' } : {}),
  });
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const text = isEndless ? '' : await answer.text();
  if (isEndless) await answer.body?.cancel();
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text };
}

describe('every resource', () => {
  test('requires a token with a scope, documents 401 and 403, and accepts a version', () => {
    expect(resources.length).toBeGreaterThan(80);
    for (const { path, method, node, parameters } of resources) {
      const place = `${method} ${path}`;
      expect(node.security, place).toHaveLength(2);
      expect(node.security?.[1], place).toEqual({ bearerAuth: [] });
      expect(Object.keys(node.responses), place).toEqual(expect.arrayContaining(['401', '403']));
      expect(
        parameters.map(({ name }) => name),
        place,
      ).toContain('API-Version');
    }
  });

  test('names the scope of its type, and also read for subscriptions', () => {
    const scopesAt = (path: string, method: string) =>
      resources.filter((operation) => operation.path === path && operation.method === method).flatMap(scopesOf);
    expect(scopesAt('/ws/rest/Voyage', 'get')).toEqual(['read']);
    expect(scopesAt('/ws/rest/Voyage', 'post')).toEqual(['write']);
    expect(scopesAt('/ws/rest/ApiClient', 'get')).toEqual(['admin']);
    expect(scopesAt('/ws/rest/ApiClient/{key}/rotateSecret', 'post')).toEqual(['admin']);
    expect(scopesAt('/ws/rest/Watch/{key}', 'delete')).toEqual(['webhook', 'read']);
    expect(document.paths['/ws/rest/Watch']?.get?.description).toBe('Needs the scopes `webhook` and `read`.');
  });

  test('returns a documented 401 with the seven fields without a token and with an invalid token', async () => {
    for (const operation of resources) {
      for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
        const answer = await ask(operation, headers as Record<string, string>);
        const place = `${operation.method} ${operation.path}: ${answer.text}`;
        expect(answer.status, place).toBe(401);
        expect(checker.check(operation, answer), place).toBeUndefined();
        expect(answer.headers['www-authenticate'], place).toMatch(/^Bearer realm=/);
      }
    }
  }, 120_000);

  test('returns a documented 403 to callers that lack one of its scopes, and only to them', async () => {
    const clients: [string[], TestClient][] = [
      [['read'], await createClient(service, ['read'])],
      [['read', 'write'], await createClient(service, ['write'])],
      [['webhook'], await createClient(service, ['webhook'])],
      [['read', 'webhook'], await createClient(service, ['read', 'webhook'])],
    ];
    for (const [held, { headers }] of clients) {
      for (const operation of resources) {
        const answer = await ask(operation, headers);
        const place = `${operation.method} ${operation.path} with ${held}: ${answer.text}`;
        expect(checker.check(operation, answer), place).toBeUndefined();
        const missing = scopesOf(operation).find((scope) => !held.includes(scope));
        expect(answer.status === 403, place).toBe(missing !== undefined);
        if (missing) expect(answer.headers['www-authenticate'], place).toContain(`scope="${missing}"`);
      }
    }
  }, 120_000);

  test('that only the service writes supports only GET', async () => {
    expect(Object.keys(document.paths['/ws/rest/Tide'] ?? {})).toEqual(['parameters', 'get']);
    const answer = await service.post('/ws/rest/Tide', { height: 1 });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('the other paths', () => {
  test('require no token', async () => {
    for (const { path, node } of operationsOf(document).filter((operation) => !isResource(operation)))
      expect((node.security ?? []).flatMap(Object.keys), path).not.toContain('oauth2');
  });

  test('say where to get tokens, and which scopes exist', () => {
    const { clientCredentials } = document.components.securitySchemes.oauth2.flows;
    expect(clientCredentials.tokenUrl).toBe(`${service.url()}/oauth/token`);
    expect(Object.keys(clientCredentials.scopes)).toEqual(scopes);
    const guide = document.tags.find(({ name }) => name === 'Guide')!;
    expect(guide.description).toContain(`"audience": "${testAudience}"`);
  });

  test.each(['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
    '%s responds as described',
    async (path) => {
      const operation = operationsOf(document).find((one) => one.path === path)!;
      const answer = await ask(operation, {});
      expect(answer.status).toBe(200);
      expect(checker.check(operation, answer)).toBeUndefined();
    },
  );
});

describe('the token endpoint', () => {
  const request = {
    client_id: administrator.clientId,
    client_secret: administrator.clientSecret,
    audience: testAudience,
    grant_type: 'client_credentials',
  };

  async function sendToken(init: RequestInit): Promise<string> {
    const operation = operationsOf(document).find(({ path }) => path === '/oauth/token')!;
    const answer = await fetch(`${service.url()}/oauth/token`, { method: 'POST', ...init });
    const text = await answer.text();
    const given = { status: answer.status, headers: Object.fromEntries(answer.headers), text };
    expect(checker.check(operation, given), text).toBeUndefined();
    const body = JSON.parse(text) as { access_token?: string; error?: string };
    return body.access_token ? 'token' : `${answer.status} ${body.error}`;
  }

  const json = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const basic = Buffer.from(`${administrator.clientId}:${administrator.clientSecret}`).toString('base64');
  const { client_id: _id, client_secret: _secret, ...unnamed } = request;

  test.each<[string, RequestInit, string]>([
    ['JSON', json(request), 'token'],
    ['a form', { body: new URLSearchParams(request) }, 'token'],
    ['HTTP Basic', { headers: { authorization: `Basic ${basic}` }, body: new URLSearchParams(unnamed) }, 'token'],
    ['no audience', json({ ...request, audience: undefined }), '400 invalid_request'],
    ['another grant', json({ ...request, grant_type: 'password' }), '400 unsupported_grant_type'],
    ['an unknown scope', json({ ...request, scope: 'everything' }), '400 invalid_scope'],
    ['a wrong secret', json({ ...request, client_secret: 'wrong' }), '401 invalid_client'],
    ['another audience', json({ ...request, audience: 'https://flaghoist' }), '403 access_denied'],
    ['plain text', { body: 'client_id=x' }, '415 invalid_request'],
    ['too large a body', json({ ...request, scope: 'x'.repeat(70_000) }), '413 invalid_request'],
  ])('responds to %s as described', async (_, init, expected) => {
    expect(await sendToken(init)).toBe(expected);
  });

  test('documents all its errors, each with an example', () => {
    const { responses } = document.paths['/oauth/token']!.post!;
    const examples = Object.entries(responses).flatMap(([status, response]) => {
      const content = follow<{ content?: Record<string, { examples?: Record<string, unknown> }> }>(document, response);
      const names = Object.keys(content.content?.['application/json']?.examples ?? {});
      return names.filter((name) => name in tokenErrorTable).map((name) => `${status} ${name}`);
    });
    const rows = Object.entries(tokenErrorTable).map(([name, { status }]) => `${status} ${name}`);
    expect(examples.toSorted()).toEqual(rows.toSorted());
  });
});

test('the response of an action, and of a create that shows a secret once, are as described', async () => {
  const create = resources.find(({ node }) => node.operationId === 'createApiClient')!;
  const rotate = resources.find(({ node }) => node.operationId === 'rotateApiClientSecret')!;
  const read = resources.find(({ node }) => node.operationId === 'getApiClient')!;
  const { userKey } = await createClient(service, ['read']);
  const created = await service.post('/ws/rest/ApiClient', { user: userKey, scopes: ['read'] });
  expect(checker.check(create, given(created))).toBeUndefined();
  expect(created.body.clientSecret).toBeTypeOf('string');
  const path = `/ws/rest/ApiClient/${created.body.key}`;
  const rotated = await service.post(`${path}/rotateSecret`, { graceSeconds: 60 });
  expect(rotated.status).toBe(200);
  expect(checker.check(rotate, given(rotated))).toBeUndefined();
  expect(checker.check(read, given(await service.get(path)))).toBeUndefined();
});

function given({ status, headers, text }: Answer): GivenAnswer {
  return { status, headers: Object.fromEntries(headers), text };
}

test('with an external issuer, the description links to it and has no token endpoint', async () => {
  const external = withSettings({ FLAGHOIST_ISSUER_URL: 'https://issuer.example/realms/fleet/' });
  const built = buildOpenApi(buildModel(catalogue), external);
  const described = JSON.parse(JSON.stringify(built)) as Document;
  const { valid, errors } = await new Validator().validate(structuredClone(described) as never);
  expect([valid, errors]).toEqual([true, undefined]);
  expect(described.components.securitySchemes).not.toHaveProperty('oauth2');
  expect(described.components.securitySchemes.openIdConnect.openIdConnectUrl).toBe(
    'https://issuer.example/realms/fleet/.well-known/openid-configuration',
  );
  expect(Object.keys(described.paths).filter((path) => /oauth|well-known/.test(path))).toEqual([]);
  expect(described.paths['/ws/rest/Voyage']?.get?.security).toEqual([{ openIdConnect: [] }, { bearerAuth: [] }]);
  expect(JSON.stringify(described)).not.toMatch(/oauth\/token|TokenRequest/);
});
