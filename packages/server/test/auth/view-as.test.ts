// An administrator looks as another user (`flaghoist-view-as`): every GET is answered as that user would see it, nothing
// can be changed, and the audit log shows it.

import { beforeAll, describe, expect, test } from 'vitest';
import { administrator, createClient, fetchToken, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, freshCode } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { useBrowsers } from './console-browser.ts';
import { useLinks } from './console-links.ts';
import { startBeside } from './service-beside.ts';

const service = useTestService();
const browsers = useBrowsers(service);
const makeCode = useLinks(service);
let agent: TestClient;
let planner: TestClient;
let subscription: { key: number };
beforeAll(async () => {
  agent = await createClient(service, ['read', 'webhook'], { edition: 'STANDARD', apiVersion: '3.9' });
  planner = await createClient(service, ['write', 'webhook']);
  const url = 'http://127.0.0.1:9/hook';
  const created = await service.post('/ws/rest/WebhookSubscription', { eventType: 'Voyage.C', url }, agent.headers);
  expect(created.status, created.text).toBe(201);
  subscription = created.body;
  if (created.body.signingSecret) service.secrets.plant('a signing secret', created.body.signingSecret);
  await service.post('/ws/rest/WebhookSubscription', { eventType: 'Vessel.C', url }, planner.headers);
});

function as({ userKey }: { userKey: number }): Record<string, string> {
  return { 'flaghoist-view-as': String(userKey) };
}

async function viewsOf(userKey: number): Promise<object[]> {
  const { body } = await service.get(`/ws/rest/AuditLog?filter=action(EQ)VIEW_AS&filter=objectKey(EQ)${userKey}`);
  return body;
}

describe('an administrator sees as another user', () => {
  const paths = [
    '/ws/rest/WebhookSubscription',
    '/ws/rest/Voyage?fields={"comments":"*"}',
    '/ws/rest/ApiUser',
    '/ws/rest/AuditLog',
    '/ws/rest/WebhookNotification?sort=key(AS)',
    '/ws/rest/Nothing',
    '/ws/rest/Voyage?filter=nothing(EQ)1',
    '/ws/rest/Vessel/999999999',
  ];
  test.each(paths)('exactly what that user sees at %s, errors included', async (path) => {
    for (const user of [agent, planner]) {
      const seen = await service.get(path, as(user));
      const own = await service.get(path, user.headers);
      expect([seen.status, withoutDate(seen)]).toEqual([own.status, withoutDate(own)]);
    }
  });

  test('only the subscriptions of that user', async () => {
    const { body } = await service.get('/ws/rest/WebhookSubscription', as(agent));
    expect(body.map(({ key }: { key: number }) => key)).toEqual([subscription.key]);
    const path = `/ws/rest/WebhookSubscription/${subscription.key}`;
    expect((await service.get(path, as(agent))).status).toBe(200);
    expectErrorBody(await service.get(path, as(planner)), 404);
  });

  test('in the API version of that user, unless the request names one', async () => {
    const [own, newest] = [as(agent), { ...as(agent), 'api-version': '6.44' }];
    const attributes = async (headers: Record<string, string>) =>
      Object.keys((await service.get(`/ws/rest/WebhookSubscription/${subscription.key}`, headers)).body);
    expect((await attributes(own)).length).toBeLessThan((await attributes(newest)).length);
    expect(await attributes(own)).toEqual(await attributes(agent.headers));
  });

  test('with HEAD as well, and with an ETag of what that user sees', async () => {
    const path = `${service.url()}/ws/rest/WebhookSubscription/${subscription.key}`;
    const headers = { authorization: `Bearer ${service.token()}`, ...as(agent) };
    const response = await fetch(path, { method: 'HEAD', headers });
    const own = await service.get(`/ws/rest/WebhookSubscription/${subscription.key}`, agent.headers);
    expect([response.status, response.headers.get('etag')]).toEqual([200, own.headers.get('etag')]);
    expect(response.headers.get('vary')).toBe('fields, API-Version, flaghoist-view-as');
    expect(own.headers.get('vary')).toBe('fields, API-Version');
  });

  test('what its clients may do together, as it is now', async () => {
    const user = await createClient(service, ['read']);
    const subscriptions = () => service.get('/ws/rest/WebhookSubscription', as(user));
    expectErrorBody(await subscriptions(), 403);
    const { body } = await service.post('/ws/rest/ApiClient', { user: user.userKey, scopes: ['webhook'] });
    service.secrets.plant('the secret of a second client', body.clientSecret);
    expect((await subscriptions()).status).toBe(200);
    await service.put(`/ws/rest/ApiClient/${body.key}`, { active: false });
    expectErrorBody(await subscriptions(), 403);
  });

  test('another administrator as well', async () => {
    const other = await createClient(service, ['admin']);
    expect((await service.get('/ws/rest/ApiUser', as(other))).status).toBe(200);
  });

  test('from the console, after a sign-in with a link', async () => {
    const { userKey } = await createClient(service, ['admin']);
    const signedIn = await browsers.open().signIn({ code: await makeCode(userKey) });
    const headers = { authorization: `Bearer ${signedIn.body.token}`, ...as(agent) };
    const { body } = await service.get('/ws/rest/WebhookSubscription', headers);
    expect(body.map(({ key }: { key: number }) => key)).toEqual([subscription.key]);
    expect(await viewsOf(agent.userKey)).toContainEqual(
      expect.objectContaining({ clientId: signedIn.body.client, userCode: signedIn.body.user.userCode }),
    );
  });
});

