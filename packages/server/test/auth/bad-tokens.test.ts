// Tokens with an invalid form, or in a place that is not read: none is accepted, and no response says why. Rows have
// their ids in the list of hostile inputs; signatures and claims have files of their own.

import { deflateRawSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeUnharmed } from '../hostile/unharmed.ts';
import { administrator, fetchToken } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { converse } from '../support/raw-http.ts';
import { type Claims, encode } from './forge-token.ts';
import { startBeside } from './service-beside.ts';
import { expectBadToken, useTokenTarget } from './token-target.ts';

const target = useTokenTarget();
const { service, forge } = target;

test('a token that is forged with the key of the service, and with nothing wrong in it, is taken', async () => {
  for (const header of [{}, { typ: 'AT+JWT' }, { typ: 'application/at+jwt' }])
    expect((await target.ask(forge().sign(forge().header(header), forge().claims()))).status).toBe(200);
  expect(
    (await target.ask(forge().sign(forge().header(), forge().claims({ aud: ['x', forge().claims().aud] })))).status,
  ).toBe(200);
  expect(
    (await target.ask(forge().sign(forge().header(), forge().claims({ nbf: 0, unknown: { a: [1] } })))).status,
  ).toBe(200);
});

describe('no token, or one in the wrong place', () => {
  test('JWT-01 none: nothing is said about an error', async () => {
    const response = await fetch(`${service.url()}/ws/rest/Voyage`);
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    expect(expectErrorBody(answer, 401)).toMatchObject({ method: 'GET', uri: `${service.url()}/ws/rest/Voyage` });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="flaghoist"');
  });

  test.each(['Bearer', 'Bearer null', 'Bearer undefined', 'Bearer x', 'Bearer .', 'Bearer ..', 'Bearer x.y.z'])(
    'JWT-02 "%s"',
    async (authorization) => expectBadToken(await target.askWith(authorization)),
  );

  test.each(['Token {}', 'Basic {}', 'Bearer{}', '{}', 'JWT {}', 'Bearer: {}', 'Bearer\u00a0{}', 'Bearer token={}'])(
    'JWT-04 "%s"',
    async (form) => expectBadToken(await target.askWith(form.replace('{}', service.token()))),
  );

  test.each(['Bearer {} {}', 'Bearer {},{}', 'Bearer {}, Bearer {}', 'Bearer {};{}', '"Bearer" {}', 'Bearer "{}"'])(
    'JWT-05 "%s"',
    async (form) => expectBadToken(await target.askWith(form.replaceAll('{}', service.token()))),
  );

  test('JWT-04 the name of the scheme is taken in any case, and after it any number of spaces', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer  '])
      expect((await target.askWith(`${scheme} ${service.token()}`)).status).toBe(200);
  });

  test('JWT-05 in two headers is a 400', async () => {
    const header = `Authorization: Bearer ${service.token()}\r\n`;
    for (const both of [
      `${header}${header}`,
      `${header}Authorization: Bearer x\r\n`,
      `authorization: x\r\n${header}`,
    ]) {
      const { answers } = await converse(service.url(), `GET /ws/rest/Voyage HTTP/1.1\r\nHost: x\r\n${both}\r\n`);
      expectErrorBody(answers[0]!, 400);
    }
  });

  test.each([
    '/ws/rest/Voyage',
    '/ws/rest/Voyage/1',
    '/ws/rest/Voyage?limit=1',
    '/ws/rest/Nothing',
    '/ws/rest/',
    '/ws/rest',
    '/ws/rest?x',
    '/ws/rest/ApiClient/1/rotateSecret',
    '/ws/%72est/Voyage',
    '/%77s/rest/Voyage/1',
    '/ws/rest/%56oyage',
    '/%77%73/%72%65%73%74/AuditLog',
  ])('is asked for at %s, whatever is asked', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const bytes = `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const { answers } = await converse(service.url(), bytes, { answers: 1, isHead: method === 'HEAD' });
      // A path in another spelling is looked for only where a route has the method.
      expect(path.includes('%') ? [401, 404] : [401], `${method} ${path}`).toContain(answers[0]!.status);
    }
  });

  test('in the query or a cookie is ignored, and is not repeated in the response', async () => {
    for (const name of ['access_token', 'token', 'authorization', 'x']) {
      const response = await fetch(`${service.url()}/ws/rest/Voyage?${name}=${service.token()}`);
      const text = await response.text();
      expect([response.status, text.includes(service.token())]).toEqual([401, false]);
    }
    const cookie = `access_token=${service.token()}`;
    const response = await fetch(`${service.url()}/ws/rest/Voyage`, { headers: { cookie } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="flaghoist"']);
    await response.arrayBuffer();
  });
});

describe('what does not have the form of our tokens', () => {
  test('JWT-52, JWT-53 encrypted: not unpacked, and no password is stretched', async () => {
    const bomb = encode(deflateRawSync(Buffer.alloc(5_000_000)));
    const headers: Claims[] = [
      { alg: 'dir', enc: 'A256GCM', zip: 'DEF' },
      { alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2c: 2_147_483_647, p2s: 'AAAAAAAA' },
      { alg: 'RSA-OAEP', enc: 'A256GCM' },
      { alg: 'ECDH-ES', enc: 'A256GCM', epk: forge().publicJwk },
    ];
    for (const header of headers) {
      const startedAt = performance.now();
      for (const token of [
        `${encode({ ...header, kid: forge().kid })}..AAAA.${bomb}.AAAA`,
        `${encode(header)}.AA.AA.AA.AA`,
      ])
        await target.expectRejected(token);
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    }
  });

  test('JWT-52 a token inside a token', async () => {
    const inner = service.token();
    await target.expectRejected(forge().sign(forge().header({ cty: 'JWT' }), JSON.stringify(inner)));
    await target.expectRejected(forge().sign(forge().header({ cty: 'JWT' }), inner));
  });

  test('JWT-49 Base64 of another alphabet, with padding, spaces or escapes', async () => {
    const { token, parts } = tokenWithOddCharacters();
    expect((await target.ask(token)).status).toBe(200);
    const forms = [
      token.replaceAll('-', '+').replaceAll('_', '/'),
      ...parts.map((part, index) => parts.with(index, `${part}=`).join('.')),
      ...parts.map((part, index) => parts.with(index, `${part.slice(0, 4)} ${part.slice(4)}`).join('.')),
      ...parts.map((part, index) => parts.with(index, `${part.slice(0, 4)}\t${part.slice(4)}`).join('.')),
      token.replaceAll('.', '%2E'),
      token.replaceAll('.', ' .'),
      `"${token}"`,
      `${token}.`,
      `.${token}`,
      token.replace('.', '..'),
    ];
    for (const form of forms) await target.expectRejected(form);
  });

  test('JWT-50 with stray bits behind the last character', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const parts = service.token().split('.');
    for (const [index, part] of parts.entries()) {
      const spare = [0, 0, 4, 2][part.length % 4]!;
      if (spare === 0) continue;
      const last = alphabet.indexOf(part.at(-1)!);
      await target.expectRejected(parts.with(index, `${part.slice(0, -1)}${alphabet[last + 1]}`).join('.'));
    }
  });

  test('JWT-47 with a name twice', async () => {
    const header = JSON.stringify(forge().header());
    const claims = JSON.stringify(forge().claims());
    const twice = (json: string, more: string) => `${json.slice(0, -1)},${more}}`;
    for (const more of ['"alg":"ES256"', '"kid":"x"', '"\\u0061lg":"none"'])
      await target.expectRejected(forge().sign(twice(header, more), claims));
    for (const more of ['"aud":"x"', '"exp":9999999999', '"\\u0073ub":"x"', '"scope":"admin"'])
      await target.expectRejected(forge().sign(header, twice(claims, more)));
  });

  test.each(['null', '[]', '""', '1', '', '{', '{}', '{"alg":"ES256"}', '\ufeff{}', "{'alg':'ES256'}"])(
    'a header or claims that read %s',
    async (text) => {
      await target.expectRejected(forge().sign(text, forge().claims()));
      await target.expectRejected(forge().sign(forge().header(), text));
    },
  );

  test('bytes that are not UTF-8, and endless nesting', async () => {
    const invalid = Buffer.concat([Buffer.from('{"sub":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    for (const part of [encode(invalid), encode(`{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`)]) {
      const input = `${encode(forge().header())}.${part}`;
      await target.expectRejected(`${input}.${signatureOf(service.token())}`);
    }
  });

  test('one that is too long, up to what a header may hold, and beyond', async () => {
    await target.expectRejected('a'.repeat(9_000));
    await target.expectRejected(forge().sign(forge().header({ kid: 'k'.repeat(9_000) }), forge().claims()));
    await target.expectRejected(forge().sign(forge().header(), forge().claims({ padding: 'p'.repeat(9_000) })));
    const answer = await target.ask(forge().sign(forge().header(), forge().claims({ sub: 's'.repeat(1_000_000) })));
    expect(answer.status).toBe(431);
  });
});

test('a token of another service on the same database is rejected there, and here', async () => {
  const other = await startBeside(service.database, { FLAGHOIST_BASE_URL: 'https://other.example' });
  const response = await fetch(`${other.localUrl}/ws/rest/Voyage`, {
    headers: { authorization: `Bearer ${service.token()}` },
  });
  expectBadToken({ status: response.status, headers: response.headers, text: await response.text() });
  await target.expectRejected(await fetchToken(other.localUrl, administrator));
});

test.skipIf(process.platform !== 'linux')('JWT-58 a valid token is accepted 1,000 times, from any sender', async () => {
  const elsewhere = new Agent({ connect: { localAddress: '127.0.0.2' } });
  onTestFinished(() => elsewhere.close());
  const headers = { authorization: `Bearer ${service.token()}` };
  const statuses = new Set<number>();
  for (let count = 0; count < 1_000; count += 1) {
    const answer = await request(`${service.url()}/ws/rest/Voyage`, { headers, dispatcher: elsewhere });
    await answer.body.dump();
    statuses.add(answer.statusCode);
  }
  expect([...statuses]).toEqual([200]);
});

function signatureOf(token: string): string {
  return token.slice(token.lastIndexOf('.') + 1);
}

/** One with `-` and `_` in it, so that another alphabet makes a difference. */
function tokenWithOddCharacters(): { token: string; parts: string[] } {
  for (;;) {
    const token = forge().sign(forge().header(), forge().claims());
    if (token.includes('-') && token.includes('_')) return { token, parts: token.split('.') };
  }
}

describeUnharmed(service);
