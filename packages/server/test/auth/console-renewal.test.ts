// A session of the console goes on by its cookie alone, and ends for everyone who has the cookie when one of them may be a
// thief.

import { describe, expect, test } from 'vitest';
import { deleteEndedSessions } from '../../src/auth/console-session/console-session-table.ts';
import { administrator, createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { pass, renewalPath, sessionIdOf, useBrowsers } from './console-browser.ts';
import { authorization, expectEnded, recordsIn } from './console-session-checks.ts';
import { startBeside } from './service-beside.ts';

const service = useTestService();
const browsers = useBrowsers(service);
const { recordsOf, sessionsOf } = recordsIn(service);
const graceSeconds = 10;

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
  test.each(ways)('when %s, and does not come back', async (_, end, restore) => {
    const client = await createClient(service, ['read']);
    const browser = await browsers.signedIn(client);
    const answered = await end(client);
    if (typeof (answered as Answer)?.body?.clientSecret === 'string')
      service.secrets.plant('a new secret', (answered as Answer).body.clientSecret);
    expect(await sessionsOf(client.userKey)).toBe(0);
    await restore(client);
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
