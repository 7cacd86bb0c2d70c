// The whole service with an external issuer in place of the built-in one: a real one that we did not write.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administratorSettings } from '../support/access.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { holdClock } from './held-clock.ts';
import { type IssuerKey, type LoopbackIssuer, signToken, startLoopbackIssuer } from './loopback-issuer.ts';
import { useRealIssuer } from './real-issuer.ts';

const issuer = useRealIssuer({
  'fleet-administrator': 'RS256',
  'fleet-planner': 'ES256',
  'fleet-reader': 'PS256',
  'fleet-leaver': 'RS256',
  stranger: 'RS256',
});
const database = useTestDatabase();
const observations: Observation[] = [];
let service: Service;

beforeAll(async () => {
  service = await startService(settingsFor(issuer.url()), (observation) => observations.push(observation));
});
afterAll(() => service?.stop());

function settingsFor(issuerUrl: string) {
  const { settings } = loadSettings({
    FLAGHOIST_PORT: '0',
    DATABASE_URL: database.url,
    FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
    FLAGHOIST_REFERENCE_DATA: 'skip',
    FLAGHOIST_ENCRYPTION_KEY: administratorSettings.FLAGHOIST_ENCRYPTION_KEY,
    FLAGHOIST_ISSUER_URL: issuerUrl,
    FLAGHOIST_BOOTSTRAP_CLIENT_ID: 'fleet-administrator',
  });
  return settings;
}

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

async function send(url: string, token: string, method = 'GET', body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

function call(token: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return send(`${service.localUrl}/ws/rest/${path}`, token, method, body);
}

/** Makes the client known here as well; its secret is the issuer's business. */
async function createClient(clientId: string, scopes: string[]): Promise<number> {
  const token = await issuer.fetchToken('fleet-administrator');
  const user = await call(token, 'POST', 'ApiUser', { userCode: `user-${clientId}`, name: clientId });
  const client = await call(token, 'POST', 'ApiClient', { clientId, user: user.body.key, scopes });
  expect(client.status, JSON.stringify(client.body)).toBe(201);
  return client.body.key;
}

test('a client that is known here opens the service with a token of the issuer, as far as its scopes go', async () => {
  await createClient('fleet-planner', ['write']);
  await createClient('fleet-reader', ['read']);
  const [planner, reader] = [await issuer.fetchToken('fleet-planner'), await issuer.fetchToken('fleet-reader')];
  const port = { portName: 'Rotterdam', unLoCode: 'NLRTM' };
  const created = await call(planner, 'POST', 'Port', port);
  expect(created.status).toBe(201);
  expect((await call(reader, 'GET', `Port/${created.body.key}`)).body).toMatchObject(port);
  const refused = await call(reader, 'POST', 'Port', { portName: 'Oslo', unLoCode: 'NOOSL' });
  expect(refused.status).toBe(403);
  expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  expect((await call(planner, 'GET', 'ApiUser')).status).toBe(403);
});

test('the client that the operator named is the administrator, and no secret was made for it', async () => {
  const { status, body } = await call(await issuer.fetchToken('fleet-administrator'), 'GET', 'ApiClient');
  expect(status).toBe(200);
  expect(body[0]).toMatchObject({ clientId: 'fleet-administrator', scopes: ['admin'] });
  expect(service.bootstrapClient).toEqual({ clientId: 'fleet-administrator', generatedSecret: undefined });
});

test('an unknown client is rejected', async () => {
  const { status, body, headers } = await call(await issuer.fetchToken('stranger'), 'GET', 'Port');
  expect(status).toBe(401);
  expect(body).toMatchObject({ statusCode: 401, message: 'The token is not valid.' });
  expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('a token for another audience, or an opaque one, is rejected', async () => {
  const elsewhere = await issuer.fetchToken('fleet-administrator', 'https://flaghoist');
  expect((await call(elsewhere, 'GET', 'Port')).status).toBe(401);
  const opaque = await issuer.fetchToken('fleet-administrator', '');
  expect((await call(opaque, 'GET', 'Port')).status).toBe(401);
});

test('a client that is disabled here is rejected within a second, whatever the issuer says', async () => {
  const key = await createClient('fleet-leaver', ['read']);
  const token = await issuer.fetchToken('fleet-leaver');
  expect((await call(token, 'GET', 'Port')).status).toBe(200);
  const administrator = await issuer.fetchToken('fleet-administrator');
  expect((await call(administrator, 'PUT', `ApiClient/${key}`, { active: false })).status).toBe(200);
  await vi.waitFor(async () => expect((await call(token, 'GET', 'Port')).status).toBe(401), { timeout: 1_000 });
  expect((await call(await issuer.fetchToken('fleet-leaver'), 'GET', 'Port')).status).toBe(401);
});

test('the service has no token endpoint and no issuer metadata', async () => {
  const asked = await fetch(`${service.localUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'fleet-administrator' }),
  });
  expect(asked.status).toBe(404);
  for (const path of ['/oauth/token', '/.well-known/oauth-authorization-server', '/.well-known/jwks.json'])
    expect((await fetch(`${service.localUrl}${path}`)).status).toBe(404);
});

test('the log says whose keys are used', () => {
  expect(observations).toContainEqual({ kind: 'issuer.keysLoaded', issuer: issuer.url(), keys: 3 });
});

describe('with an issuer that is away at the start', () => {
  const clock = holdClock();
  let loopback: LoopbackIssuer;
  let key: IssuerKey;
  let other: Service;
  beforeAll(async () => {
    loopback = await startLoopbackIssuer();
    key = await loopback.addKey('first');
    loopback.faults.set('*', (request) => request.socket.destroy());
    other = await startService(settingsFor(loopback.url), () => undefined, clock);
  });
  afterAll(async () => {
    await other?.stop();
    await loopback.stop();
  });
  const sign = (signing: IssuerKey) =>
    signToken(loopback.url, signing, { nowMs: clock.nowMs(), claims: { client_id: 'fleet-administrator' } });
  const get = (token: string) => send(`${other.localUrl}/ws/rest/ApiUser`, token);

  test('the service starts, and a valid token gets a 503 response until there are keys', async () => {
    const { status, body, headers } = await get(await sign(key));
    expect(status).toBe(503);
    expect(body.message).toBe('The token issuer cannot be reached. Try again in a moment.');
    expect(headers.get('retry-after')).toBe('5');
    expect((await fetch(`${other.localUrl}/ws/rest/ApiUser`)).status).toBe(401);
    expect((await fetch(`${other.localUrl}/health/ready`)).status).toBe(200);
    loopback.faults.clear();
    clock.advance(5_000);
    expect((await get(await sign(key))).status).toBe(200);
  });

  test('100 requests with invented keys are rejected, and cost the issuer one fetch', async () => {
    clock.advance(30_000);
    const asked = loopback.asked.length;
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => get(await sign({ ...key, kid: `made-up-${at}` }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    // Its metadata and its keys.
    expect(loopback.asked.length - asked).toBe(2);
  });

  test('a token is rejected as soon as its key is removed from the list', async () => {
    const token = await sign(key);
    expect((await get(token)).status).toBe(200);
    loopback.listed = [];
    const second = await loopback.addKey('second');
    clock.advance(30_000);
    expect((await get(await sign(second))).status).toBe(200);
    expect((await get(token)).status).toBe(401);
  });
});
