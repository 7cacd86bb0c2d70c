// A link signs its user in to the console once, within ten minutes. The session may do what the clients of the user may do
// together, and the audit log shows the console and the user.

import { describe, expect, test } from 'vitest';
import { deleteOldLinks } from '../../src/auth/console-session/console-link-table.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, freshCode } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { type Browser, useBrowsers } from './console-browser.ts';
import { useLinks } from './console-links.ts';

const service = useTestService();
const browsers = useBrowsers(service);
const makeCode = useLinks(service);

interface Opened {
  browser: Browser;
  answer: Answer;
  headers: { authorization: string };
}

async function signedIn(userKey: number): Promise<Opened> {
  const browser = browsers.open();
  const answer = await browser.signIn({ code: await makeCode(userKey) });
  expect(answer.status, answer.text).toBe(200);
  return { browser, answer, headers: { authorization: `Bearer ${answer.body.token}` } };
}

function expectRefused(answer: Answer, message: RegExp): void {
  expect(expectErrorBody(answer, 401).message).toMatch(message);
  expect(answer.headers.get('flaghoist-error')).toBe('signInFailed');
  expect(answer.headers.getSetCookie()).toEqual([]);
}

async function addClient(userKey: number, scopes: string[]): Promise<number> {
  const { body } = await service.post('/ws/rest/ApiClient', { user: userKey, scopes });
  service.secrets.plant('the secret of a second client', body.clientSecret);
  return body.key;
}

async function setClient(key: number, change: object): Promise<void> {
  expect((await service.put(`/ws/rest/ApiClient/${key}`, change)).status).toBe(200);
}

