// Requests that break HTTP, or bend it: each is answered with the error body, and the connection of an ambiguous one
// ends.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openListener } from '../../src/edge/listener.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { converse, type RawAnswer, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let key: number;
beforeAll(async () => {
  ({ key } = await create(service, 'Vessel', { vesselName: 'Steadfast' }));
});

/** A request head, with a Host unless it is told otherwise. */
function head(line: string, ...headers: string[]): string {
  return [line, 'Host: x', ...headers, '', ''].join('\r\n');
}

/** Where there was nothing wrong with the request, it would be carried out. */
function authorised(request: string): string {
  return withToken(service.token(), request);
}

const getList = 'GET /ws/rest/Vessel HTTP/1.1';
const postVessel = 'POST /ws/rest/Vessel HTTP/1.1';
const json = 'Content-Type: application/json';
const vessel = '{"vesselName":"Smuggled"}';
const chunked = `${vessel.length.toString(16)}\r\n${vessel}\r\n0\r\n\r\n`;
/** What an attacker hides behind a request that is read in two ways. */
const hidden = () => authorised(head(`DELETE /ws/rest/Vessel/${key} HTTP/1.1`));

async function countSmuggled(): Promise<number> {
  return (await service.get('/ws/rest/Vessel?filter=vesselName(EQ)Smuggled')).body.length;
}

