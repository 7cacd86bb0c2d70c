// Sign-in to the console at an external issuer that we did not write: authorization code with PKCE, refresh tokens that
// are accepted once, and persons as clients of their own.

import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { type Environment, loadSettings } from '../../src/config/load-settings.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administratorSettings, testAudience } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import {
  expectNoneFound,
  PlantedSecrets,
  plantSettings,
  recordSearched,
  watchAnswers,
} from '../support/planted-secrets.ts';
import { useTestDatabase } from '../support/test-database.ts';
import type { Answer } from '../support/test-service.ts';
import { Browser, sessionIdOf } from './console-browser.ts';
import { startLoopbackIssuer } from './loopback-issuer.ts';
import { consoleSecret, redirectUrl, usePeopleIssuer } from './people-issuer.ts';

const issuer = usePeopleIssuer();
const database = useTestDatabase();
const encryptionKey = administratorSettings.FLAGHOIST_ENCRYPTION_KEY!;
const encryption = openEncryption(Buffer.from(encryptionKey, 'base64'));
const observations: Observation[] = [];
const secrets = new PlantedSecrets();
const seen = new Set<string>();
let service: Service;
let stopWatching: () => void;

beforeAll(async () => {
  const settings = settingsFor({});
  plantSettings(secrets, settings);
  stopWatching = watchAnswers(secrets, () => service && Number(new URL(service.localUrl).port));
  service = await startService(settings, (observation) => observations.push(observation));
});
afterAll(async () => {
  await service?.stop();
  stopWatching?.();
  for (const secret of seen) secrets.plant('a cookie, code or token of a sign-in at the issuer', secret);
  secrets.searchLog(observations);
  await secrets.searchTables(database.pool);
  recordSearched(secrets);
  expectNoneFound(secrets);
});

function settingsFor(environment: Environment) {
  return loadSettings({
    FLAGHOIST_PORT: '0',
    DATABASE_URL: database.url,
    FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
    FLAGHOIST_REFERENCE_DATA: 'skip',
    FLAGHOIST_ENCRYPTION_KEY: encryptionKey,
    FLAGHOIST_BASE_URL: 'https://fleet.example',
    FLAGHOIST_ISSUER_URL: issuer.url(),
    FLAGHOIST_BOOTSTRAP_CLIENT_ID: 'fleet-administrator',
    FLAGHOIST_CONSOLE_CLIENT_ID: 'fleet-console',
    FLAGHOIST_CONSOLE_CLIENT_SECRET: consoleSecret,
    FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '0',
    ...environment,
  }).settings;
}

async function startOther(environment: Environment): Promise<Service> {
  const other = await startService(settingsFor(environment), (observation) => observations.push(observation));
  onTestFinished(() => other.stop());
  return other;
}

function open(url = () => service.localUrl): Browser {
  return new Browser(url, (secret) => seen.add(secret));
}

interface Returned {
  authorizationCode: string;
  state: string;
}

/** What the browser comes back with. */
async function authorize(browser: Browser, person: string): Promise<Returned> {
  const { status, body, text } = await browser.send('POST', '/console/session/authorization');
  expect(status, text).toBe(200);
  const returned = await issuer.signIn(body.url, person);
  const [authorizationCode = '', state = ''] = [returned.get('code'), returned.get('state')].map(String);
  for (const secret of [authorizationCode, state]) seen.add(secret);
  return { authorizationCode, state };
}

async function signIn(browser: Browser, person: string): Promise<Answer> {
  return browser.signIn(await authorize(browser, person));
}

async function signedIn(person: string): Promise<Browser> {
  const browser = open();
  const answer = await signIn(browser, person);
  expect(answer.status, answer.text).toBe(200);
  return browser;
}

async function call(token: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${service.localUrl}/ws/rest/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}

async function callAsAdministrator(method: string, path: string, body?: unknown): Promise<Answer> {
  return call(await issuer.fetchToken(), method, path, body);
}

