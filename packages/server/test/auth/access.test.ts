// Users and clients as resources: administrators create, read, change and delete them. Secrets are shown once.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, testAudience } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, freshCode, type Shown } from '../support/fleet.ts';
import { openSocket } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { askJson, expectRefused, expectToken, parametersOf } from './ask-token.ts';
import { holdClock } from './held-clock.ts';
import { labelled } from './labelled.ts';
import { startBeside, statusOf } from './service-beside.ts';

const service = useTestService();
const [users, clients] = ['/ws/rest/ApiUser', '/ws/rest/ApiClient'];
let user: Shown;
beforeAll(async () => {
  user = await createUser();
});

describe('a user', () => {
  test('has every right of an edition, no version of its own, and is active, where nothing else is said', async () => {
    const body = await create(service, 'ApiUser', { userCode: 'plain', name: 'Plain' });
    expect(body).toMatchObject({ userCode: 'plain', name: 'Plain', email: null, edition: 'ENTERPRISE' });
    expect(body).toMatchObject({ apiVersion: null, active: true });
    expect((await service.get(`${users}/${body.key}`)).body).toEqual(body);
  });

  test('is found by filter, sort and fields like any other object', async () => {
    const { key, userCode } = user;
    const found = await service.get(`${users}?filter=userCode(EQ)${userCode}&sort=name(AS)`, {
      fields: '{"email":"*"}',
    });
    expect(found.body).toEqual([{ key, self: `${service.url()}${users}/${key}`, email: null }]);
    expect(found.headers.get('totalobjectsnumber')).toBe('1');
  });

  test('is changed, by whom is on record', async () => {
    const admin = await createClient(service, ['admin']);
    const { body } = await service.put(`${users}/${user.key}`, { email: 'ops@agent.example' }, admin.headers);
    expect(body).toMatchObject({ email: 'ops@agent.example', changedById: admin.userKey });
  });

  test.each(
    labelled<object>([
      { userCode: '' },
      { userCode: null },
      { name: null },
      { email: 'nobody' },
      { email: 'a@b.example, c@d.example' },
      { email: 'a@b.example\r\nBcc: c@d.example' },
      { edition: 'FREE' },
      { edition: null },
      { active: null },
      { active: 'yes' },
      { apiVersion: '7.0' },
      { apiVersion: '3.2' },
      { apiVersion: 'newest' },
      { apiVersion: '5' },
      { scopes: ['read'] },
    ]),
  )('is not taken with %s', async (_, mistake) => {
    const name = Object.keys(mistake)[0];
    for (const answer of [
      await service.post(users, { userCode: freshCode('U', 6), name: 'X', ...mistake }),
      await service.put(`${users}/${user.key}`, mistake),
    ])
      expect(expectErrorBody(answer, 400).violations?.map(({ path }) => path)).toEqual([name]);
  });

  test('has a code that no other has', async () => {
    expectErrorBody(await service.post(users, { userCode: user.userCode, name: 'Twin' }), 409);
  });

  test('that has clients is not deleted, and afterwards it is', async () => {
    const { key } = await createUser();
    const client = await create(service, 'ApiClient', { user: key, scopes: ['read'] });
    expect(expectErrorBody(await service.delete(`${users}/${key}`), 409).message).toContain('ApiClient');
    expect((await service.delete(`${clients}/${client.key}`)).status).toBe(204);
    expect((await service.delete(`${users}/${key}`)).status).toBe(204);
  });
});

