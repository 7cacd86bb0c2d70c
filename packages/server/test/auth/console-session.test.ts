// A session of the console begins with id and secret, and only by a request of the console itself.

import { describe, expect, test } from 'vitest';
import { readServiceVersion } from '../../src/describe/openapi/service-version.ts';
import { administrator, createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { useBrowsers } from './console-browser.ts';
import { authorization, expectEnded, recordsIn } from './console-session-checks.ts';
import { startBeside } from './service-beside.ts';

const service = useTestService();
const browsers = useBrowsers(service);
const { recordsOf, sessionsOf } = recordsIn(service);

describe('a sign-in', () => {
  test('asks which methods there are, without a login', async () => {
    const { status, body } = await browsers.open().methods();
    expect(status).toBe(200);
    expect(body).toEqual({
      methods: ['CLIENT', 'LINK'],
      environment: 'TEST',
      version: readServiceVersion(),
      hasSession: false,
    });
  });

  test('with id and secret answers a token of the client and who it is, and sets a cookie', async () => {
    const client = await createClient(service, ['webhook', 'read'], {
      name: 'Agent in Rotterdam',
      edition: 'STANDARD',
    });
    const { clientId, clientSecret, userKey } = client;
    const browser = browsers.open();
    const answer = await browser.signIn({ clientId, clientSecret });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { userCode } = (await service.get(`/ws/rest/ApiUser/${userKey}`)).body;
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresIn: 600,
      user: { key: userKey, userCode, name: 'Agent in Rotterdam', edition: 'STANDARD' },
      client: clientId,
      scopes: ['read', 'webhook'],
      environment: 'TEST',
      version: readServiceVersion(),
    });
    expect(answer.headers.getSetCookie()).toEqual([
      `flaghoist-console=${browser.cookie}; Path=/console/session; Max-Age=43200; HttpOnly; SameSite=Strict`,
    ]);
    expect(browser.cookie).toMatch(/^fhc_[\w-]{22}\.[\w-]{43}$/);
    expect((await service.get('/ws/rest/Port', authorization(answer))).status).toBe(200);
    expectErrorBody(await service.get('/ws/rest/ApiUser', authorization(answer)), 403);
  });

  test('of an administrator shows all scopes, and its changes name its client', async () => {
    const { clientId, clientSecret, userKey } = await createClient(service, ['admin']);
    const answer = await browsers.open().signIn({ clientId, clientSecret });
    expect(answer.body.scopes).toEqual(['read', 'write', 'webhook', 'admin']);
    const user = { userCode: freshCode('made-', 10), name: 'Made in the console' };
    const { body } = await service.post('/ws/rest/ApiUser', user, authorization(answer));
    expect((await recordsOf(body.key))[0]).toMatchObject({ action: 'CREATE', clientId, createdById: userKey });
  });

  test('is in the audit log, and so is the sign-out', async () => {
    const client = await createClient(service, ['read']);
    const browser = await browsers.signedIn(client);
    await browser.renew();
    await browser.signOut();
    const { userCode } = (await service.get(`/ws/rest/ApiUser/${client.userKey}`)).body;
    const by = { objectType: 'ApiUser', objectName: userCode, userCode, clientId: client.clientId };
    expect((await recordsOf(client.userKey)).slice(1)).toMatchObject([
      { action: 'SIGN_IN', ...by, changes: { method: [null, 'CLIENT'] }, createdById: client.userKey },
      { action: 'SIGN_OUT', ...by, changes: { reason: [null, 'SIGNED_OUT'] }, createdById: client.userKey },
    ]);
    expect(service.observations).toContainEqual({
      kind: 'console.signedIn',
      method: 'CLIENT',
      client: client.clientId,
    });
  });

  test('is refused alike for a wrong secret, an unknown client, and a disabled client or user', async () => {
    const [off, userOff] = [await createClient(service, ['read']), await createClient(service, ['read'])];
    await service.put(`/ws/rest/ApiClient/${off.key}`, { active: false });
    await service.put(`/ws/rest/ApiUser/${userOff.userKey}`, { active: false });
    const messages = [];
    for (const { clientId, clientSecret } of [
      { ...administrator, clientSecret: 'wrong' },
      { clientId: 'nobody', clientSecret: administrator.clientSecret },
      off,
      userOff,
    ]) {
      const browser = browsers.open();
      const answer = await browser.signIn({ clientId, clientSecret });
      messages.push(expectErrorBody(answer, 401).message);
      expect(answer.headers.get('flaghoist-error')).toBe('signInFailed');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(new Set(messages)).toEqual(new Set(['The client is unknown, or its secret is wrong.']));
    expect(service.observations).toContainEqual({
      kind: 'console.signInRefused',
      method: 'CLIENT',
      reason: 'rejected',
    });
  });

  test('of a client for the other environment says what it lacks', async () => {
    const client = await createClient(service, ['read']);
    await service.put(`/ws/rest/ApiClient/${client.key}`, { audiences: ['https://flaghoist'] });
    const { clientId, clientSecret } = client;
    const answer = await browsers.open().signIn({ clientId, clientSecret });
    expect(expectErrorBody(answer, 403).message).toContain('the audience of this installation, https://flaghoist.dev');
    expect(await sessionsOf(client.userKey)).toBe(0);
  });

  test('ends the session that the browser had before', async () => {
    const client = await createClient(service, ['read']);
    const browser = await browsers.signedIn(client);
    const before = browser.copy();
    await browser.signIn({ clientId: client.clientId, clientSecret: client.clientSecret });
    expectEnded(await before.renew());
    expect((await browser.renew()).status).toBe(200);
    expect(await sessionsOf(client.userKey)).toBe(1);
  });

  test.each<[string, unknown, number]>([
    ['nothing', '', 400],
    ['no JSON', '{"clientSecret": "planted', 400],
    ['an array', [], 400],
    ['null', 'null', 400],
    ['no members', {}, 400],
    ['a secret alone', { clientSecret: 'x' }, 400],
    ['an id alone', { clientId: 'x' }, 400],
    ['an unknown member', { clientId: 'x', clientSecret: 'x', scope: 'admin' }, 400],
    ['members of two methods', { clientId: 'x', clientSecret: 'x', code: 'x' }, 400],
    ['a method that is not offered', { authorizationCode: 'x', state: 'x' }, 400],
    ['an id that is a number', { clientId: 1, clientSecret: 'x' }, 400],
    ['a secret that is null', { clientId: 'x', clientSecret: null }, 400],
    ['a secret that is an object', { clientId: 'x', clientSecret: { $ne: '' } }, 400],
    ['an empty secret', { clientId: 'x', clientSecret: '' }, 400],
    ['a very long secret', { clientId: 'x', clientSecret: 'x'.repeat(5_000) }, 400],
    ['deep nesting', '['.repeat(5_000), 400],
    ['a member twice', '{"clientId": "a", "clientId": "b", "clientSecret": "x"}', 400],
    ['names of the prototype', '{"__proto__": "x", "constructor": "x"}', 400],
    ['more than 16 kB', { clientId: 'x', clientSecret: 'x'.repeat(20_000) }, 413],
  ])('with %s is rejected and repeats nothing', async (_, body, status) => {
    const { message } = expectErrorBody(await browsers.open().signIn(body), status);
    expect(message).not.toMatch(/planted|xxx|scope/);
  });

  test('has its members in a JSON body and nowhere else', async () => {
    const { clientId, clientSecret } = administrator;
    const browser = browsers.open();
    const query = `?${new URLSearchParams({ clientId, clientSecret })}`;
    const answer = await browser.send('POST', `/console/session${query}`, {});
    expect(expectErrorBody(answer, 400).uri).toMatch(/clientSecret=\*\*\*$/);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expectErrorBody(await browser.signIn(new URLSearchParams({ clientId, clientSecret }).toString(), form), 415);
    expectErrorBody(await browser.signIn({ clientId, clientSecret }, { 'content-type': 'text/plain' }), 415);
    expectErrorBody(await browser.send('PUT', '/console/session', { clientId, clientSecret }), 405);
    expectErrorBody(await browser.send('GET', '/console/session/renewal'), 405);
  });
});

