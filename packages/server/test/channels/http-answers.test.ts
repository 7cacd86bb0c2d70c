// What a receiver answers, and what becomes of it: the status decides, nothing is followed, and little is read.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openChannel, startReceiver } from './receiver.ts';

const answer = (status: number | string, headers = '', body = '') =>
  `HTTP/1.1 ${status} Status\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const answering = (bytes: string | Buffer) => startReceiver({ onRequest: (socket) => socket.write(bytes) });

test('the request is a POST of these bytes with these headers, and no others', async () => {
  const receiver = await startReceiver();
  const headers = ['content-type', 'application/json', 'webhook-id', '7-9'];
  await openChannel().send({ url: `${receiver.url}?a=b&c=%20d`, headers, body: '{"name":"Ålesund"}' });
  const [request] = receiver.requests;
  expect(request?.body).toBe('{"name":"Ålesund"}');
  expect(request?.head.split('\r\n')).toEqual([
    'POST /hook?a=b&c=%20d HTTP/1.1',
    `host: 127.0.0.1:${receiver.port}`,
    'connection: keep-alive',
    'user-agent: Flaghoist/0.0.0',
    'content-type: application/json',
    'webhook-id: 7-9',
    'content-length: 19',
  ]);
});

test.each([
  ['200', answer(200, '', 'fine'), 'fine'],
  ['201', answer(201), null],
  ['202', answer(202), null],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', null],
  ['299', answer(299), null],
])('FLT-01: %s is delivered, with one request', async (status, bytes, text) => {
  const receiver = await answering(bytes);
  expect(await openChannel().post(receiver.url)).toEqual({
    kind: 'delivered',
    statusCode: Number(status),
    answer: text,
  });
  expect(receiver.requests).toHaveLength(1);
});

test.each([400, 401, 403, 404, 410, 429, 500, 502, 503, 504, 599, 999])(
  'FLT-04, FLT-05: %i is a failure',
  async (status) => {
    const receiver = await answering(answer(status, '', 'no'));
    expect(await openChannel().post(receiver.url)).toEqual({
      kind: 'failed',
      reason: `The receiver answered ${status}.`,
      statusCode: status,
      answer: 'no',
      retryAfterMs: undefined,
    });
  },
);

test.each([300, 301, 302, 303, 307, 308])(
  'SSD-11: %i is a failure, and nobody is asked a second time',
  async (status) => {
    const canary = await startReceiver();
    const receiver = await answering(answer(status, `Location: ${canary.url}\r\n`));
    expect(await openChannel().post(receiver.url)).toMatchObject({
      kind: 'failed',
      reason: `The receiver answered ${status}: redirects are not followed.`,
      statusCode: status,
    });
    expect([receiver.requests.length, canary.accepted]).toEqual([1, 0]);
  },
);

test('SSD-13: other ways to lead somewhere else are ignored', async () => {
  const canary = await startReceiver();
  const headers =
    `Refresh: 0; url=${canary.url}\r\nLocation: ${canary.url}\r\nAlt-Svc: h2="127.0.0.1:${canary.port}"\r\n` +
    `Link: <${canary.url}>; rel=preconnect\r\nSet-Cookie: a=b\r\n`;
  const receiver = await answering(answer(200, headers, `<meta http-equiv="refresh" content="0; url=${canary.url}">`));
  const channel = openChannel();
  for (let i = 0; i < 2; i++) expect((await channel.post(receiver.url)).kind).toBe('delivered');
  expect(canary.accepted).toBe(0);
  expect(receiver.requests[1]?.head).not.toMatch(/cookie/i);
});

test.each(['Basic realm="x"', 'Digest realm="x", nonce="y"', 'Negotiate', 'NTLM'])(
  'SSD-14: 401 with %s is a failure, and nothing is sent a second time',
  async (challenge) => {
    const receiver = await answering(answer(401, `WWW-Authenticate: ${challenge}\r\n`));
    expect(await openChannel().post(receiver.url)).toMatchObject({ kind: 'failed', statusCode: 401 });
    expect(receiver.requests).toHaveLength(1);
  },
);

describe('FLT-02', () => {
  test('answers below 200 are not the answer', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const receiver = await answering(early + 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50) + answer(200));
    expect((await openChannel().post(receiver.url)).kind).toBe('delivered');
  });

  test('an unexpected 100 is reported as such', async () => {
    const receiver = await answering(`HTTP/1.1 100 Continue\r\n\r\n${answer(200)}`);
    expect(await openChannel().post(receiver.url)).toMatchObject({
      kind: 'failed',
      reason: 'The receiver answered 100 (Continue) without being asked for it.',
    });
  });

  test.each(['Connection: upgrade\r\nUpgrade: websocket\r\n', ''])('101 is a failure (%j)', async (headers) => {
    const receiver = await answering(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
    expect(await openChannel().post(receiver.url)).toMatchObject({
      kind: 'failed',
      reason: 'The receiver answered 101: it asks for another protocol.',
    });
  });
});

describe('Retry-After', () => {
  const waitOf = async (status: number, value: string) => {
    const receiver = await answering(answer(status, `Retry-After: ${value}\r\n`));
    const result = await openChannel().post(receiver.url);
    return result.kind === 'failed' ? result.retryAfterMs : result;
  };

  test.each([429, 503])('of %i is told, as seconds or as a date', async (status) => {
    expect(await waitOf(status, '120')).toBe(120_000);
    expect(await waitOf(status, '0')).toBe(0);
    const inAMinute = await waitOf(status, new Date(Date.now() + 60_000).toUTCString());
    expect(inAMinute).toBeGreaterThan(50_000);
    expect(inAMinute).toBeLessThanOrEqual(60_000);
    expect(await waitOf(status, 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
  });

  test.each(['-5', '1.5', 'soon', '', '12 s', '2099-01-01', '1e9'])('that says nothing (%j) is none', async (value) => {
    expect(await waitOf(429, value)).toBeUndefined();
  });

  test('is a day at most, and counts with no other status', async () => {
    expect(await waitOf(503, '9'.repeat(400))).toBe(86_400_000);
    expect(await waitOf(500, '60')).toBeUndefined();
  });
});

describe('SSD-22: the answer is kept as text that can be shown', () => {
  const shown = async (body: string | Buffer) => {
    const bytes = Buffer.from(body);
    const head = `HTTP/1.1 500 No\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const receiver = await answering(Buffer.concat([Buffer.from(head), bytes]));
    const result = await openChannel().post(receiver.url);
    return result.kind === 'failed' ? result.answer : result;
  };

  test.each<[string, string | Buffer, string]>([
    ['its line breaks', '{\r\n\t"error": "Ålesund 🚢"\r\n}', '{\n\t"error": "Ålesund 🚢"\n}'],
    ['what cannot be seen, by name', 'a\0b\x1b[31m\u202ec', 'aU+0000bU+001B[31mU+202Ec'],
    ['what is no UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\ufffd\ufffdb'],
    ['the first 1,024 bytes', 'x'.repeat(5_000), 'x'.repeat(1_024)],
    ['no half characters', `${'x'.repeat(1_022)}🚢🚢`, 'x'.repeat(1_022)],
    ['a character that ends there', `${'x'.repeat(1_020)}🚢🚢`, `${'x'.repeat(1_020)}🚢`],
  ])('with %s', async (_, body, text) => {
    expect(await shown(body)).toBe(text);
  });
});