/** The ApiClient of a person; its key. */
async function admit(person: string, scopes: string[]): Promise<number> {
  const user = await callAsAdministrator('POST', 'ApiUser', { userCode: person.replace(/\W/g, '-'), name: person });
  const made = await callAsAdministrator('POST', 'ApiClient', {
    clientId: `sub:${person}`,
    user: user.body.key,
    scopes,
  });
  expect(made.status, made.text).toBe(201);
  return made.body.key;
}

/** As if the access token were nearly over. */
async function age(browser: Browser, leftMs = 1_000): Promise<void> {
  const [id, table] = [sessionIdOf(browser.cookie!), 'flaghoist_system.console_session'];
  const { rows } = await database.pool.query(`select issuer_tokens from ${table} where id = $1`, [id]);
  const purpose = `console session ${id}`;
  const kept = JSON.parse(encryption.decrypt(purpose, rows[0].issuer_tokens));
  for (const secret of [kept.accessToken.split('.')[2], kept.refreshToken]) if (secret) seen.add(secret);
  const expiresAtMs = Date.now() + leftMs;
  const receivedAtMs = kept.receivedAtMs - (kept.expiresAtMs - expiresAtMs);
  const aged = encryption.encrypt(purpose, JSON.stringify({ ...kept, receivedAtMs, expiresAtMs }));
  await database.pool.query(`update ${table} set issuer_tokens = $2 where id = $1`, [id, aged]);
}

function expectFault(answer: Answer, reason: RegExp): void {
  expectErrorBody(answer, 502);
  expect(answer.headers.get('flaghoist-error')).toBe('issuerFault');
  expect(observations.at(-1)?.kind === 'request.completed' ? observations.at(-2) : observations.at(-1)).toEqual({
    kind: 'console.issuerFailed',
    reason: expect.stringMatching(reason),
  });
}

