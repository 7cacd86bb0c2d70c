// Bodies that are too large, hold too many of something, or are not what their headers say.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { postBytes } from '../support/post-bytes.ts';
import { converse, openSocket, readAnswers, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
const megabyte = 1_048_576;
/** The start of a request, up to what is said of its body. */
const startOf = (line: string) =>
  withToken(service.token(), `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`);
const postVessel = (bytes: Buffer | string, headers?: Record<string, string>) =>
  postBytes(service, 'Vessel', bytes, headers);

describe('size', () => {
  const padded = (bytes: number) => `{"vesselName":"Large"${' '.repeat(bytes - 22)}}`;

  test('exactly 1 MB is taken, one byte more is a 413', async () => {
    expect((await postVessel(padded(megabyte))).status).toBe(201);
    expectErrorBody(await postVessel(padded(megabyte + 1)), 413);
  });

  test('a client that is still sending 50 MB gets its 413 all the same', async () => {
    expectErrorBody(await postVessel(Buffer.alloc(50 * megabyte, 'x')), 413);
  });

  test('a body in chunks is counted as it comes', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const head = `${startOf('POST /ws/rest/Vessel')}Transfer-Encoding: chunked\r\n\r\n`;
    const { answers } = await converse(service.url(), `${head}${chunk.repeat(40)}0\r\n\r\n`, { answers: 1 });
    expectErrorBody(answers[0]!, 413);
  });

  test.each([
    ['with its length', `Content-Length: ${2 * megabyte}\r\n\r\n${'x'.repeat(2 * megabyte)}`],
    ['in one chunk', `Transfer-Encoding: chunked\r\n\r\n200000\r\n${'x'.repeat(2 * megabyte)}\r\n0\r\n\r\n`],
  ])('a connection is good for the next request after a 413 to a body %s', async (_, large) => {
    const head = startOf('POST /ws/rest/Vessel');
    const { answers } = await converse(service.url(), `${head}${large}${head}Content-Length: 2\r\n\r\n{}`, {
      answers: 2,
    });
    expect(answers.map(({ status }) => status)).toEqual([413, 400]);
  });

  test('a Content-Length of 5 GB is refused before anything is read', async () => {
    const head = `${startOf('PUT /ws/rest/Vessel/1')}Content-Length: 5368709120\r\n\r\n`;
    const { answers } = await converse(service.url(), head, { answers: 1 });
    expectErrorBody(answers[0]!, 413);
  });

  test('types with files take 16 MB', async () => {
    const { key } = await create(service, 'Vessel', { vesselName: 'Remarkable' });
    const remark = await service.post('/ws/rest/Remarks', { source: key, remarkText: 'x'.repeat(15 * megabyte) });
    expect([remark.status, remark.body.remarkText.length]).toEqual([201, 15 * megabyte]);
    expectErrorBody(await service.post('/ws/rest/Remarks', `{"a":"${'x'.repeat(16 * megabyte)}"}`), 413);
  });
});

describe('a body of 16 MB that the caller may not send is never read', () => {
  const senders = 10;
  /** Files may be large, so this much would be taken. */
  const head =
    `POST /ws/rest/Remarks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ` +
    `${16 * megabyte}\r\n\r\n`;
  /** The same bytes for all senders: what grows is on the side of the service. */
  const part = Buffer.alloc(15 * megabyte, ' ');

  test.each<[string, number, () => Promise<string>]>([
    ['a token', 401, async () => head],
    ['a good token', 401, async () => withToken('nonsense', head)],
    ['the scope', 403, async () => withToken((await createClient(service, ['read'])).token, head)],
  ])('without %s: a %i comes before its end, and it takes no memory', async (_, status, prepare) => {
    const request = await prepare();
    const before = heldBytes();
    const sockets = Array.from({ length: senders }, () => openSocket(service.url()));
    for (const answer of await Promise.all(sockets.map((socket) => sendPart(socket, request))))
      expectErrorBody(answer, status);
    // What the sockets have just taken in is thrown away in the next moment; what is waiting for its end would stay.
    await expect.poll(() => heldBytes() - before, { timeout: 10_000, interval: 50 }).toBeLessThan(part.length);
    for (const socket of sockets) socket.destroy();
  });

  /** All but the end of the body; the answer is awaited, and that the bytes have left. */
  async function sendPart(socket: Socket, request: string) {
    const answered = once(socket, 'data') as Promise<[Buffer]>;
    socket.write(request);
    await new Promise((resolve) => socket.write(part, resolve));
    return readAnswers((await answered)[0]).answers[0]!;
  }

  /** In buffers of this process, which is that of the service as well. */
  function heldBytes(): number {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    return process.memoryUsage().arrayBuffers;
  }
});