test('compressed answers are not asked for, and not unpacked', async () => {
  const receiver = await answering(answer(200, 'Content-Encoding: gzip\r\n', 'not gzip'));
  expect(await openChannel().post(receiver.url)).toMatchObject({ kind: 'delivered', answer: 'not gzip' });
  expect(receiver.requests[0]?.head).not.toMatch(/accept-encoding|te:/i);
});

test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\0b', '☃'])(
  'SSD-23: a header of %j is not sent, and breaks nothing',
  async (value) => {
    const receiver = await startReceiver();
    const channel = openChannel();
    expect(await channel.send({ url: receiver.url, headers: ['x-name', value], body: '{}' })).toMatchObject({
      kind: 'failed',
      reason: 'The request cannot be sent: a header or the URL has invalid characters.',
    });
    expect((await channel.post(receiver.url)).kind).toBe('delivered');
    expect(receiver.requests).toHaveLength(1);
  },
);

test.each([
  ['HTTP://127.0.0.1:PORT', 'POST / HTTP/1.1', '127.0.0.1:PORT'],
  ['http://LOCALHOST:PORT/a/../b', 'POST /b HTTP/1.1', 'localhost:PORT'],
  ['http://localhost.:PORT/ü', 'POST /%C3%BC HTTP/1.1', 'localhost.:PORT'],
  ['http://bücher.localhost:PORT/', 'POST / HTTP/1.1', 'xn--bcher-kva.localhost:PORT'],
  ['http://[::ffff:127.0.0.1]:PORT/', 'POST / HTTP/1.1', '[::ffff:7f00:1]:PORT'],
])('SSD-25: %s names its host as the URL does', async (url, line, host) => {
  const receiver = await startReceiver();
  await openChannel().post(url.replace('PORT', String(receiver.port)));
  const [first, second] = receiver.requests[0]?.head.split('\r\n') ?? [];
  expect([first, second]).toEqual([line, `host: ${host.replace('PORT', String(receiver.port))}`]);
});

test.each(['ftp://127.0.0.1/', 'not a url', '', 'ws://127.0.0.1/', 'javascript:alert(1)'])(
  '%j cannot be sent to',
  async (url) => {
    expect(await openChannel().post(url)).toMatchObject({ kind: 'failed' });
  },
);

test('bodies of any size arrive whole', async () => {
  const sizes: number[] = [];
  const server = createServer((request, response) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    request.on('end', () => {
      sizes.push(size);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const channel = openChannel();
  const wanted = [0, 1, 65_536, 1_048_576];
  for (const size of wanted)
    await channel.post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, Buffer.alloc(size, 'x'));
  expect(sizes).toEqual(wanted);
});
