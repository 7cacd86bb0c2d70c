// The parameters of `POST /oauth/token` (grant, audience and scope), and the endpoint itself: its methods, its query,
// what is logged of it, and what is stored of a secret.

import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeUnharmed } from '../hostile/unharmed.ts';
import { administrator, createClient, type TestClient, testAudience } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { converse, type RawAnswer } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { ask, askForm, askJson, basic, expectRefused, expectToken, formOf, parametersOf } from './ask-token.ts';
import { labelled } from './labelled.ts';
import { statusOf } from './service-beside.ts';

const service = useTestService();
const { clientId, clientSecret } = administrator;
let reader: TestClient;
let writer: TestClient;
beforeAll(async () => {
  reader = await createClient(service, ['read', 'webhook']);
  writer = await createClient(service, ['write']);
});

describe('the grant', () => {
  test.each(labelled([undefined, '', null, [], ['client_credentials'], {}]))(
    'TOK-16 missing, or %s, is a 400',
    async (_, grant) => {
      expectRefused(await askJson(service.url(), parametersOf({ grant_type: grant })), 400, 'invalid_request');
    },
  );

  test.each([
    'password',
    'authorization_code',
    'refresh_token',
    'implicit',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'Client_Credentials',
    'client_credentials ',
    'client-credentials',
  ])('TOK-17 %j is not supported', async (grant) => {
    const refused = await askJson(service.url(), parametersOf({ grant_type: grant }));
    expectRefused(refused, 400, 'unsupported_grant_type');
    expectRefused(await askForm(service.url(), parametersOf({ grant_type: grant })), 400, 'unsupported_grant_type');
  });
});

describe('the audience', () => {
  test.each(labelled([undefined, '', null, [testAudience, 'x'], [testAudience], {}, 1]))(
    'TOK-19 missing, or %s, is a 400',
    async (_, audience) => {
      expectRefused(await askJson(service.url(), parametersOf({ audience })), 400, 'invalid_request');
    },
  );

  test.each([
    'https://nobody.example',
    'https://flaghoist',
    `${testAudience}/`,
    testAudience.toUpperCase(),
    testAudience.slice(0, -1),
    `${testAudience} `,
    `${testAudience} https://flaghoist`,
    `${testAudience}\0`,
    '*',
  ])('TOK-20 that is not exactly ours is a 403: %j', async (audience) => {
    expectRefused(await askForm(service.url(), parametersOf({ audience })), 403, 'access_denied');
  });

  test('TOK-20 that was not granted to the client is a 403, and one that was taken away is gone', async () => {
    const client = await createClient(service, ['read']);
    const path = `/ws/rest/ApiClient/${client.key}`;
    expect((await service.put(path, { audiences: ['https://flaghoist'] })).status).toBe(200);
    const ask = () => askJson(service.url(), parametersOf({}, client));
    await expect.poll(async () => (await ask()).status, { timeout: 1_000, interval: 20 }).toBe(403);
    expectRefused(await ask(), 403, 'access_denied');
  });

  test('a wrong secret is reported before a wrong audience: callers cannot find out which there are', async () => {
    const parameters = parametersOf({ client_secret: 'wrong', audience: 'https://nobody.example', scope: 'none' });
    expectRefused(await askJson(service.url(), parameters), 401, 'invalid_client');
  });
});

describe('the scope', () => {
  const notGranted = [
    'none',
    'read none',
    'write',
    'admin',
    'Read',
    'read"',
    'read\\',
    'read\nwebhook',
    'read\twebhook',
    'read,webhook',
    'read  webhook',
    ' read',
    'read ',
    ' ',
    'x'.repeat(10_240),
    'constructor',
    '__proto__',
    'toString',
  ];
  test.each(labelled(notGranted))('TOK-22 %s is not granted', async (_, scope) => {
    expectRefused(await askJson(service.url(), parametersOf({ scope }, reader)), 400, 'invalid_scope');
  });

  test.each(labelled([null, [], ['read'], { read: true }, 1]))('TOK-22 as %s is a 400', async (_, scope) => {
    expectRefused(await askJson(service.url(), parametersOf({ scope }, reader)), 400, 'invalid_request');
  });

  test.each([
    [undefined, 'read webhook'],
    ['', 'read webhook'],
    ['read', 'read'],
    ['webhook read', 'webhook read'],
    ['read read', 'read'],
  ])('%j gets %j', async (scope, granted) => {
    const answer = await askForm(service.url(), parametersOf({ scope }, reader));
    expect(decodeJwt(expectToken(answer)).scope).toBe(granted);
    expect(answer.body.scope).toBe(granted);
  });

  test('may be one that is included in what is granted', async () => {
    expect((await askJson(service.url(), parametersOf({ scope: 'read' }, writer))).body.scope).toBe('read');
    expectRefused(await askJson(service.url(), parametersOf({ scope: 'webhook' }, writer)), 400, 'invalid_scope');
  });

  test('that was left out is not in the token, though the client has it', async () => {
    const token = expectToken(await askJson(service.url(), parametersOf({ scope: 'webhook' }, reader)));
    expect(await statusOf(service.url(), token)).toBe(403);
  });
});

