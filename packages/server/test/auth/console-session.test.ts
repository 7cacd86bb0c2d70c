// A session of the console: it begins with id and secret, goes on by its cookie alone, and ends for everyone who has the
// cookie when one of them may be a thief.

import { describe, expect, test } from 'vitest';
import { deleteEndedSessions } from '../../src/auth/console-session/console-session-table.ts';
import { readServiceVersion } from '../../src/describe/openapi/service-version.ts';
import { administrator, createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { freshCode } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { pass, renewalPath, sessionIdOf, useBrowsers } from './console-browser.ts';
import { startBeside } from './service-beside.ts';

const service = useTestService();
const browsers = useBrowsers(service);
const graceSeconds = 10;

function expectEnded(answer: Answer): void {
  expectErrorBody(answer, 401);
  expect(answer.headers.get('flaghoist-error')).toBe('sessionEnded');
}

function authorization(answer: Answer): { authorization: string } {
  return { authorization: `Bearer ${answer.body.token}` };
}

async function recordsOf(userKey: number): Promise<{ action: string; clientId: string; changes: object }[]> {
  const { body } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${userKey}&sort=key(AS)`);
  return body;
}

async function sessionsOf(userKey: number): Promise<number> {
  const { rows } = await service.database.pool.query(
    'select count(*)::int from flaghoist_system.console_session where user_key = $1',
    [userKey],
  );
  return rows[0].count;
}

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

describe('a renewal', () => {
  test('answers a new token and replaces the cookie', async () => {
    const client = await createClient(service, ['write']);
    const browser = await browsers.signedIn(client);
    const first = browser.cookie;
    const answer = await browser.renew();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ client: client.clientId, scopes: ['read', 'write'], expiresIn: 600 });
    expect((await service.get('/ws/rest/Port', authorization(answer))).status).toBe(200);
    expect(browser.cookie).not.toBe(first);
    expect(sessionIdOf(browser.cookie!)).toBe(sessionIdOf(first!));
  });

  test('shows at once what has changed: scopes, name and edition', async () => {
    const client = await createClient(service, ['write']);
    const browser = await browsers.signedIn(client);
    await service.put(`/ws/rest/ApiClient/${client.key}`, { scopes: ['read'] });
    await service.put(`/ws/rest/ApiUser/${client.userKey}`, { name: 'Renamed', edition: 'STANDARD' });
    const answer = await browser.renew();
    expect(answer.body).toMatchObject({ scopes: ['read'], user: { name: 'Renamed', edition: 'STANDARD' } });
    expectErrorBody(await service.post('/ws/rest/Port', { portName: 'Oslo' }, authorization(answer)), 403);
  });

  test('is answered by any process', async () => {
    const place = { FLAGHOIST_BASE_URL: service.url() };
    const other = await startBeside(service.database, place);
    const browser = await browsers.signedIn();
    const moved = browser.copy(() => other.localUrl);
    const answer = await moved.renew();
    expect(answer.status, answer.text).toBe(200);
    expect((await service.get('/ws/rest/Port', authorization(answer))).status).toBe(200);
  });

  test('works in several tabs at the same moment, which then have the same cookie', async () => {
    const browser = await browsers.signedIn();
    const tabs = Array.from({ length: 8 }, () => browser.copy());
    const answers = await Promise.all(tabs.map((tab) => tab.renew()));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    await pass(service, tabs[0]!, graceSeconds);
    expect((await tabs[3]!.renew()).status).toBe(200);
  });

  test('is repeated by a page that did not get the response', async () => {
    const browser = await browsers.signedIn();
    const lost = browser.copy();
    await lost.renew();
    expect((await browser.renew()).status).toBe(200);
    expect(browser.cookie).toBe(lost.cookie);
    await pass(service, browser, graceSeconds);
    expect((await browser.renew()).status).toBe(200);
  });

  test('replaces the cookie once in ten seconds, so that a slow tab is not taken for a thief', async () => {
    const browser = await browsers.signedIn();
    const slow = browser.copy();
    await browser.renew();
    const second = browser.cookie;
    for (let count = 0; count < 5; count += 1) expect((await browser.renew()).status).toBe(200);
    expect(browser.cookie).toBe(second);
    expect((await slow.renew()).status).toBe(200);
    await pass(service, browser, graceSeconds);
    await browser.renew();
    expect(browser.cookie).not.toBe(second);
  });

  test('with a cookie that was replaced ends the session for the thief and for the owner', async () => {
    const client = await createClient(service, ['read']);
    const owner = await browsers.signedIn(client);
    const thief = owner.copy();
    await thief.renew();
    await pass(service, thief, graceSeconds);
    const answer = await owner.renew();
    expectEnded(answer);
    expect(answer.headers.getSetCookie()).toEqual([
      'flaghoist-console=; Path=/console/session; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    expectEnded(await thief.renew());
    expect((await recordsOf(client.userKey)).at(-1)).toMatchObject({
      action: 'SIGN_OUT',
      changes: { reason: [null, 'COOKIE_REUSED'] },
    });
    expect(service.observations).toContainEqual({ kind: 'console.cookieReused', client: client.clientId });
  });

  test('needs a cookie that this service made', async () => {
    const { cookie = '' } = await browsers.signedIn();
    const id = sessionIdOf(cookie);
    const own = `${id}.${'A'.repeat(43)}`;
    for (const value of ['', 'x', cookie.slice(1), `${cookie}x`, cookie.slice(0, -1), `fhc_${'A'.repeat(22)}.${own}`]) {
      const browser = browsers.open();
      browser.cookies.set('flaghoist-console', value);
      expectEnded(await browser.renew());
    }
    expectEnded(await browsers.open().renew());
  });

  test('is made with one cookie, and not with two: another host of the domain may have set one', async () => {
    const [owner, attacker] = [await browsers.signedIn(), await browsers.signedIn()];
    const renew = (cookie: string) => browsers.open().send('POST', renewalPath, undefined, { cookie });
    const own = `flaghoist-console=${owner.cookie}`;
    expectEnded(await renew(`flaghoist-console=${attacker.cookie}; ${own}`));
    const answer = await renew(`other=1;${own} ; flaghoist-consol=2`);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toContain(sessionIdOf(owner.cookie!));
  });

  test('of a session whose owner was changed in the table ends it: the hash covers the owner', async () => {
    const client = await createClient(service, ['read']);
    const browser = await browsers.signedIn(client);
    await service.database.pool.query(
      `update flaghoist_system.console_session set client_id = $2,
         user_key = (select "user" from flaghoist_service.api_client where client_id = $2) where id = $1`,
      [sessionIdOf(browser.cookie!), administrator.clientId],
    );
    expectEnded(await browser.renew());
  });
});

describe('a session ends', () => {
  test('with the sign-out, for everyone who has the cookie', async () => {
    const browser = await browsers.signedIn();
    const thief = browser.copy();
    const answer = await browser.signOut();
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.getSetCookie()).toEqual([
      'flaghoist-console=; Path=/console/session; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    expect(browser.cookie).toBeUndefined();
    expectEnded(await thief.renew());
    expect((await browser.signOut()).status).toBe(204);
  });

  test('12 hours after its last renewal, and is deleted', async () => {
    const client = await createClient(service, ['read']);
    const browser = await browsers.signedIn(client);
    await pass(service, browser, 43_190);
    expect((await browser.renew()).status).toBe(200);
    await pass(service, browser, 43_200);
    expectEnded(await browser.copy().renew());
    const { text, values } = deleteEndedSessions(43_200);
    expect((await service.database.pool.query(text, values)).rowCount).toBe(1);
    expect(await sessionsOf(client.userKey)).toBe(0);
  });

  const ways: [string, (client: TestClient) => Promise<unknown>, (client: TestClient) => Promise<unknown>][] = [
    [
      'the client is disabled',
      ({ key }) => service.put(`/ws/rest/ApiClient/${key}`, { active: false }),
      ({ key }) => service.put(`/ws/rest/ApiClient/${key}`, { active: true }),
    ],
    [
      'the user is disabled',
      ({ userKey }) => service.put(`/ws/rest/ApiUser/${userKey}`, { active: false }),
      ({ userKey }) => service.put(`/ws/rest/ApiUser/${userKey}`, { active: true }),
    ],
    [
      'the secret is replaced, even with a grace period',
      ({ key }) => service.post(`/ws/rest/ApiClient/${key}/rotateSecret`, { graceSeconds: 3600 }),
      () => Promise.resolve(),
    ],
    [
      'the client is deleted',
      ({ key }) => service.delete(`/ws/rest/ApiClient/${key}`),
      ({ clientId, userKey }) =>
        service.post('/ws/rest/ApiClient', { clientId, user: userKey, scopes: ['read'] }).then(({ body }) => {
          service.secrets.plant('a secret', body.clientSecret);
        }),
    ],
    [
      'the user is disabled by SQL',
      ({ userKey }) =>
        service.database.pool.query('update flaghoist_service.api_user set active = false where key = $1', [userKey]),
      ({ userKey }) =>
        service.database.pool.query('update flaghoist_service.api_user set active = true where key = $1', [userKey]),
    ],
  ];
  test.each(ways)('when %s, and does not come back', async (_, end, mend) => {
    const client = await createClient(service, ['read']);
    const browser = await browsers.signedIn(client);
    const answered = await end(client);
    if (typeof (answered as Answer)?.body?.clientSecret === 'string')
      service.secrets.plant('a new secret', (answered as Answer).body.clientSecret);
    expect(await sessionsOf(client.userKey)).toBe(0);
    await mend(client);
    expectEnded(await browser.renew());
  });

  test('when its client is given to another user or loses the audience', async () => {
    const [client, other, lacking] = [
      await createClient(service, ['read']),
      await createClient(service, ['read']),
      await createClient(service, ['read']),
    ];
    const [moved, without] = [await browsers.signedIn(client), await browsers.signedIn(lacking)];
    await service.put(`/ws/rest/ApiClient/${client.key}`, { user: other.userKey });
    await service.put(`/ws/rest/ApiClient/${lacking.key}`, { audiences: ['https://flaghoist'] });
    expectEnded(await moved.renew());
    expectEnded(await without.renew());
  });

  test('only with what ends it: other changes of the client and user leave it', async () => {
    const client = await createClient(service, ['read']);
    const browser = await browsers.signedIn(client);
    await service.put(`/ws/rest/ApiClient/${client.key}`, { scopes: ['write'] });
    await service.put(`/ws/rest/ApiUser/${client.userKey}`, { email: 'ops@agent.example' });
    await createClient(service, ['read']);
    expect((await browser.renew()).status).toBe(200);
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