describe('a request that no page of the console sent', () => {
  const { clientId, clientSecret } = administrator;
  const requests: [string, string, unknown][] = [
    ['GET', '/console/session', undefined],
    ['POST', '/console/session', { clientId, clientSecret }],
    ['POST', '/console/session/renewal', undefined],
    ['DELETE', '/console/session', undefined],
  ];
  test.each(requests)('is a 403 for %s %s, whatever tells it apart', async (method, path, body) => {
    const browser = await browsers.signedIn();
    const foreign: Record<string, string>[] = [
      { 'flaghoist-console': '' },
      { 'flaghoist-console': '0' },
      { 'flaghoist-console': 'true' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '' },
    ];
    for (const headers of foreign) {
      const answer = await browser.send(method, path, body, headers);
      expectErrorBody(answer, 403);
      expect(answer.headers.get('flaghoist-error')).toBe('notFromConsole');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await browser.renew()).status).toBe(200);
  });

  test('gets no permission from a preflight request', async () => {
    const response = await fetch(`${service.url()}/console/session`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'flaghoist-console',
      },
    });
    expect(response.status).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    await response.text();
  });

  test('is accepted from a browser that does not send Sec-Fetch-Site', async () => {
    const headers = { 'flaghoist-console': '1' };
    const response = await fetch(`${service.url()}/console/session`, { headers });
    expect(response.status).toBe(200);
    await response.text();
  });
});

describe('a cookie', () => {
  test('is secure where the base URL is https, and has its path', async () => {
    const other = await startBeside(service.database, {
      FLAGHOIST_BASE_URL: 'https://fleet.example/flaghoist',
      FLAGHOIST_CONSOLE_SESSION_SECONDS: '60',
    });
    const browser = browsers.open(() => other.localUrl);
    const { clientId, clientSecret } = administrator;
    const answer = await browser.signIn({ clientId, clientSecret });
    expect(answer.headers.getSetCookie()).toEqual([
      `flaghoist-console=${browser.cookie}; Path=/flaghoist/console/session; Max-Age=60; HttpOnly; SameSite=Strict; Secure`,
    ]);
  });
});