describe('a link', () => {
  test('signs its user in, and names the console as the client', async () => {
    const client = await createClient(service, ['write'], { name: 'Jane' });
    const { userCode } = (await service.get(`/ws/rest/ApiUser/${client.userKey}`)).body;
    const { answer, headers, browser } = await signedIn(client.userKey);
    expect(answer.body).toMatchObject({
      user: { key: client.userKey, userCode, name: 'Jane', edition: 'ENTERPRISE' },
      client: `console ${userCode}`,
      scopes: ['read', 'write'],
      expiresIn: 600,
    });
    const port = await service.post('/ws/rest/Port', { portName: 'Oslo', unLoCode: freshCode('', 5) }, headers);
    expect(port.body).toMatchObject({ createdById: client.userKey });
    expect((await browser.renew()).body).toMatchObject({ client: `console ${userCode}` });
  });

  test('makes changes that the audit log shows as made in the console', async () => {
    const { userKey } = await createClient(service, ['admin']);
    const { userCode } = (await service.get(`/ws/rest/ApiUser/${userKey}`)).body;
    const { headers } = await signedIn(userKey);
    const user = { userCode: freshCode('linked-', 10), name: 'Linked' };
    const made = await service.post('/ws/rest/ApiUser', user, headers);
    const { body } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${made.body.key}`);
    expect(body).toMatchObject([{ action: 'CREATE', userCode, clientId: `console ${userCode}`, createdById: userKey }]);
    const { body: own } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${userKey}&sort=key(AS)`);
    const about = { objectType: 'ApiUser', objectName: userCode };
    expect(own.slice(1)).toMatchObject([
      { action: 'CREATE_LINK', ...about, userCode: null, clientId: 'command line' },
      { action: 'SIGN_IN', ...about, userCode, clientId: `console ${userCode}`, changes: { method: [null, 'LINK'] } },
    ]);
  });

  test('works once, even for many who use it at the same moment', async () => {
    const { userKey } = await createClient(service, ['read']);
    const code = await makeCode(userKey);
    const answers = await Promise.all(Array.from({ length: 8 }, () => browsers.open().signIn({ code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
    expectRefused(await browsers.open().signIn({ code }), /^The link has been used\..* "flaghoist console-link"/);
  });

  test('works for ten minutes', async () => {
    const { userKey } = await createClient(service, ['read']);
    const code = await makeCode(userKey);
    const { rows } = await service.database.pool.query(
      `update flaghoist_system.console_link set expires_at = expires_at - interval '10 minutes' where user_key = $1
       returning (extract(epoch from expires_at + interval '10 minutes' - now()))::int as left`,
      [userKey],
    );
    expect(rows[0].left).toBeGreaterThan(570);
    expect(rows[0].left).toBeLessThanOrEqual(600);
    expectRefused(await browsers.open().signIn({ code }), /^The link has expired: it is valid for 10 minutes\./);
  });

  test('that is old says why it does not work for a day, and is then deleted', async () => {
    const { userKey } = await createClient(service, ['read']);
    const codes = [await makeCode(userKey), await makeCode(userKey)];
    const age = (hours: number, count: number) =>
      service.database.pool.query(
        `update flaghoist_system.console_link set expires_at = expires_at - make_interval(hours => $2)
         where code_hash = any(array(select code_hash from flaghoist_system.console_link where user_key = $1 limit $3))`,
        [userKey, hours, count],
      );
    await age(23, 2);
    await age(2, 1);
    expect((await service.database.pool.query(deleteOldLinks().text)).rowCount).toBe(1);
    const messages = [];
    for (const code of codes) messages.push((await browsers.open().signIn({ code })).body.message);
    expect(messages.filter((message) => message.startsWith('The link has expired'))).toHaveLength(1);
    expect(messages.filter((message) => message.startsWith('The link is not valid'))).toHaveLength(1);
  });

  test('that was never made, or not like this, is refused', async () => {
    const { userKey } = await createClient(service, ['read']);
    const other = await createClient(service, ['admin']);
    const code = await makeCode(userKey);
    const guess = `fhl_${userKey}_${'A'.repeat(43)}`;
    const forOther = code.replace(`_${userKey}_`, `_${other.userKey}_`);
    for (const wrong of [
      guess,
      forOther,
      'x',
      code.slice(0, -1),
      `${code}A`,
      ` ${code}`,
      code.slice(4),
      'fhl_0_',
      '💥',
    ])
      expectRefused(await browsers.open().signIn({ code: wrong }), /^The link is not valid\. Copy all of it\./);
    expect((await browsers.open().signIn({ code })).status).toBe(200);
  });

  test('cannot be given to another user in the table: its hash covers the user', async () => {
    const [reader, admin] = [await createClient(service, ['read']), await createClient(service, ['admin'])];
    const code = await makeCode(reader.userKey);
    await service.database.pool.query('update flaghoist_system.console_link set user_key = $2 where user_key = $1', [
      reader.userKey,
      admin.userKey,
    ]);
    const answer = await browsers.open().signIn({ code });
    expect(answer.body.user?.key).not.toBe(admin.userKey);
  });

  test('of a user without access says so, and works as soon as the user has access', async () => {
    const user = await create(service, 'ApiUser', { userCode: freshCode('bare-', 8), name: 'Bare' });
    const code = await makeCode(user.key);
    const answer = await browsers.open().signIn({ code });
    expect(expectErrorBody(answer, 403).message).toMatch(/has no access: it is disabled, or has no active client/);
    expect(answer.headers.get('flaghoist-error')).toBe('noAccess');
    await addClient(user.key, ['read']);
    expect((await browsers.open().signIn({ code })).status).toBe(200);
  });

  test('of a user that is disabled is gone, also when the user is enabled again', async () => {
    const { userKey } = await createClient(service, ['read']);
    const code = await makeCode(userKey);
    for (const active of [false, true]) await service.put(`/ws/rest/ApiUser/${userKey}`, { active });
    expectRefused(await browsers.open().signIn({ code }), /^The link is not valid/);
  });
});

describe('the session of a link', () => {
  test('may do what the active clients of the user may do together, as they are now', async () => {
    const client = await createClient(service, ['read']);
    const second = await addClient(client.userKey, ['webhook']);
    const { browser, answer, headers } = await signedIn(client.userKey);
    expect(answer.body.scopes).toEqual(['read', 'webhook']);
    const subscriptions = () => service.get('/ws/rest/WebhookSubscription', headers);
    expect((await subscriptions()).status).toBe(200);
    await setClient(second, { active: false });
    expectErrorBody(await subscriptions(), 403);
    await setClient(client.key, { scopes: ['write'] });
    expect((await browser.renew()).body.scopes).toEqual(['read', 'write']);
    // The token that was issued before gets no new scope.
    expectErrorBody(await service.post('/ws/rest/Port', { portName: 'Oslo' }, headers), 403);
  });

  test('has no part of what another environment grants', async () => {
    const client = await createClient(service, ['read']);
    const second = await addClient(client.userKey, ['admin']);
    await setClient(second, { audiences: ['https://flaghoist'] });
    expect((await signedIn(client.userKey)).answer.body.scopes).toEqual(['read']);
  });

  const ends: [string, (client: TestClient) => Promise<unknown>][] = [
    ['the user is disabled', ({ userKey }) => service.put(`/ws/rest/ApiUser/${userKey}`, { active: false })],
    ['the last client is disabled', ({ key }) => setClient(key, { active: false })],
    ['the last client is deleted', ({ key }) => service.delete(`/ws/rest/ApiClient/${key}`)],
  ];
  test.each(ends)('ends when %s, and its tokens end at once', async (_, end) => {
    const client = await createClient(service, ['read']);
    const { browser, headers } = await signedIn(client.userKey);
    expect((await service.get('/ws/rest/Port', headers)).status).toBe(200);
    await end(client);
    expectErrorBody(await service.get('/ws/rest/Port', headers), 401);
    expectErrorBody(await browser.renew(), 401);
  });

  test('goes on when the secret of a client is replaced: it never had that secret', async () => {
    const client = await createClient(service, ['read']);
    const { browser } = await signedIn(client.userKey);
    const { body } = await service.post(`/ws/rest/ApiClient/${client.key}/rotateSecret`, {});
    service.secrets.plant('a new secret', body.clientSecret);
    expect((await browser.renew()).status).toBe(200);
  });
});