describe('a sign-in', () => {
  test('is offered at the issuer alone', async () => {
    expect((await open().methods()).body).toMatchObject({ methods: ['ISSUER'], environment: 'TEST' });
    const answer = await open().signIn({ clientId: 'fleet-administrator', clientSecret: 'x' });
    expect(expectErrorBody(answer, 400).message).toBe('The body must have authorizationCode and state.');
    expect(service.consoleLink).toBeUndefined();
  });

  test('leads to the issuer with PKCE, a state and a nonce, and leaves nothing readable in the browser', async () => {
    const browser = open();
    const answer = await browser.send('POST', '/console/session/authorization');
    const url = new URL(answer.body.url);
    expect(`${url.origin}${url.pathname}`).toBe(`${issuer.url()}/auth`);
    const { code_challenge, state, nonce, ...others } = Object.fromEntries(url.searchParams);
    expect(others).toEqual({
      response_type: 'code',
      client_id: 'fleet-console',
      redirect_uri: redirectUrl,
      scope: 'openid offline_access',
      code_challenge_method: 'S256',
      audience: testAudience,
      resource: testAudience,
    });
    for (const random of [code_challenge, state, nonce]) expect(random).toMatch(/^[\w-]{43}$/);
    const sealed = browser.cookies.get('flaghoist-console-authorization')!;
    expect(answer.headers.getSetCookie()).toEqual([
      `flaghoist-console-authorization=${sealed}; Path=/console/session; Max-Age=600; HttpOnly; SameSite=Strict; Secure`,
    ]);
    const { verifier, ...kept } = JSON.parse(encryption.decrypt('console authorization', sealed));
    expect(kept).toMatchObject({ state, nonce });
    expect(hash('sha256', verifier, 'base64url')).toBe(code_challenge);
    const again = new URL((await browser.send('POST', '/console/session/authorization')).body.url);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(again.searchParams.get(name)).not.toBe(url.searchParams.get(name));
  });

  test('makes the person a client of its own: its token, its user and the audit log name the person', async () => {
    await admit('auth0|jane', ['write']);
    const browser = open();
    const answer = await signIn(browser, 'auth0|jane');
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      user: { userCode: 'auth0-jane', name: 'auth0|jane', edition: 'ENTERPRISE' },
      client: 'sub:auth0|jane',
      scopes: ['read', 'write'],
    });
    expect(answer.body.expiresIn).toBeGreaterThan(3_500);
    expect([...browser.cookies.keys()]).toEqual(['flaghoist-console']);
    const port = { portName: 'Rotterdam', unLoCode: 'NLRTM' };
    expect((await call(answer.body.token, 'POST', 'Port', port)).body.createdById).toBe(answer.body.user.key);
    expect((await call(answer.body.token, 'GET', 'ApiUser')).status).toBe(403);
    const { body } = await callAsAdministrator('GET', 'AuditLog?filter=action(EQ)SIGN_IN');
    expect(body).toMatchObject([
      { userCode: 'auth0-jane', clientId: 'sub:auth0|jane', changes: { method: [null, 'ISSUER'] } },
    ]);
  });

  test('of a person without access says whom to admit, and then works', async () => {
    const refused = await signIn(open(), 'stranger');
    expect(expectErrorBody(refused, 403).message).toContain('an ApiClient with the clientId "sub:stranger"');
    expect(refused.headers.get('flaghoist-error')).toBe('noAccess');
    await admit('stranger', ['read']);
    expect((await signIn(open(), 'stranger')).status).toBe(200);
  });

  test('does not make a person a program: the id of one is no use as the name of the other', async () => {
    const answer = await signIn(open(), 'fleet-administrator');
    expect(expectErrorBody(answer, 403).message).toContain('"sub:fleet-administrator"');
  });

  test('is refused without the cookie, with another state, twice, or with what was not sent by the issuer', async () => {
    await admit('careful', ['read']);
    const browser = open();
    const returned = await authorize(browser, 'careful');
    const stranger = open();
    const other = open();
    await authorize(other, 'careful');
    const altered = browser.copy();
    altered.cookies.set(
      'flaghoist-console-authorization',
      `${altered.cookies.get('flaghoist-console-authorization')!.slice(0, -4)}AAAA`,
    );
    for (const [who, sent] of [
      [stranger, returned],
      [other, returned],
      [altered, returned],
      [browser.copy(), { ...returned, state: 'x' }],
      [browser.copy(), { ...returned, authorizationCode: 'x' }],
    ] as const) {
      const answer = await who.signIn(sent);
      expect(expectErrorBody(answer, 401).message).toMatch(/^The sign-in was not accepted: .* Sign in again\.$/);
      expect(answer.headers.get('flaghoist-error')).toBe('signInFailed');
    }
    const twice = browser.copy();
    expect((await browser.signIn(returned)).status).toBe(200);
    expectErrorBody(await twice.signIn(returned), 401);
  });

  test('is refused after ten minutes', async () => {
    const browser = open();
    const returned = await authorize(browser, 'careful');
    const name = 'flaghoist-console-authorization';
    const kept = JSON.parse(encryption.decrypt('console authorization', browser.cookies.get(name)!));
    expect(kept.untilMs - Date.now()).toBeLessThanOrEqual(600_000);
    browser.cookies.set(
      name,
      encryption.encrypt('console authorization', JSON.stringify({ ...kept, untilMs: Date.now() - 1 })),
    );
    expectErrorBody(await browser.signIn(returned), 401);
  });

  test.each([
    ['fleet-console-post', consoleSecret],
    ['fleet-console-public', ''],
  ])('works for the client %s', async (clientId, secret) => {
    await admit(`of ${clientId}`.replace(' ', '-'), ['read']);
    const settings = { FLAGHOIST_CONSOLE_CLIENT_ID: clientId, FLAGHOIST_CONSOLE_CLIENT_SECRET: secret };
    const other = await startOther(settings);
    const browser = open(() => other.localUrl);
    const answer = await signIn(browser, `of-${clientId}`);
    expect(answer.status, answer.text).toBe(200);
    await age(browser);
    expect((await browser.renew()).status).toBe(200);
  });

  test('with a scope of the operator does not name the resource, which Entra would reject', async () => {
    const other = await startOther({ FLAGHOIST_CONSOLE_SCOPE: 'openid api://fleet/access' });
    const { body } = await open(() => other.localUrl).send('POST', '/console/session/authorization');
    const { searchParams } = new URL(body.url);
    expect([searchParams.get('scope'), searchParams.get('audience'), searchParams.has('resource')]).toEqual([
      'openid api://fleet/access',
      testAudience,
      false,
    ]);
  });
});

