// Which scope every route needs: each type of the model, each method, each kind of caller.

import { beforeAll, describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { openForge } from './forge-token.ts';

const service = useTestService();
const callers = ['nothing', 'read', 'write', 'webhook', 'subscriber', 'admin'] as const;
type CallerName = (typeof callers)[number];
const tokens = {} as Record<CallerName, string>;

beforeAll(async () => {
  for (const scope of ['read', 'write', 'webhook', 'admin'] as const)
    tokens[scope] = (await createClient(service, [scope])).token;
  tokens.subscriber = (await createClient(service, ['read', 'webhook'])).token;
  // No client can have no scope, but its token could.
  const forge = await openForge(service.database, service.url());
  tokens.nothing = forge.sign(forge.header(), forge.claims({ scope: '' }));
});

/** What a caller holds, with what that includes. */
const held: Record<CallerName, string[]> = {
  nothing: [],
  read: ['read'],
  write: ['read', 'write'],
  webhook: ['webhook'],
  subscriber: ['read', 'webhook'],
  admin: ['read', 'write', 'webhook', 'admin'],
};

interface Route {
  method: string;
  path: string;
  /** Those that are missing are told in this order. */
  needs: string[];
  /** What it is answered with where the scope is there. */
  allowed: number;
}

const types = [...buildModel(catalogue).types.keys()];
const systemTypes = ['ApiUser', 'ApiClient', 'AuditLog'];
const webhookTypes = ['WebhookSubscription', 'WebhookNotification', 'ResendJob'];
const writtenByNobody = ['AuditLog', 'WebhookNotification'];
const madeByService = ['ResendJob'];
const noKey = 999_999_999;

/** To read and to write. A subscription carries object data, so `read` is needed as well. */
function scopesOf(type: string): [string[], string[]] {
  if (systemTypes.includes(type)) return [['admin'], ['admin']];
  if (type === 'AlertScript') return [['read'], ['admin']];
  if (webhookTypes.includes(type))
    return [
      ['webhook', 'read'],
      ['webhook', 'read'],
    ];
  return [['read'], ['write']];
}

function routesOf(type: string): Route[] {
  const [read, write] = scopesOf(type);
  const reading = [
    { method: 'GET', path: type, needs: read, allowed: 200 },
    { method: 'HEAD', path: type, needs: read, allowed: 200 },
    { method: 'GET', path: `${type}/${noKey}`, needs: read, allowed: 404 },
    { method: 'HEAD', path: `${type}/${noKey}`, needs: read, allowed: 404 },
  ];
  if (writtenByNobody.includes(type)) return reading;
  const changing = { method: 'PUT', path: `${type}/${noKey}`, needs: write, allowed: 404 };
  if (madeByService.includes(type)) return [...reading, changing];
  return [
    ...reading,
    { method: 'POST', path: type, needs: write, allowed: 400 },
    changing,
    { method: 'DELETE', path: `${type}/${noKey}`, needs: write, allowed: 404 },
    ...(type === 'ApiClient'
      ? [{ method: 'POST', path: `${type}/${noKey}/rotateSecret`, needs: ['admin'], allowed: 404 }]
      : []),
  ];
}

test('the types are all there are, or one would be left out here', () => {
  expect(types.length).toBeGreaterThan(15);
  for (const type of [...systemTypes, ...webhookTypes]) expect(types).toContain(type);
});

describe.each(types)('%s', (type) => {
  test.each(callers)('may be used with the scope, and not without it: %s', async (caller) => {
    for (const { method, path, needs, allowed } of routesOf(type)) {
      const answer = await send(method, path, tokens[caller]);
      const told = `${method} ${path} with ${caller}: ${answer.text}`;
      const missing = needs.find((scope) => !held[caller].includes(scope));
      if (missing === undefined) {
        // An empty body may be all that a type asks for.
        expect(method === 'POST' ? [allowed, 201] : [allowed], told).toContain(answer.status);
        continue;
      }
      expect(answer.status, told).toBe(403);
      expect(answer.headers.get('www-authenticate'), told).toBe(
        `Bearer realm="flaghoist", error="insufficient_scope", scope="${missing}"`,
      );
      if (method !== 'HEAD') expect(expectErrorBody(answer, 403).message).toContain(missing);
    }
  });
});

test('a missing scope is reported before the body is checked', async () => {
  const headers = { authorization: `Bearer ${tokens.read}`, 'content-type': 'application/json' };
  const large = await fetch(`${service.url()}/ws/rest/Vessel`, {
    method: 'POST',
    headers,
    body: 'x'.repeat(5_000_000),
  });
  expect(large.status).toBe(403);
  await large.arrayBuffer();
});

test('what is open needs no token: health, metrics, the description, the keys', async () => {
  for (const path of [
    '/health',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/.well-known/jwks.json',
  ]) {
    const response = await fetch(`${service.url()}${path}`);
    await response.arrayBuffer();
    expect([path, response.status]).toEqual([path, 200]);
  }
});

async function send(method: string, path: string, token: string): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  const hasBody = method === 'POST' || method === 'PUT';
  if (hasBody) headers['content-type'] = 'application/json';
  const response = await fetch(`${service.url()}/ws/rest/${path}`, {
    method,
    headers,
    ...(hasBody ? { body: '{}' } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: undefined };
}
