// The session of the console under attack: cookies that no browser sends, other spellings of its paths, changes of the
// client at the same moment, and an outage of the database in the middle.

import { describe, expect, onTestFinished, test } from 'vitest';
import { Browser, useBrowsers } from '../auth/console-browser.ts';
import { useLinks } from '../auth/console-links.ts';
import { startBeside } from '../auth/service-beside.ts';
import { administrator, createClient } from '../support/access.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { holdRow } from '../support/held-lock.ts';
import { converse, type RawAnswer } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
const browsers = useBrowsers(service);
const makeCode = useLinks(service);
const renewal = '/console/session/renewal';

async function ask(target: string, lines: string[], body = ''): Promise<RawAnswer> {
  const head = ['Host: x', 'flaghoist-console: 1', `Content-Length: ${body.length}`, ...lines];
  const request = `POST ${target} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`;
  return (await converse(service.url(), Buffer.from(request, 'latin1'), { answers: 1 })).answers[0]!;
}

describe('a cookie', () => {
  const name = 'flaghoist-console';
  test.each([
    ['no value', `${name}=`],
    ['no equals sign', name],
    ['quotes around it', `${name}="fhc_${'A'.repeat(22)}.${'A'.repeat(43)}"`],
    ['another case', `${name.toUpperCase()}=x`],
    ['a name of the prototype', '__proto__=x; constructor=x'],
    ['many equals signs', '='.repeat(10_000)],
    ['many semicolons', ';'.repeat(10_000)],
    ['many names', 'a=b; '.repeat(2_000)],
    ['15 kB', `${name}=fhc_${'A'.repeat(15_000)}`],
    ['15 kB of spaces', `${name}=${' '.repeat(15_000)}x`],
    ['bytes above ASCII', `${name}=\xff\xfe`],
    ['an escape', `${name}=%66hc_${'A'.repeat(22)}.${'A'.repeat(43)}`],
    ['SQL', `${name}=fhc_' or 1=1; drop table x--`],
  ])('with %s is no session', async (_, cookie) => {
    const answer = await ask(renewal, [`Cookie: ${cookie}`]);
    expectErrorBody(answer, 401);
    expect(answer.headers.get('flaghoist-error')).toBe('sessionEnded');
  });

  test('in several headers is read like one header', async () => {
    const browser = await browsers.signedIn();
    const answer = await ask(renewal, ['Cookie: a=1', `Cookie: ${name}=${browser.cookie}`]);
    expect(answer.status).toBe(200);
  });

  test('opens nothing but the session: the REST interface wants a token', async () => {
    const { cookie } = await browsers.signedIn();
    const headers = { cookie: `${name}=${cookie}`, 'flaghoist-console': '1', authorization: '' };
    expectErrorBody(await service.get('/ws/rest/Port', headers), 401);
    expectErrorBody(await service.get('/ws/rest/Port', { ...headers, authorization: `Bearer ${cookie}` }), 401);
  });
});

describe('a path', () => {
  test.each(['/console/%73ession', '/%63onsole/session', 'http://x/console/session'])(
    'spelled %s is the same: it wants the header, and nothing of it is stored',
    async (target) => {
      const body = JSON.stringify({ clientId: administrator.clientId, clientSecret: 'wrong' });
      const answer = await ask(target, ['Content-Type: application/json'], body);
      expectErrorBody(answer, 401);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const lines = ['Host: x', 'Content-Type: application/json', `Content-Length: ${body.length}`];
      const bare = `POST ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
      expectErrorBody((await converse(service.url(), bare, { answers: 1 })).answers[0]!, 403);
    },
  );

  test.each([
    '/console/session/',
    '/console/session/renewal/',
    '/Console/session',
    '//console/session',
    '/console//session',
    '/console/session%2frenewal',
  ])('spelled %s is none', async (target) => {
    expectErrorBody(await ask(target, ['Content-Type: application/json'], '{}'), 404);
  });

  test('with a code in its query is rejected, and the answer does not repeat the code', async () => {
    const answer = await ask('/console/session?code=fhl_1_x', ['Content-Type: application/json'], '{}');
    expect(expectErrorBody(answer, 400).uri).toMatch(/\?code=\*\*\*$/);
  });
});

describe('a change at the same moment', () => {
  const changes: [string, (key: number) => string][] = [
    ['the client is disabled', (key) => `update flaghoist_service.api_client set active = false where key = ${key}`],
    [
      'the secret is replaced',
      (key) => `update flaghoist_service.api_client set secret_hash = '${'A'.repeat(43)}' where key = ${key}`,
    ],
  ];
  test.each(changes)('%s: a sign-in that has begun gets no session', async (_, change) => {
    const client = await createClient(service, ['read']);
    const lock = await holdRow(service, 'api_client', client.key, 'flaghoist_service');
    const signing = browsers.open().signIn({ clientId: client.clientId, clientSecret: client.clientSecret });
    await lock.waiters(1);
    await lock.letGo(change(client.key));
    expectErrorBody(await signing, 401);
    expect(await sessionsOf(client.userKey)).toBe(0);
  });

  test('the user is disabled: a link that is being used gets no session', async () => {
    const { userKey } = await createClient(service, ['read']);
    const code = await makeCode(userKey);
    const lock = await holdRow(service, 'api_user', userKey, 'flaghoist_service');
    const signing = browsers.open().signIn({ code });
    await lock.waiters(1);
    await lock.letGo(`update flaghoist_service.api_user set active = false where key = ${userKey}`);
    expectErrorBody(await signing, 401);
    expect(await sessionsOf(userKey)).toBe(0);
  });

  test('a client that is changed otherwise while it signs in is signed in', async () => {
    const client = await createClient(service, ['read']);
    const lock = await holdRow(service, 'api_client', client.key, 'flaghoist_service');
    const signing = browsers.open().signIn({ clientId: client.clientId, clientSecret: client.clientSecret });
    await lock.waiters(1);
    await lock.letGo(`update flaghoist_service.api_client set scopes = '{read,webhook}' where key = ${client.key}`);
    expect((await signing).status).toBe(200);
  });
});

test('a renewal during an outage of the database is a 503, and the cookie stays good', async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  onTestFinished(() => relay.close());
  const settings = { FLAGHOIST_BASE_URL: service.url(), DATABASE_URL: relay.urlOf(service.database.url) };
  const other = await startBeside(service.database, settings);
  const browser = (await browsers.signedIn()).copy(() => other.localUrl);
  expect((await browser.renew()).status).toBe(200);
  const { cookie } = browser;
  await relay.close();
  const answer = await browser.renew();
  expectErrorBody(answer, 503);
  expect([answer.headers.get('retry-after'), browser.cookie]).toEqual(['2', cookie]);
  const { clientId, clientSecret } = administrator;
  expectErrorBody(await browser.copy().signIn({ clientId, clientSecret }), 503);
  await relay.open();
  await expect.poll(async () => (await browser.renew()).status, { timeout: 10_000, interval: 50 }).toBe(200);
});

test('a page of another origin reads nothing: no answer allows it', async () => {
  const browser = new Browser(service.url);
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const path of ['/console/session', renewal]) {
    const answer = await browser.send('POST', path, {}, foreign);
    expectErrorBody(answer, 403);
    expect([...answer.headers.keys()].filter((header) => header.startsWith('access-control-'))).toEqual([]);
  }
});

async function sessionsOf(userKey: number): Promise<number> {
  const { rows } = await service.database.pool.query(
    'select count(*)::int from flaghoist_system.console_session where user_key = $1',
    [userKey],
  );
  return rows[0].count;
}

describeUnharmed(service);