describe('a session', () => {
  test('gives the same token to a page that is loaded again, while it lasts, and asks the issuer nothing', async () => {
    await admit('patient', ['read']);
    const browser = open();
    const first = await signIn(browser, 'patient');
    const before = issuer.grants('refresh_token');
    const second = await browser.renew();
    expect(second.body.token).toBe(first.body.token);
    expect(issuer.grants('refresh_token')).toBe(before);
  });

  test('refreshes the token when it is nearly over, again and again', async () => {
    await admit('busy', ['read']);
    const browser = await signedIn('busy');
    const tokens = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      await age(browser);
      const answer = await browser.renew();
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.expiresIn).toBeGreaterThan(3_500);
      expect((await call(answer.body.token, 'GET', 'Port')).status).toBe(200);
      tokens.add(answer.body.token);
    }
    expect(tokens.size).toBe(3);
  });

  test('uses a refresh token once, though many tabs of two processes renew at the same moment', async () => {
    await admit('tabs', ['read']);
    const other = await startOther({});
    const browser = await signedIn('tabs');
    await age(browser);
    const before = issuer.grants('refresh_token');
    const tabs = Array.from({ length: 8 }, (_, at) => browser.copy(at % 2 === 0 ? undefined : () => other.localUrl));
    const answers = await Promise.all(tabs.map((tab) => tab.renew()));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1);
    expect(issuer.grants('refresh_token')).toBe(before + 1);
  });

  test('ends when the issuer no longer accepts the refresh token', async () => {
    await admit('leaver', ['read']);
    const browser = await signedIn('leaver');
    await issuer.revoke('leaver');
    await age(browser);
    const answer = await browser.renew();
    expectErrorBody(answer, 401);
    expect(answer.headers.get('flaghoist-error')).toBe('sessionEnded');
    expect(browser.cookie).toBeUndefined();
  });

  test('outlasts an outage of the issuer', async () => {
    await admit('steady', ['read']);
    const browser = await signedIn('steady');
    const { cookie } = browser;
    await age(browser);
    issuer.manner.isAway = true;
    try {
      const answer = await browser.renew();
      expectErrorBody(answer, 503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(browser.cookie).toBe(cookie);
      expectErrorBody(await open().signIn({ authorizationCode: 'x', state: 'x' }), 401);
    } finally {
      issuer.manner.isAway = false;
    }
    expect((await browser.renew()).status).toBe(200);
  });

  test('without a refresh token lasts as long as its access token', async () => {
    await admit('short', ['read']);
    issuer.manner.givesRefreshTokens = false;
    try {
      const browser = await signedIn('short');
      await age(browser, 60_000);
      expect((await browser.renew()).body.expiresIn).toBeGreaterThan(0);
      await age(browser, 1_000);
      expectErrorBody(await browser.renew(), 401);
    } finally {
      issuer.manner.givesRefreshTokens = true;
    }
  });

  test('ends when the client of the person is disabled, and so do its tokens', async () => {
    const key = await admit('dismissed', ['read']);
    const browser = open();
    const { body } = await signIn(browser, 'dismissed');
    expect((await call(body.token, 'GET', 'Port')).status).toBe(200);
    await callAsAdministrator('PUT', `ApiClient/${key}`, { active: false });
    expect((await call(body.token, 'GET', 'Port')).status).toBe(401);
    expectErrorBody(await browser.renew(), 401);
    await callAsAdministrator('PUT', `ApiClient/${key}`, { active: true });
    expectErrorBody(await browser.copy().renew(), 401);
  });

  test('ends with the sign-out, and its tokens are deleted', async () => {
    await admit('tidy', ['read']);
    const browser = await signedIn('tidy');
    const id = sessionIdOf(browser.cookie!);
    expect((await browser.signOut()).status).toBe(204);
    const { rows } = await database.pool.query('select 1 from flaghoist_system.console_session where id = $1', [id]);
    expect(rows).toEqual([]);
  });

  test('ends when the operator changes to another issuer, which never sees its tokens', async () => {
    await admit('mover', ['read']);
    const built = await startOther({ FLAGHOIST_ISSUER_URL: '', FLAGHOIST_CONSOLE_CLIENT_ID: '' });
    expectErrorBody(await (await signedIn('mover')).copy(() => built.localUrl).renew(), 401);
    const elsewhere = await startLoopbackIssuer();
    onTestFinished(() => elsewhere.stop());
    elsewhere.metadata = { authorization_endpoint: `${elsewhere.url}/a`, token_endpoint: `${elsewhere.url}/t` };
    const other = await startOther({ FLAGHOIST_ISSUER_URL: elsewhere.url });
    const browser = await signedIn('mover');
    await age(browser);
    expectErrorBody(await browser.copy(() => other.localUrl).renew(), 401);
    expect(elsewhere.asked).not.toContain('/t');
  });

  test('cannot be given the tokens of another session in the table', async () => {
    await admit('owner', ['admin']);
    await admit('thief', ['read']);
    const [owner, thief] = [await signedIn('owner'), await signedIn('thief')];
    await database.pool.query(
      `update flaghoist_system.console_session set issuer_tokens =
         (select issuer_tokens from flaghoist_system.console_session where id = $1) where id = $2`,
      [sessionIdOf(owner.cookie!), sessionIdOf(thief.cookie!)],
    );
    expectErrorBody(await thief.renew(), 401);
    expect((await owner.renew()).status).toBe(200);
  });
});