describe('nothing is changed', () => {
  test.each([
    ['POST', '/ws/rest/Port', { portName: 'Oslo' }],
    ['PUT', '/ws/rest/ApiUser/1', { active: false }],
    ['DELETE', '/ws/rest/WebhookSubscription/1', undefined],
    ['POST', '/ws/rest/WebhookSubscription/1/ping', {}],
    ['POST', '/ws/rest/WebhookSubscription/test', {}],
    ['OPTIONS', '/ws/rest/Port', undefined],
  ])('%s %s is a 403 that says what to do, and in no audit log', async (method, path, body) => {
    const viewed = await createClient(service, ['admin']);
    const response = await fetch(`${service.url()}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.token()}`,
        ...as(viewed),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    expect(expectErrorBody(answer, 403).message).toBe(
      'As another user you can only look. Send GET or HEAD, or omit the header "flaghoist-view-as".',
    );
    expect(answer.headers.get('flaghoist-error')).toBe('viewOnly');
    expect(await viewsOf(viewed.userKey)).toEqual([]);
  });

  test('and no stream is opened: it would take the notifications from their consumer', async () => {
    const stream = { eventType: 'Voyage.C', channelType: 'STREAM' };
    const { body } = await service.post('/ws/rest/WebhookSubscription', stream, planner.headers);
    const answer = await service.get(`/ws/rest/WebhookSubscription/${body.key}/stream`, as(planner));
    expect(expectErrorBody(answer, 403).message).toMatch(/^A stream takes notifications from its consumer\./);
  });
});

describe('who may not look, and at whom', () => {
  test.each(['read', 'write', 'webhook'])('the scope %s is not enough', async (scope) => {
    const { headers } = await createClient(service, [scope]);
    const answer = await service.get('/ws/rest/Port', { ...headers, ...as(agent) });
    expectErrorBody(answer, 403);
    expect(answer.headers.get('flaghoist-error')).toBe('insufficientScope');
    expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope');
  });

  test('a token of an administrator that asked for less is not enough', async () => {
    const token = await fetchToken(service.url(), administrator, 'write');
    service.secrets.plantToken('a token with the scope write', token);
    expectErrorBody(await service.get('/ws/rest/Port', { authorization: `Bearer ${token}`, ...as(agent) }), 403);
  });

  test('nobody may without a token', async () => {
    expectErrorBody(await service.get('/ws/rest/Port', { authorization: '', ...as(agent) }), 401);
  });

  test('an unknown or disabled user is a 400, and so is anything that is no key', async () => {
    const off = await createClient(service, ['read']);
    await service.put(`/ws/rest/ApiUser/${off.userKey}`, { active: false });
    for (const value of [
      '999999999',
      String(off.userKey),
      String(subscription.key),
      '0',
      '-1',
      '1.5',
      'admin',
      '',
      ' ',
      '1, 2',
    ]) {
      const answer = await service.get('/ws/rest/Port', { 'flaghoist-view-as': value });
      expectErrorBody(answer, 400);
      expect(answer.headers.get('flaghoist-error')).toBe('invalidHeader');
    }
  });

  test('a user without a client sees nothing, and the answer says why', async () => {
    const user = await create(service, 'ApiUser', { userCode: freshCode('bare-', 8), name: 'Bare' });
    const answer = await service.get('/ws/rest/Port', as({ userKey: user.key }));
    expect(expectErrorBody(answer, 403).message).toMatch(/has no active client, so it sees nothing\./);
  });

  test('a user that another process has just created can be looked as', async () => {
    const other = await startBeside(service.database, { FLAGHOIST_BASE_URL: service.url() });
    const made = await createClient(service, ['read']);
    const headers = { authorization: `Bearer ${service.token()}`, ...as(made) };
    const response = await fetch(`${other.localUrl}/ws/rest/Port`, { headers });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });
});

describe('the audit log', () => {
  test('has one record an hour for each administrator and user, whichever process is asked', async () => {
    const [viewed, other] = [await createClient(service, ['read']), await createClient(service, ['admin'])];
    const beside = await startBeside(service.database, { FLAGHOIST_BASE_URL: service.url() });
    const lookThere = async () => {
      const headers = { authorization: `Bearer ${service.token()}`, ...as(viewed) };
      await (await fetch(`${beside.localUrl}/ws/rest/Port`, { headers })).arrayBuffer();
    };
    await Promise.all(Array.from({ length: 8 }, () => service.get('/ws/rest/Port', as(viewed))));
    await lookThere();
    await service.get('/ws/rest/Port', { ...other.headers, ...as(viewed) });
    const by = { objectType: 'ApiUser', changes: null };
    expect(await viewsOf(viewed.userKey)).toMatchObject([
      { ...by, userCode: 'admin', clientId: administrator.clientId },
      { ...by, clientId: other.clientId, createdById: other.userKey },
    ]);
    await service.database.pool.query(
      "update flaghoist_system.viewed_user set viewed_at = viewed_at - interval '1 hour' where user_key = $1",
      [viewed.userKey],
    );
    // The first process does not ask the database again so soon; one that has just started does.
    const third = await startBeside(service.database, { FLAGHOIST_BASE_URL: service.url() });
    const headers = { authorization: `Bearer ${service.token()}`, ...as(viewed) };
    await (await fetch(`${third.localUrl}/ws/rest/Port`, { headers })).arrayBuffer();
    expect(await viewsOf(viewed.userKey)).toHaveLength(3);
  });
});

function withoutDate({ body }: Answer): unknown {
  return typeof body === 'object' && !Array.isArray(body) ? { ...body, date: undefined } : body;
}
