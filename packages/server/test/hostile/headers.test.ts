// Request headers that try to change where an answer seems to come from, what it is, or what is written down.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { create, freshCode } from '../support/fleet.ts';
import { converse, type RawAnswer, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService({ FLAGHOIST_BASE_URL: 'https://fleet.example/api' });
const baseUrl = 'https://fleet.example/api';
let key: number;
beforeAll(async () => {
  ({ key } = await create(service, 'Vessel', { vesselName: 'Head Wind' }));
});

/** With the token of the administrator. */
async function converseOnce(request: string): Promise<RawAnswer> {
  const { answers } = await converse(service.url(), withToken(service.token(), request), { answers: 1 });
  return answers[0]!;
}

describe('links come from the base URL alone', () => {
  test.each([
    'Host: evil.example',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: gopher',
    'X-Forwarded-Prefix: /evil',
    'X-Forwarded-Port: 1',
    'X-Forwarded-Server: evil.example',
    'Forwarded: for=1.2.3.4;host=evil.example;proto=gopher',
    'X-Original-URL: /evil',
    'X-Rewrite-URL: /evil',
    'X-Host: evil.example',
    'X-HTTP-Host-Override: evil.example',
    'Referer: https://evil.example/',
    'Origin: https://evil.example',
    'Via: 1.1 evil.example',
  ])('whatever is said by %s', async (header) => {
    const host = header.startsWith('Host') ? '' : 'Host: x\r\n';
    const ask = (target: string) => converseOnce(`GET ${target} HTTP/1.1\r\n${host}${header}\r\n\r\n`);
    const one = await ask(`/ws/rest/Vessel/${key}`);
    expect(one.body.self).toBe(`${baseUrl}/ws/rest/Vessel/${key}`);
    const list = await ask('/ws/rest/Vessel?limit=1');
    expect(list.headers.get('link')).toContain(`<${baseUrl}/ws/rest/Vessel?`);
    const error = expectErrorBody(await ask('/ws/rest/Vessel/0?x=y'), 400);
    expect(error.uri).toBe(`${baseUrl}/ws/rest/Vessel/0?x=y`);
    for (const answer of [one, list, error]) expect(JSON.stringify(answer)).not.toMatch(/evil|gopher/);
    expect([one, list].flatMap(({ headers }) => [...headers.values()]).join()).not.toMatch(/evil|gopher/);
  });

  test('line breaks in a query make no header of their own', async () => {
    const answer = await service.get(
      '/ws/rest/Vessel?limit=1&filter=vesselName(NE)x%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a',
    );
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    expect(answer.headers.get('link')).toContain('x%0D%0ASet-Cookie');
  });

  test('no foreign origin is let in', async () => {
    const answer = await service.get(`/ws/rest/Vessel/${key}`, { origin: 'https://evil.example' });
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(names).toEqual([]);
  });
});

describe('answers', () => {
  test.each([
    'text/html',
    'application/xml',
    'image/png',
    '*/*',
    'nonsense',
    'application/json;q=0',
    ','.repeat(3000),
    '',
  ])('are JSON whatever is accepted, and so are errors: %.30s', async (accept) => {
    const answer = await service.get(`/ws/rest/Vessel/${key}`, { accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expectErrorBody(await service.get('/ws/rest/Vessel/0', { accept }), 400);
  });

  test('do not say what they were made by, and are kept by nobody unasked', async () => {
    const paths = [
      `/ws/rest/Vessel/${key}`,
      '/ws/rest/Vessel',
      '/ws/rest/Vessel/0',
      '/ws/rest/Nonsense',
      '/ws/rest/%ff',
    ];
    for (const path of paths) {
      const { headers } = await service.get(path);
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('vary')).toBe('fields, API-Version');
    }
  });

  test('other encodings, languages and ranges are not asked for in vain', async () => {
    const headers = {
      'accept-encoding': 'gzip;q=1',
      'accept-language': 'xx',
      range: 'bytes=0-1',
      te: 'trailers',
      'accept-charset': 'utf-16',
    };
    const answer = await service.get(`/ws/rest/Vessel/${key}`, headers);
    expect([answer.status, answer.body.key]).toEqual([200, key]);
  });
});

describe('conditions', () => {
  const garbage = [
    'x',
    '"',
    '""',
    '"x"',
    'W/"x"',
    '"a.b',
    "'a.b'",
    '"0.0"',
    '"f'.repeat(3000),
    ','.repeat(3000),
    '"a.b","c.d"',
    '" or 1=1 --"',
    '{}',
    '\u00ff',
  ];

  test.each(garbage)('If-Match %.30j matches nothing: a 412, and nothing is changed', async (tag) => {
    const path = `/ws/rest/Vessel/${key}`;
    expectErrorBody(await service.put(path, { vesselName: 'Changed' }, { 'if-match': tag }), 412);
    expectErrorBody(await service.delete(path, { 'if-match': tag }), 412);
    expect((await service.get(path)).body.vesselName).toBe('Head Wind');
  });

  test.each(garbage)('If-None-Match %.30j matches nothing: the object is answered', async (tag) => {
    expect((await service.get(`/ws/rest/Vessel/${key}`, { 'if-none-match': tag })).status).toBe(200);
  });

  test('a weak tag never satisfies If-Match, the right one in a list does', async () => {
    const { key: own } = await create(service, 'Vessel', { vesselName: 'Tagged' });
    const path = `/ws/rest/Vessel/${own}`;
    const etag = (await service.get(path)).headers.get('etag')!;
    expectErrorBody(await service.put(path, { flag: 'NO' }, { 'if-match': `W/${etag}` }), 412);
    expect((await service.put(path, { flag: 'NO' }, { 'if-match': `"x", ${etag} ,"y"` })).status).toBe(200);
    expectErrorBody(await service.delete(path, { 'if-match': etag }), 412);
  });
});

describe('Idempotency-Key', () => {
  test.each(['', ' ', 'with a space', 'a, b', 'æ', '\u00ff', 'tab\there', 'k'.repeat(256), '\u00a0'])(
    '%j is a 400',
    async (name) => {
      expectErrorBody(await service.post('/ws/rest/Vessel', { vesselName: 'x' }, { 'idempotency-key': name }), 400);
    },
  );

  test('given twice is a 400', async () => {
    const body = '{"vesselName":"x"}';
    const head =
      `POST /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nContent-Type: ` +
      `application/json\r\nContent-Length: ${body.length}\r\n`;
    expectErrorBody(await converseOnce(`${head}Idempotency-Key: a\r\nIdempotency-Key: b\r\n\r\n${body}`), 400);
  });

  test.each([
    "'; drop table flaghoist_system.idempotency; --".replaceAll(' ', ''),
    '__proto__',
    '\\',
    '"',
    '[","]',
    '%00',
    'k'.repeat(255),
  ])('%.40s is a key like any other: a repeat creates nothing twice', async (name) => {
    const headers = { 'idempotency-key': `${name.slice(0, 240)}${freshCode('-', 8)}` };
    const first = await service.post('/ws/rest/Vessel', { vesselName: 'Once' }, headers);
    const again = await service.post('/ws/rest/Vessel', { vesselName: 'Once' }, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.key).toBe(first.body.key);
    expectErrorBody(await service.post('/ws/rest/Vessel', { vesselName: 'Other' }, headers), 422);
  });
});

describe('other headers', () => {
  test.each(['yes please', '1', '', 'YES, YES', '\u00ff', 'NO; drop table'])('noCount %j is a 400', async (noCount) => {
    expectErrorBody(await service.get('/ws/rest/Vessel', { noCount }), 400);
  });

  test('a header of 12 kB or with every visible character is no mistake', async () => {
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
    for (const value of ['x'.repeat(12_000), visible, '\u00e6\u00ff'])
      expect((await service.get(`/ws/rest/Vessel/${key}`, { 'x-anything': value })).status).toBe(200);
  });
});

describe('a secret in a query is not repeated', () => {
  const secret = 'c4naryS3cret';
  test.each([
    `access_token=${secret}`,
    `ACCESS_TOKEN=${secret}`,
    `token=${secret}`,
    `refresh_token=${secret}`,
    `id_token=${secret}`,
    `client_secret=${secret}`,
    `signingSecret=${secret}`,
    `password=${secret}`,
    `webhookPassword=${secret}`,
    `api_key=${secret}`,
    `apiKey=${secret}`,
    `authorization=Bearer%20${secret}`,
    `%61ccess_token=${secret}`,
    `t%6Fken=${secret}`,
    `limit=1&access_token=${secret}&filter=x`,
    `limit=1&limit=2&x=eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.${secret}`,
    `x=eyJhbGciOiJFUzI1NiJ9%2EeyJzdWIiOiJ4In0%2E${secret}`,
  ])('%s', async (query) => {
    for (const path of [
      '/ws/rest/Vessel',
      `/ws/rest/Vessel/${key}`,
      '/ws/rest/Nonsense',
      '/ws/rest/%ff',
      '/oauth/token',
    ]) {
      const answer = await service.get(`${path}?${query}`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(secret);
      // The token endpoint has error bodies of its own, which name no URI.
      if (path !== '/oauth/token') expect(expectErrorBody(answer, answer.status).uri).toContain('***');
    }
    expect(JSON.stringify(service.observations)).not.toContain(secret);
  });

  test('a secret in a header is nowhere in an answer or in what is observed', async () => {
    const headers = { cookie: secret, 'x-api-key': secret, 'if-match': `"${secret}.x"` };
    const bearer = { ...headers, authorization: `Bearer ${secret}` };
    const answers = [
      await service.get('/ws/rest/Vessel/0', headers),
      await service.put(`/ws/rest/Vessel/${key}`, {}, headers),
      await service.get('/ws/rest/Vessel/0', bearer),
      await service.put(`/ws/rest/Vessel/${key}`, {}, bearer),
      await service.get('/metrics', bearer),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 412, 401, 401, 200]);
    for (const { text } of answers) expect(text).not.toContain(secret);
    expect(JSON.stringify(service.observations)).not.toContain(secret);
  });
});

describeUnharmed(service);