describe('what is wrong with the setup is in the log, and the answer says so', () => {
  test('a wrong secret of the console', async () => {
    const other = await startOther({ FLAGHOIST_CONSOLE_CLIENT_SECRET: 'wrong-secret-of-the-console' });
    expectFault(
      await signIn(
        open(() => other.localUrl),
        'jane',
      ),
      /\/token responded with invalid_client\.$/,
    );
  });

  test.each([
    ['for another audience', 'https://elsewhere.example'],
    ['that is no JWT', undefined],
  ])('an access token %s', async (_, audience) => {
    issuer.manner.audience = audience;
    try {
      expectFault(await signIn(open(), 'jane'), /not a JWT for the audience https:\/\/flaghoist\.dev\.$/);
    } finally {
      issuer.manner.audience = testAudience;
    }
  });

  test('without FLAGHOIST_CONSOLE_CLIENT_ID nobody can sign in', async () => {
    const settings = { FLAGHOIST_CONSOLE_CLIENT_ID: '', FLAGHOIST_CONSOLE_CLIENT_SECRET: '' };
    const other = await startOther(settings);
    const browser = open(() => other.localUrl);
    expect((await browser.methods()).body.methods).toEqual([]);
    const answer = await browser.signIn({ authorizationCode: 'x', state: 'x' });
    expect(expectErrorBody(answer, 403).message).toContain('FLAGHOIST_CONSOLE_CLIENT_ID');
    expectErrorBody(await browser.send('POST', '/console/session/authorization'), 404);
    expectErrorBody(await browser.renew(), 401);
  });
});
