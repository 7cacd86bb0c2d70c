// A session that began at an external issuer: refresh tokens that are accepted once, and all the ways in which it ends.

import { describe, expect, onTestFinished, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { useConsoleAtIssuer } from './console-at-issuer.ts';
import { sessionIdOf } from './console-browser.ts';
import { startLoopbackIssuer } from './loopback-issuer.ts';

const { issuer, database, startOther, open, signIn, signedIn, call, callAsAdministrator, admit, age } =
  useConsoleAtIssuer();

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
