// Sign-in to the console at an external issuer: authorization code with PKCE, and persons as clients of their own.

import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testAudience } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { useConsoleAtIssuer } from './console-at-issuer.ts';
import { consoleSecret, redirectUrl } from './people-issuer.ts';

const {
  issuer,
  encryption,
  service,
  startOther,
  open,
  authorize,
  signIn,
  call,
  callAsAdministrator,
  admit,
  age,
  expectFault,
} = useConsoleAtIssuer();

describe('a sign-in', () => {
  test('is offered at the issuer alone', async () => {
    expect((await open().methods()).body).toMatchObject({ methods: ['ISSUER'], environment: 'TEST' });
    const answer = await open().signIn({ clientId: 'fleet-administrator', clientSecret: 'x' });
    expect(expectErrorBody(answer, 400).message).toBe('The body must have authorizationCode and state.');
    expect(service().consoleLink).toBeUndefined();
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