describe('a great many of anything', () => {
  test('80,000 keys are a 400 whose answer stays short', async () => {
    const keys = Array.from({ length: 80_000 }, (_, index) => `"${index.toString(36)}":0`);
    const answer = await postVessel(`{${keys.join(',')}}`);
    expect(expectErrorBody(answer, 400).violations).toHaveLength(100);
    expect(answer.text.length).toBeLessThan(20_000);
  });

  test('a key of 1 MB is a 400 whose answer stays short', async () => {
    const answer = await postVessel(`{"${'k'.repeat(megabyte - 100)}":1}`);
    expectErrorBody(answer, 400);
    expect(answer.text.length).toBeLessThan(2000);
  });

  test('a number of 1 MB is a 400', async () => {
    for (const digits of [
      '9'.repeat(megabyte - 100),
      `0.${'0'.repeat(megabyte - 100)}1`,
      `1e${'9'.repeat(megabyte - 100)}`,
      `-1e-${'9'.repeat(megabyte - 100)}`,
    ])
      expectErrorBody(await postVessel(`{"vesselName":"x","dwtSummer":${digits}}`), 400);
  });

  test('a code, a reference or a date of 1 MB is a 400 whose answer stays short', async () => {
    const long = 'x'.repeat(megabyte - 200);
    for (const [resource, body] of [
      ['Voyage', { voyageStatus: long }],
      ['Voyage', { ballastPort: long }],
      ['Voyage', { estimatedVoyageStartDate: long }],
      ['Vessel', { vesselName: long }],
      ['Vessel', { vesselName: 'x', imoNumber: long }],
    ] as const) {
      const answer = await service.post(`/ws/rest/${resource}`, body);
      expectErrorBody(answer, 400);
      expect(answer.text.length).toBeLessThan(2000);
    }
  });

  test('more than 1,000 objects in an array are a 400', async () => {
    const body = Array.from({ length: 1001 }, () => ({ vesselName: 'x' }));
    expect(expectErrorBody(await service.post('/ws/rest/Vessel', body), 400).message).toContain('1000');
  });

  test('2,000 mistakes in the elements of a collection are told in 100', async () => {
    const answer = await service.post('/ws/rest/Voyage', `{"portCalls":[${Array(1_000).fill('{}').join(',')}]}`);
    expect(expectErrorBody(answer, 400).violations).toHaveLength(100);
  });

  test('a collection has at most 1,000 elements: 150,000 are told once', async () => {
    const { key: source } = await create(service, 'Vessel', { vesselName: 'Crowded' });
    const { key } = await create(service, 'Remarks', { source });
    const elements = Array.from({ length: 150_000 }, (_, index) => `{"key":${9_000_000_000 + index}}`);
    const answer = await service.put(`/ws/rest/Remarks/${key}`, `{"attachments":[${elements.join(',')}]}`);
    expect(expectErrorBody(answer, 400).violations).toMatchObject([{ path: 'attachments' }]);
  });
});

describe('a Content-Type or Content-Encoding that is not taken is a 415', () => {
  test.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset="utf-7"',
    'application/json; charset=utf-8; charset=utf-16',
    'application/jsonx',
    'application/json, text/plain',
    'application',
    '/',
    '*/*',
    ';',
    `application/json${' '.repeat(4000)}x`,
    `x/${'y'.repeat(8000)}`,
  ])('%s', async (type) => {
    const answer = await postVessel('{"vesselName":"x"}', { 'content-type': type });
    expectErrorBody(answer, 415);
  });

  test('none at all', async () => {
    const untyped = 'POST /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    const { answers } = await converse(service.url(), withToken(service.token(), untyped), { answers: 1 });
    expectErrorBody(answers[0]!, 415);
  });

  // 50 MB of nothing in 50 kB.
  const bomb = gzipSync(Buffer.alloc(50 * megabyte));

  test.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'nonsense'])('Content-Encoding: %s', async (encoding) => {
    expectErrorBody(await postVessel(bomb, { 'content-encoding': encoding }), 415);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;CHARSET=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; profile=x',
  ])('taken is %s', async (type) => {
    expect((await postVessel('{"vesselName":"Typed"}', { 'content-type': type })).status).toBe(201);
    expect(
      (await postVessel('{"vesselName":"Typed"}', { 'content-type': type, 'content-encoding': 'identity' })).status,
    ).toBe(201);
  });
});

describe('limits that were set are the ones that hold', () => {
  const strict = useTestService({
    FLAGHOIST_BODY_BYTES_MAX: '2048',
    FLAGHOIST_FILE_BODY_BYTES_MAX: '4096',
    FLAGHOIST_BODY_DEPTH_MAX: '5',
    FLAGHOIST_FILTERS_MAX: '2',
    FLAGHOIST_ARRAY_OBJECTS_MAX: '2',
  });

  test('for the size of a body', async () => {
    const padded = (bytes: number) => `{"vesselName":"x"${' '.repeat(bytes - 18)}}`;
    expect((await strict.post('/ws/rest/Vessel', padded(2048))).status).toBe(201);
    expectErrorBody(await strict.post('/ws/rest/Vessel', padded(2049)), 413);
    expectErrorBody(await strict.post('/ws/rest/Remarks', padded(4096)), 400);
    expectErrorBody(await strict.post('/ws/rest/Remarks', padded(4097)), 413);
  });

  test('for the size of the body of an action, of a type and of an object', async () => {
    const padded = (bytes: number) => `{${' '.repeat(bytes - 2)}}`;
    const { key } = await createClient(strict, ['read']);
    for (const [path, status] of [
      [`/ws/rest/ApiClient/${key}/rotateSecret`, 200],
      ['/ws/rest/WebhookSubscription/test', 400],
    ] as const) {
      const [largest, tooLarge] = [await strict.post(path, padded(2048)), await strict.post(path, padded(2049))];
      expect([path, largest.status]).toEqual([path, status]);
      expectErrorBody(tooLarge, 413);
    }
  });

  test('for its depth, for filters, and for objects in an array', async () => {
    expect(expectErrorBody(await strict.post('/ws/rest/Vessel', '[[[[[[]]]]]]'), 400).message).toContain('5 levels');
    expect((await strict.get('/ws/rest/Vessel?filter=key(EQ)1&filter=key(EQ)2')).status).toBe(200);
    expectErrorBody(await strict.get('/ws/rest/Vessel?filter=key(EQ)1&filter=key(EQ)2&filter=key(EQ)3'), 400);
    expectErrorBody(await strict.post('/ws/rest/Vessel', Array(3).fill({ vesselName: 'x' })), 400);
  });
});

describeUnharmed(service);