describe('a client', () => {
  test('gets an id, a secret that is shown once, and the audience of this environment', async () => {
    const answer = await service.post(clients, { user: user.userCode, scopes: ['read'] });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(answer.body).toMatchObject({
      clientId: expect.stringMatching(/^[\da-f]{32}$/),
      clientSecret: expect.stringMatching(/^fhs_[\w-]{43}$/),
      user: { key: user.key, userCode: user.userCode },
      scopes: ['read'],
      audiences: [testAudience],
      active: true,
      previousSecretExpiresDate: null,
    });
    const { clientSecret, ...shown } = answer.body;
    expect((await service.get(`${clients}/${shown.key}`)).body).toEqual(shown);
    const list = await service.get(`${clients}?filter=key(EQ)${shown.key}`);
    expect(list.text).not.toMatch(/secret"|hash/i);
    expect((await service.put(`${clients}/${shown.key}`, { scopes: ['write'] })).text).not.toContain(clientSecret);
  });

  test.each(['clientSecret', 'secretHash', 'previousSecretHash', 'secret_hash'])(
    'does not show %s by any way',
    async (name) => {
      for (const answer of [
        await service.get(`${clients}?filter=${name}(NOTNULL)`),
        await service.get(`${clients}?sort=${name}(AS)`),
        await service.get(clients, { fields: `{"${name}":"*"}` }),
        await service.post(clients, { user: user.key, scopes: ['read'], [name]: 'x'.repeat(43) }),
      ])
        expectErrorBody(answer, 400);
    },
  );

  test('keeps its id: another is a mistake, the same is none', async () => {
    const { key, clientId } = await create(service, 'ApiClient', {
      user: user.key,
      scopes: ['read'],
      clientId: 'mine',
    });
    expect(clientId).toBe('mine');
    expect((await service.put(`${clients}/${key}`, { clientId: 'mine' })).status).toBe(200);
    expectErrorBody(await service.put(`${clients}/${key}`, { clientId: 'other' }), 400);
    expectErrorBody(await service.post(clients, { user: user.key, scopes: ['read'], clientId: 'mine' }), 409);
  });

  test.each(
    labelled<object>([
      { clientId: 'ab' },
      { clientId: 'with space' },
      { clientId: 'quo"te' },
      { clientId: 'schlüssel' },
      { clientId: 'x'.repeat(129) },
      { user: 1 },
      { user: 'nobody' },
      { user: null },
      { scopes: [] },
      { scopes: null },
      { scopes: 'read' },
      { scopes: ['root'] },
      { scopes: ['READ'] },
      { scopes: ['read', 'read'] },
      { audiences: [] },
      { audiences: ['https://nobody.example'] },
      { audiences: [`${testAudience}/`] },
      { audiences: testAudience },
      { active: 1 },
    ]),
  )('is not taken with %s', async (_, mistake) => {
    const answer = await service.post(clients, { user: user.key, scopes: ['read'], ...mistake });
    expect(expectErrorBody(answer, 400).violations?.map(({ path }) => path)).toEqual([Object.keys(mistake)[0]]);
    if ('clientId' in mistake) return;
    const { body } = await service.get(`${clients}?limit=1`);
    expectErrorBody(await service.put(`${clients}/${body[0].key}`, mistake), 400);
  });

  test('can be used as soon as it is there, and as many as are made at once', async () => {
    const wanted = Array.from({ length: 5 }, (_, index) => ({
      user: user.key,
      scopes: ['read'],
      clientId: `many-${index}`,
    }));
    const { status, body } = await service.post(clients, wanted);
    expect(status).toBe(201);
    expect(new Set(body.map(({ clientSecret }: Shown) => clientSecret)).size).toBe(5);
    for (const { clientId, clientSecret } of body) {
      const token = expectToken(await askJson(service.url(), parametersOf({}, { clientId, clientSecret })));
      expect(await statusOf(service.url(), token)).toBe(200);
    }
  });

  test('of several creates all of them or none', async () => {
    const good = { user: user.key, scopes: ['read'], clientId: 'never-made' };
    const answer = await service.post(clients, [
      good,
      { ...good, clientId: 'x', audiences: ['https://nobody.example'] },
    ]);
    expect(expectErrorBody(answer, 400).violations?.map(({ path }) => path)).toEqual(['[1].clientId', '[1].audiences']);
    expect((await service.get(`${clients}?filter=clientId(EQ)never-made`)).body).toEqual([]);
  });

  test('that is asked for again under its Idempotency-Key comes without its secret', async () => {
    const headers = { 'idempotency-key': 'once' };
    const wanted = { user: user.key, scopes: ['read'] };
    for (const body of [wanted, [wanted, wanted]]) {
      const key = { 'idempotency-key': Array.isArray(body) ? 'several' : 'once' };
      const first = await service.post(clients, body, { ...headers, ...key });
      const second = await service.post(clients, body, { ...headers, ...key });
      expect([first.status, second.status]).toEqual([201, 201]);
      const withoutSecret = [first.body].flat().map(({ clientSecret: _, ...rest }) => rest);
      expect([second.body].flat()).toEqual(withoutSecret);
      expect(second.text).not.toContain('fhs_');
      expect(second.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('keeps no secret among the stored responses', async () => {
    await service.post(clients, { user: user.key, scopes: ['read'] }, { 'idempotency-key': 'remembered' });
    const { rows } = await service.database.pool.query<{ body: string }>(
      'select body from flaghoist_system.idempotency',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { body } of rows) expect(body).not.toContain('fhs_');
  });
});

test('an audience that is taken from a client is gone from its living tokens within a second', async () => {
  const client = await createClient(service, ['read']);
  const status = () => statusOf(service.url(), client.token);
  expect(await status()).toBe(200);
  await service.put(`${clients}/${client.key}`, { audiences: ['https://flaghoist'] });
  await expect.poll(status, { timeout: 1_000, interval: 20 }).toBe(401);
});

test('a client that is disabled while its body arrives is not served', async () => {
  const client = await createClient(service, ['admin']);
  const body = JSON.stringify({ userCode: 'late', name: 'Late' });
  const socket = openSocket(service.url());
  const answered = new Promise<string>((resolve) => socket.on('data', (chunk) => resolve(chunk.toString())));
  socket.write(
    `POST /ws/rest/ApiUser HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: ` +
      `application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await service.put(`${clients}/${client.key}`, { active: false });
  await expect.poll(() => statusOf(service.url(), client.token), { timeout: 1_000, interval: 20 }).toBe(401);
  socket.write(body.slice(5));
  expect(await answered).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
  expect((await service.get('/ws/rest/ApiUser?filter=userCode(EQ)late')).body).toEqual([]);
});

test('a client that is deleted and made anew under its id does not get its old tokens back', async () => {
  const client = await createClient(service, ['read']);
  expect((await service.delete(`${clients}/${client.key}`)).status).toBe(204);
  const again = await service.post(clients, { clientId: client.clientId, user: user.key, scopes: ['read'] });
  expect(again.status).toBe(201);
  const fresh = await askJson(service.url(), parametersOf({}, again.body));
  expect(await statusOf(service.url(), fresh.body.access_token)).toBe(200);
  expect(await statusOf(service.url(), client.token)).toBe(401);
});

describe('a new secret', () => {
  test('is taken at once, and the old one along with it for a day', async () => {
    const client = await createClient(service, ['read']);
    const answer = await service.post(`${clients}/${client.key}/rotateSecret`, undefined);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.body).toEqual({
      clientId: client.clientId,
      clientSecret: expect.stringMatching(/^fhs_[\w-]{43}$/),
      previousSecretExpiresDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    });
    const graceMs = Date.parse(`${answer.body.previousSecretExpiresDate}Z`) - Date.now();
    expect(Math.abs(graceMs - 86_400_000)).toBeLessThan(60_000);
    expect(answer.body.clientSecret).not.toBe(client.clientSecret);
    expectToken(await askJson(service.url(), parametersOf({}, answer.body)));
    expectToken(await askJson(service.url(), parametersOf({}, client)));
    // Tokens are good for as long as they are: whoever wants them gone disables the client.
    expect(await statusOf(service.url(), client.token)).toBe(200);
  });

  test('is the only one when the grace time is over', async () => {
    const clock = holdClock(Date.now() - 300_000);
    const beside = await startBeside(service.database, {}, clock);
    const client = await createClient(service, ['read']);
    const { status, body } = await service.post(`${clients}/${client.key}/rotateSecret`, { graceSeconds: 60 });
    expect(status, JSON.stringify(body)).toBe(200);
    const ask = (credentials: typeof client) => askJson(beside.localUrl, parametersOf({}, credentials));
    expectToken(await ask(body));
    // By the clock of the database, and not by this one, which is five minutes slow and then steps.
    expectToken(await ask(client));
    for (const step of [-3_600_000, 7_200_000]) {
      clock.step(step);
      expectToken(await ask(client));
    }
    await service.database.pool.query(
      `update flaghoist_service.api_client
       set previous_secret_expires_date = previous_secret_expires_date - interval '61 seconds' where key = $1`,
      [client.key],
    );
    await expect.poll(async () => (await ask(client)).status).toBe(401);
    expectRefused(await ask(client), 401, 'invalid_client');
    expectToken(await ask(body));
  });

  test('without a grace time ends the old one within a second', async () => {
    const client = await createClient(service, ['read']);
    const { body } = await service.post(`${clients}/${client.key}/rotateSecret`, { graceSeconds: 0 });
    const old = async () => (await askJson(service.url(), parametersOf({}, client))).status;
    await expect.poll(old, { timeout: 1_000, interval: 20 }).toBe(401);
    expectToken(await askJson(service.url(), parametersOf({}, body)));
  });

  test('made twice ends the first of three', async () => {
    const client = await createClient(service, ['read']);
    const second = await service.post(`${clients}/${client.key}/rotateSecret`, {});
    const third = await service.post(`${clients}/${client.key}/rotateSecret`, {});
    const old = async () => (await askJson(service.url(), parametersOf({}, client))).status;
    await expect.poll(old, { timeout: 1_000, interval: 20 }).toBe(401);
    for (const { body } of [second, third]) expectToken(await askJson(service.url(), parametersOf({}, body)));
  });

  test.each(
    labelled<object | string>([
      ...['1', 1.5, -1, 2_592_001, 1e10, true, [], {}, null, ''].map((graceSeconds) => ({ graceSeconds })),
      { grace: 1 },
      { graceseconds: 1 },
      [],
      'null',
      '1',
      '{',
    ]),
  )('is not made with %s', async (_, body) => {
    const client = await createClient(service, ['read']);
    expectErrorBody(await service.post(`${clients}/${client.key}/rotateSecret`, body), 400);
    expectToken(await askJson(service.url(), parametersOf({}, client)));
  });

  test('happens once for one Idempotency-Key, and a repeat does not show the secret', async () => {
    const client = await createClient(service, ['read']);
    const rotate = () =>
      service.post(`${clients}/${client.key}/rotateSecret`, {}, { 'idempotency-key': `rotate-${client.key}` });
    const [first, second] = [await rotate(), await rotate()];
    const { clientSecret, ...rest } = first.body;
    expect([second.status, second.body]).toEqual([200, rest]);
    expectToken(await askJson(service.url(), parametersOf({}, { ...client, clientSecret })));
    expectToken(await askJson(service.url(), parametersOf({}, client)));
  });

  test('is not made where the grace time stands in the query, where it would be passed over', async () => {
    const client = await createClient(service, ['read']);
    expectErrorBody(await service.post(`${clients}/${client.key}/rotateSecret?graceSeconds=0`, {}), 400);
  });

  test('is not made for a client that is not there, or by another method', async () => {
    expectErrorBody(await service.post(`${clients}/999999999/rotateSecret`, {}), 404);
    expectErrorBody(await service.post(`${clients}/${user.key}/rotateSecret`, {}), 404);
    expectErrorBody(await service.post(`${clients}/x/rotateSecret`, {}), 400);
    const answer = await service.get(`${clients}/1/rotateSecret`);
    expectErrorBody(answer, 405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    expectErrorBody(await service.post(`${users}/${user.key}/rotateSecret`, {}), 404);
  });
});

function createUser(): Promise<Shown> {
  return create(service, 'ApiUser', { userCode: freshCode('user-', 10), name: 'Somebody' });
}