describe('a parameter', () => {
  test.each(['client_id', 'client_secret', 'grant_type', 'audience', 'scope'])(
    'TOK-23 given twice is a 400: %s',
    async (name) => {
      const form = formOf(parametersOf({ scope: 'read' }));
      const value = new URLSearchParams(form).get(name)!;
      for (const other of [value, 'other', ''])
        expectRefused(await askForm(service.url(), `${form}&${formOf({ [name]: other })}`), 400, 'invalid_request');
      const escaped = `${form}&${name.replace('_', '%5f').replace(/^a/, '%61').replace(/^s/, '%73')}=x`;
      expectRefused(await askForm(service.url(), escaped), 400, 'invalid_request');
    },
  );

  test('TOK-26 in the query is a 400, whatever the body says', async () => {
    const query = `?${formOf(parametersOf())}`;
    for (const body of ['', formOf(parametersOf())]) {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      expectRefused(await ask(service.url(), body, type, `/oauth/token${query}`), 400, 'invalid_request');
    }
    const rest = parametersOf({ client_secret: undefined });
    const inQuery = `/oauth/token?client_secret=${clientSecret}`;
    const type = { 'content-type': 'application/json' };
    expectRefused(await ask(service.url(), JSON.stringify(rest), type, inQuery), 400, 'invalid_request');
  });
});

describe('the place', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('takes no %s', async (method) => {
    const [answer] = await send(`${method} /oauth/token HTTP/1.1\r\nHost: x\r\n\r\n`, method === 'HEAD');
    expect([answer!.status, answer!.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(answer!.headers.get('cache-control')).toBe('no-store');
    if (method !== 'HEAD') expect(answer!.body.error).toBe('invalid_request');
  });

  test('TOK-43 is not opened to a page of another origin', async () => {
    const headers = 'Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n';
    const [answer] = await send(`OPTIONS /oauth/token HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    expect([answer!.status, answer!.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect([...answer!.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test.each(['/oauth/token/', '/oauth/Token', '/oauth//token', '/oauth', '/oauth/token/x', '/oauth/token%2f'])(
    'is not %s',
    async (path) => {
      const [answer] = await send(post(JSON.stringify(parametersOf()), path));
      expectErrorBody(answer!, 404);
    },
  );

  test('responds under another spelling of its path as it does otherwise', async () => {
    const [answer] = await send(post(JSON.stringify(parametersOf()), '/oauth/%74oken'));
    expect([answer!.status, answer!.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [refused] = await send(post('[]', '/oauth/%74oken'));
    expect([refused!.status, refused!.body.error]).toEqual([400, 'invalid_request']);
  });

  test('keeps requests that come one behind the other apart', async () => {
    const good = post(JSON.stringify(parametersOf()));
    const wrong = post(JSON.stringify(parametersOf({ client_secret: 'wrong' })));
    const answers = await send(`${good}${wrong}${good}${post('[]')}${good}`, false, 5);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 400, 200]);
  });

  test('takes no two Authorization headers', async () => {
    const { authorization } = basic(administrator);
    const headers = `Authorization: ${authorization}\r\nAuthorization: ${authorization}\r\n`;
    const [answer] = await send(post('grant_type=client_credentials', '/oauth/token', headers));
    expect([answer!.status, answer!.body.error]).toEqual([400, 'invalid_request']);
  });

  function post(body: string, path = '/oauth/token', headers = ''): string {
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}${length}\r\n${body}`;
  }

  async function send(bytes: string, isHead = false, answers = 1): Promise<RawAnswer[]> {
    return (await converse(service.url(), bytes, { answers, isHead })).answers;
  }
});

describe('a secret', () => {
  test('is in nothing that the service has said, though it was in the body, the query and the header', async () => {
    await askForm(service.url(), parametersOf({}, reader));
    await ask(service.url(), '', {}, `/oauth/token?client_secret=${reader.clientSecret}`);
    await askForm(service.url(), parametersOf({ client_id: undefined }, reader), basic(reader));
    await askJson(service.url(), `{"client_secret":"${reader.clientSecret}`);
    const said = JSON.stringify(service.observations);
    expect(said).toContain(reader.clientId);
    for (const secret of [clientSecret, reader.clientSecret, reader.token, basic(reader).authorization])
      expect(said).not.toContain(secret);
  });

  test('that was wrong is not repeated, nor is the id that came with it', async () => {
    await askJson(
      service.url(),
      parametersOf({ client_id: 'typed-by-mistake', client_secret: 'planted-wrong-secret' }),
    );
    expect(JSON.stringify(service.observations)).not.toMatch(/typed-by-mistake|planted-wrong-secret/);
  });

  test('TOK-40 is in no table: only its keyed hash is', async () => {
    const { rows: tables } = await service.database.pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('flaghoist', 'flaghoist_service', 'flaghoist_system') and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const { rows } = await service.database.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
      const text = rows.map((row) => row.text).join('\n');
      for (const secret of [clientSecret, reader.clientSecret, reader.token])
        for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
          expect(text.includes(form), name).toBe(false);
    }
    const { rows } = await service.database.pool.query(
      'select client_id, secret_hash from flaghoist_service.api_client where secret_hash !~ $1',
      ['^[A-Za-z0-9_-]{43}$'],
    );
    expect(rows).toEqual([]);
  });

  test('TOK-40 has 256 bits, and is another one each time', async () => {
    const made = await Promise.all(
      [1, 2, 3].map(() => service.post(`/ws/rest/ApiClient/${writer.key}/rotateSecret`, undefined)),
    );
    const secrets = made.map(({ body }) => body.clientSecret as string);
    expect(new Set(secrets).size).toBe(3);
    for (const secret of secrets) expect(Buffer.from(secret.replace(/^fhs_/, ''), 'base64url')).toHaveLength(32);
  });

  test('TOK-40 hashed without the key of the installation gives nothing that is stored', async () => {
    const { rows } = await service.database.pool.query<{ secret_hash: string }>(
      'select secret_hash from flaghoist_service.api_client where client_id = $1',
      [clientId],
    );
    for (const algorithm of ['sha256', 'sha512', 'md5', 'sha1'])
      expect(createHash(algorithm).update(clientSecret).digest('base64url')).not.toBe(rows[0]!.secret_hash);
  });
});

describeUnharmed(service);