describe('framing that two parties could read differently is a 400, the connection ends, and nothing is done', () => {
  test.each([
    ['Content-Length with Transfer-Encoding', ['Content-Length: 6', 'Transfer-Encoding: chunked']],
    ['Transfer-Encoding with Content-Length', ['Transfer-Encoding: chunked', 'Content-Length: 6']],
    ['Transfer-Encoding: xchunked', ['Transfer-Encoding: xchunked']],
    ['Transfer-Encoding: chunked, identity', ['Transfer-Encoding: chunked, identity']],
    ['Transfer-Encoding: identity, chunked', ['Transfer-Encoding: identity, chunked']],
    ['Transfer-Encoding: gzip, chunked', ['Transfer-Encoding: gzip, chunked']],
    ['Transfer-Encoding: chunked, chunked', ['Transfer-Encoding: chunked, chunked']],
    ['two Transfer-Encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    ['Transfer-Encoding with a vertical tab', ['Transfer-Encoding: \x0bchunked']],
    ['Transfer-Encoding in quotes', ['Transfer-Encoding: "chunked"']],
    ['a space before the colon', ['Transfer-Encoding : chunked']],
    ['a folded header', ['Transfer-Encoding:', ' chunked']],
    ['a header that starts with a space', [' Transfer-Encoding: chunked']],
    ['two Content-Lengths', ['Content-Length: 25', 'Content-Length: 0']],
    ['two equal Content-Lengths', ['Content-Length: 25', 'Content-Length: 25']],
    ['a list of Content-Lengths', ['Content-Length: 25, 25']],
    ['Content-Length: +25', ['Content-Length: +25']],
    ['Content-Length: -25', ['Content-Length: -25']],
    ['Content-Length: 0x19', ['Content-Length: 0x19']],
    ['Content-Length: 2 5', ['Content-Length: 2 5']],
    ['Content-Length: 25.0', ['Content-Length: 25.0']],
    ['Content-Length beyond 64 bits', ['Content-Length: 99999999999999999999']],
    ['Content-Length in Arabic digits', ['Content-Length: \u0662']],
    ['a bare line feed between headers', ['X: a\nTransfer-Encoding: chunked']],
    ['a bare carriage return in a header', ['X: a\rTransfer-Encoding: chunked']],
    ['a NUL in a header', ['X: a\0b', 'Transfer-Encoding: chunked']],
    ['a NUL in a header name', ['X\0: a', 'Transfer-Encoding: chunked']],
    ['a header without a name', [': a', 'Transfer-Encoding: chunked']],
    ['a header without a colon', ['nonsense', 'Transfer-Encoding: chunked']],
    ['two Hosts', ['Host: y', 'Transfer-Encoding: chunked']],
    ['two equal Hosts', ['Host: x', 'Transfer-Encoding: chunked']],
    ['two Content-Types', ['Content-Type: text/plain', 'Transfer-Encoding: chunked']],
    ['two Authorizations, the first of them good', ['Authorization: Bearer a', 'Transfer-Encoding: chunked']],
    ['a second Host behind 3000 headers', [...Array(3000).fill('a:'), 'Host: y', 'Transfer-Encoding: chunked']],
  ])('%s', async (_, headers) => {
    const bytes = `${authorised(head(postVessel, json, ...headers))}${chunked}${hidden()}`;
    const { answers, isClosed } = await converse(service.url(), Buffer.from(bytes, 'latin1'));
    expect([answers.length, isClosed]).toEqual([1, true]);
    expectErrorBody(answers[0]!, 400);
    expect(await countSmuggled()).toBe(0);
    expect((await service.get(`/ws/rest/Vessel/${key}`)).status).toBe(200);
  });

  test('on a path that cannot be read either', async () => {
    const refused = head('POST /ws/rest/%ff HTTP/1.1', json, 'Transfer-Encoding: gzip, chunked');
    const { answers, isClosed } = await converse(service.url(), `${authorised(refused)}${chunked}${hidden()}`);
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
    expect((await service.get(`/ws/rest/Vessel/${key}`)).status).toBe(200);
  });

  test('chunks that cannot be read', async () => {
    for (const body of [
      '5;\r\n',
      'xyz\r\n',
      '-1\r\n',
      'ffffffffffffffffff\r\n',
      '2\r\n{}}\r\n0\r\n\r\n',
      '0x2\r\n{}\r\n',
    ]) {
      const { answers } = await converse(service.url(), inChunks(postVessel) + body);
      expect(answers.length).toBe(1);
      expectErrorBody(answers[0]!, 400);
    }
  });

  test('a flood of chunk extensions, as a 413', async () => {
    const body = `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`;
    const { answers } = await converse(service.url(), inChunks(postVessel) + body);
    expectErrorBody(answers[0]!, 413);
  });

  test('Transfer-Encoding in HTTP/1.0', async () => {
    const line = postVessel.replace('1.1', '1.0');
    const { answers } = await converse(service.url(), inChunks(line) + chunked);
    expectErrorBody(answers[0]!, 400);
    expect(await countSmuggled()).toBe(0);
  });

  function inChunks(line: string): string {
    return authorised(head(line, json, 'Transfer-Encoding: chunked'));
  }
});

describe('what is no HTTP/1.x is a 400', () => {
  test.each([
    ['a line of HTTP/0.9', 'GET /ws/rest/Vessel\r\n\r\n'],
    ['HTTP/0.9 with a version', head('GET /ws/rest/Vessel HTTP/0.9')],
    ['HTTP/1.2', head('GET /ws/rest/Vessel HTTP/1.2')],
    ['HTTP/2.0', head('GET /ws/rest/Vessel HTTP/2.0')],
    ['HTTP/11.1', head('GET /ws/rest/Vessel HTTP/11.1')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the start of an SSH connection', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a method in lower case', head('get /ws/rest/Vessel HTTP/1.1')],
    ['a method that nobody knows', head('FROBNICATE /ws/rest/Vessel HTTP/1.1')],
    ['a method with a space before it', head(' GET /ws/rest/Vessel HTTP/1.1')],
    ['no target', head('GET HTTP/1.1')],
    ['a target with a space', head('GET /ws/rest/Vessel name HTTP/1.1')],
    ['a target with a tab', head('GET /ws/rest/\tVessel HTTP/1.1')],
    ['a target with a NUL', head('GET /ws/rest/Vessel\0 HTTP/1.1')],
    ['a target with a bare carriage return', head('GET /ws/rest/Vessel\rX: y HTTP/1.1')],
    ['no Host', 'GET /ws/rest/Vessel HTTP/1.1\r\n\r\n'],
    ['a Host with a path', 'GET /ws/rest/Vessel HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['a Host with a space', 'GET /ws/rest/Vessel HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a Host with user information', 'GET /ws/rest/Vessel HTTP/1.1\r\nHost: a@b\r\n\r\n'],
    ['a Host with a port that is none', 'GET /ws/rest/Vessel HTTP/1.1\r\nHost: a:b\r\n\r\n'],
    ['an absolute target of another scheme', head('GET ftp://evil.example/ws/rest/Vessel HTTP/1.1')],
    ['an absolute target with a user name', head('GET http://evil@x/ws/rest/Vessel HTTP/1.1')],
    ['an absolute target with a port that is none', head('GET http://x:evil/ws/rest/Vessel HTTP/1.1')],
    ['an absolute target without a host', head('GET http:///ws/rest/Vessel HTTP/1.1')],
    ['an absolute target with a port alone', head('GET http://:80/ws/rest/Vessel HTTP/1.1')],
    ['an absolute target with a fragment', head('GET http://x/ws/rest/Vessel#name HTTP/1.1')],
    ['an absolute target with a fragment alone', head('GET http://x#name HTTP/1.1')],
    ['an absolute target without a Host header', 'GET http://x/ws/rest/Vessel HTTP/1.1\r\n\r\n'],
    ['an absolute target with two Host headers', head('GET http://x/ws/rest/Vessel HTTP/1.1', 'Host: y')],
    ['a target without a slash', head('GET ws/rest/Vessel HTTP/1.1')],
    ['a target without a scheme', head('GET evil.example:80/ws/rest/Vessel HTTP/1.1')],
    ['the target * of GET', head('GET * HTTP/1.1')],
    ['CONNECT', head('CONNECT evil.example:443 HTTP/1.1')],
    ['nothing but bytes', `${'\xff\xfe\x00'.repeat(100)}`],
  ])('%s', async (_, bytes) => {
    const { answers, isClosed } = await converse(service.url(), Buffer.from(bytes, 'latin1'));
    expect([answers.length, isClosed]).toEqual([1, true]);
    const { uri } = expectErrorBody(answers[0]!, 400);
    expect(uri.startsWith(service.url())).toBe(true);
    expect(uri).not.toContain('evil');
  });

  test('HTTP/1.0 needs no Host', async () => {
    const bytes = authorised('GET /ws/rest/Vessel?limit=1 HTTP/1.0\r\n\r\n');
    const { answers, isClosed } = await converse(service.url(), bytes);
    expect([answers[0]?.status, isClosed]).toEqual([200, true]);
  });

  test.each(['x', 'x:1', '127.0.0.1:8080', '[::1]:8080', 'a-b.example.', ''])('Host: %s is one', async (host) => {
    const bytes = `GET /ws/rest/Vessel?limit=1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const { answers } = await converse(service.url(), authorised(bytes), { answers: 1 });
    expect(answers[0]?.status).toBe(200);
  });
});

describe('an absolute target (RFC 9112 §3.2.2)', () => {
  async function ask(line: string, isAuthorised = true): Promise<RawAnswer> {
    const bytes = isAuthorised ? authorised(head(line)) : head(line);
    return (await converse(service.url(), bytes, { answers: 1 })).answers[0]!;
  }

  test.each(['http://x', 'HTTP://x:8080', 'https://evil.example', 'http://[::1]:80'])(
    'is taken like its path, and links are those of the base URL: %s',
    async (origin) => {
      const { status, body } = await ask(`GET ${origin}/ws/rest/Vessel/${key} HTTP/1.1`);
      expect([status, body.self]).toEqual([200, `${service.url()}/ws/rest/Vessel/${key}`]);
    },
  );

  test.each(['/ws/rest/Vessel', '/ws/%72est/Vessel', '/ws/rest', '/ws/rest?x=1'])(
    'needs a token as its path does: %s',
    async (path) => {
      const { status, headers } = await ask(`GET http://x${path} HTTP/1.1`, false);
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
    },
  );

  test('carries its query', async () => {
    const filter = `filter=key(EQ)${key}&fields={"vesselName":"*"}`.replace(/["{}]/g, encodeURIComponent);
    const { status, body } = await ask(`GET http://x/ws/rest/Vessel?${filter} HTTP/1.1`);
    expect([status, body.length, body[0]?.vesselName]).toEqual([200, 1, 'Steadfast']);
  });

  test('changes what its path names', async () => {
    const { key: other } = await create(service, 'Vessel', { vesselName: 'Passing' });
    expect((await ask(`DELETE http://x/ws/rest/Vessel/${other} HTTP/1.1`)).status).toBe(204);
    expect((await service.get(`/ws/rest/Vessel/${other}`)).status).toBe(404);
  });

  test('has an error whose uri is of the base URL', async () => {
    const { uri } = expectErrorBody(await ask('GET http://evil.example/ws/rest/Vessel?limit=x HTTP/1.1'), 400);
    expect(uri).toBe(`${service.url()}/ws/rest/Vessel?limit=x`);
  });

  test('is taken while the service is starting, too', async () => {
    const listener = await openListener('127.0.0.1', 0);
    onTestFinished(() => listener.close(0));
    const url = `http://127.0.0.1:${listener.port}`;
    const { answers } = await converse(url, head('GET http://evil.example/ws/rest/Vessel HTTP/1.1'), { answers: 1 });
    expect(answers[0]).toMatchObject({ status: 503, body: { uri: `${url}/ws/rest/Vessel` } });
  });

  test('without a path is the path /, with OPTIONS the whole server', async () => {
    const [bare, plain] = [await ask('GET http://x HTTP/1.1'), await ask('GET / HTTP/1.1')];
    expect(bare.status).toBe(plain.status);
    expect((await ask('GET http://x?limit=1 HTTP/1.1')).status).toBe(plain.status);
    const options = await ask('OPTIONS http://x HTTP/1.1');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, PUT, DELETE, OPTIONS']);
  });
});

describe('methods', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s with a body is a 400, and nothing is done',
    async (method) => {
      for (const framing of ['Content-Length: 2', 'Transfer-Encoding: chunked']) {
        const line = `${method} /ws/rest/Vessel/${key} HTTP/1.1`;
        const isHead = method === 'HEAD';
        const { answers } = await converse(
          service.url(),
          authorised(head(line, framing)) + (framing.endsWith('2') ? '{}' : '2\r\n{}\r\n0\r\n\r\n'),
          { isHead },
        );
        expect(answers[0]?.status).toBe(400);
        if (!isHead) expectErrorBody(answers[0]!, 400);
      }
      expect((await service.get(`/ws/rest/Vessel/${key}`)).status).toBe(200);
    },
  );

  test.each(['TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'LOCK', 'MKCOL', 'PURGE', 'LINK', 'PATCH'])(
    '%s is a 405 with Allow, and a 404 where nothing is',
    async (method) => {
      const ask = async (path: string) =>
        (await converse(service.url(), authorised(head(`${method} ${path} HTTP/1.1`)), { answers: 1 })).answers[0]!;
      const [list, object, nowhere] = [
        await ask('/ws/rest/Vessel'),
        await ask(`/ws/rest/Vessel/${key}`),
        await ask('/ws/rest/Nonsense'),
      ];
      expectErrorBody(list, 405);
      expect(list.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
      expectErrorBody(object, 405);
      expect(object.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
      expectErrorBody(nowhere, 404);
    },
  );

  test('a method override is not looked at', async () => {
    const answer = await service.post(
      '/ws/rest/Vessel',
      { vesselName: 'Overridden' },
      { 'x-http-method-override': 'DELETE', 'x-method-override': 'PUT' },
    );
    expect(answer.status).toBe(201);
  });

  test('OPTIONS * tells what the server takes', async () => {
    const { answers } = await converse(service.url(), head('OPTIONS * HTTP/1.1'), { answers: 1 });
    expect([answers[0]?.status, answers[0]?.headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, POST, PUT, DELETE, OPTIONS',
    ]);
  });
});

describe('expectations and upgrades', () => {
  test('Expect: 100-continue is met', async () => {
    const bytes = `${head(postVessel, json, 'Expect: 100-continue', 'Content-Length: 2')}{}`;
    const { answers } = await converse(service.url(), authorised(bytes), { answers: 1 });
    expect(expectErrorBody(answers[0]!, 400).violations).toHaveLength(1);
  });

  test('any other expectation is a 400', async () => {
    for (const expectation of ['200-ok', 'the moon', '100-continue, more', '']) {
      const bytes = `${head(postVessel, json, `Expect: ${expectation}`, `Content-Length: ${vessel.length}`)}${vessel}`;
      const { answers } = await converse(service.url(), authorised(bytes));
      expectErrorBody(answers[0]!, 400);
    }
    expect(await countSmuggled()).toBe(0);
  });

  test.each([
    [
      'websocket',
      ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAA'],
    ],
    ['h2c', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']],
    ['TLS/1.2', ['Connection: Upgrade', 'Upgrade: TLS/1.2']],
  ])('no upgrade is made to %s: the request is answered as it is', async (_, headers) => {
    const bytes = head('GET /ws/rest/Vessel?limit=1 HTTP/1.1', ...headers);
    const { answers } = await converse(service.url(), authorised(bytes), { answers: 1 });
    expect(answers[0]?.status).toBe(200);
  });
});

describe('size', () => {
  test('a head of more than 16 kB is a 431, however it is made up', async () => {
    for (const headers of [[`X: ${'a'.repeat(20_000)}`], Array(3000).fill('X: abcdef'), [`${'X'.repeat(20_000)}: a`]]) {
      const { answers, isClosed } = await converse(service.url(), head(getList, ...headers));
      expect(isClosed).toBe(true);
      expectErrorBody(answers[0]!, 431);
    }
  });

  test('many small headers below that are no mistake', async () => {
    const bytes = head('GET /ws/rest/Vessel?limit=1 HTTP/1.1', ...Array(3000).fill('a:'));
    const { answers } = await converse(service.url(), authorised(bytes), { answers: 1 });
    expect(answers[0]?.status).toBe(200);
  });
});

describeUnharmed(service);
