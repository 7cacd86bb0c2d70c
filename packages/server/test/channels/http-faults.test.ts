// Receivers that hang, drip, break off or never stop: each ends within the deadline, with its reason, and leaves no
// connection behind.

import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { closedEarly, closedPort, failure, openChannel, type Receiver, startReceiver } from './receiver.ts';

const timeoutMs = 400;
const tooLate = failure('No response within 0.4 s.');
const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n';

/** Writes it piece by piece, one every few milliseconds, for as long as the connection stands. */
function drip(socket: Socket, pieces: (index: number) => string | Buffer, everyMs = 20): void {
  let index = 0;
  const timer = setInterval(() => socket.write(pieces(index++)), everyMs);
  socket.on('close', () => clearInterval(timer));
}

async function expectClosed(receiver: Receiver): Promise<void> {
  await vi.waitFor(() => expect(receiver.connections.size).toBe(0), { timeout: 5_000, interval: 10 });
}

/** Resets the connection instead of closing it. */
const reset = (socket: Socket) => socket.resetAndDestroy();

describe('cut at the deadline, without a status', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['FLT-07: a receiver that never answers', () => undefined],
    ['FLT-08: a status line that drips', (socket) => drip(socket, (i) => 'HTTP/1.1 200 OK and well'.charAt(i % 20))],
    ['FLT-08: headers that drip', (socket) => drip(socket, (i) => (i === 0 ? 'HTTP/1.1 200 OK\r\n' : `X-${i}: 1\r\n`))],
    ['FLT-02: 102 without end', (socket) => drip(socket, () => 'HTTP/1.1 102 Processing\r\n\r\n')],
    ['FLT-02: 103 without end', (socket) => drip(socket, () => 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')],
    ['a receiver that has ended its side and reads on', (socket) => socket.pause()],
  ])('%s', async (_, onRequest) => {
    const receiver = await startReceiver({ onRequest });
    const began = performance.now();
    expect(await openChannel({ timeoutMs }).post(receiver.url)).toEqual(tooLate);
    expect(performance.now() - began).toBeGreaterThan(timeoutMs - 20);
    await expectClosed(receiver);
    expect(receiver.requests).toHaveLength(1);
  });

  test('FLT-07: a receiver that does not even read a large body', async () => {
    const receiver = await startReceiver({ onConnect: (socket) => socket.pause() });
    expect(await openChannel({ timeoutMs }).post(receiver.url, Buffer.alloc(16_000_000))).toEqual(tooLate);
  });
});

describe('a status that was seen counts, whatever follows', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['FLT-08: a body that drips', (socket) => drip(socket, (i) => (i === 0 ? head : 'x'))],
    ['FLT-08: a body that never comes', (socket) => socket.write(head)],
    [
      'FLT-08: chunks without end',
      (socket) =>
        drip(socket, (i) => (i === 0 ? 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' : '1\r\nx\r\n')),
    ],
    ['FLT-11: a reset in the body', (socket) => socket.write(`${head}some`, () => reset(socket))],
    ['FLT-11: an end in the body', (socket) => socket.end(`${head}some`)],
    ['a chunk that is none', (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')],
    ['a body without a length, up to the end', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nsome')],
  ])('%s', async (_, onRequest) => {
    const receiver = await startReceiver({ onRequest });
    expect(await openChannel({ timeoutMs }).post(receiver.url)).toMatchObject({ kind: 'delivered', statusCode: 200 });
    await expectClosed(receiver);
    expect(receiver.requests).toHaveLength(1);
  });

  test('also a failure, with the part of the body that was read', async () => {
    const onRequest = (socket: Socket) => drip(socket, (i) => (i === 0 ? `${head.replace('200 OK', '503 No')}x` : 'x'));
    const receiver = await startReceiver({ onRequest });
    const result = await openChannel({ timeoutMs }).post(receiver.url);
    expect(result).toMatchObject({ kind: 'failed', statusCode: 503, answer: expect.stringMatching(/^x+$/) });
  });

  test('TRAP-3: a body without end is cut after 64 kB, long before the deadline', async () => {
    let written = 0;
    const flood = (socket: Socket) => {
      socket.write(head.replace('1000000', '300000000'));
      const pump = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'y'))) written += 65_536;
      };
      socket.on('drain', pump);
      pump();
    };
    const receiver = await startReceiver({ onRequest: flood });
    const result = await openChannel({ timeoutMs: 20_000 }).post(receiver.url);
    expect(result).toEqual({ kind: 'delivered', statusCode: 200, answer: 'y'.repeat(1_024) });
    await expectClosed(receiver);
    expect(written).toBeLessThan(50_000_000);
  });

  test('a body of up to 64 kB is read, so that the connection can be used again', async () => {
    const bytes = `HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n${'z'.repeat(65_536)}`;
    const receiver = await startReceiver({ onRequest: (socket) => socket.write(bytes) });
    const channel = openChannel();
    for (let i = 0; i < 3; i++) expect((await channel.post(receiver.url)).kind).toBe('delivered');
    expect(receiver.accepted).toBe(1);
  });
});

describe('an answer that comes before the request was read', () => {
  const early = (socket: Socket, bytes: string) => {
    socket.removeAllListeners('data');
    socket.pause();
    socket.write(bytes);
  };

  test('counts, and the connection is not used again', async () => {
    const receiver = await startReceiver({
      onConnect: (socket) => early(socket, 'HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n'),
    });
    const channel = openChannel({ timeoutMs: 2_000 });
    for (let i = 0; i < 2; i++)
      expect(await channel.post(receiver.url, Buffer.alloc(16_000_000))).toMatchObject({
        kind: 'failed',
        statusCode: 413,
      });
    expect(receiver.accepted).toBe(2);
  });

  test('counts, too, where the receiver then hangs up', async () => {
    const answer = 'HTTP/1.1 202 Yes\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    const receiver = await startReceiver({
      onConnect: (socket) => {
        early(socket, answer);
        socket.end();
      },
    });
    expect(await openChannel({ timeoutMs: 2_000 }).post(receiver.url, Buffer.alloc(16_000_000))).toMatchObject({
      kind: 'delivered',
      statusCode: 202,
    });
  });
});

describe('FLT-11: a connection that breaks before a status is a failure', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['a reset after the request', reset],
    ['an end after the request', (socket) => socket.end()],
    ['a reset in the status line', (socket) => socket.write('HTTP/1.1 20', () => reset(socket))],
    ['an end in the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Len')],
    ['a reset after 102', (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n', () => reset(socket))],
  ])('%s', async (_, onRequest) => {
    const receiver = await startReceiver({ onRequest });
    expect(await openChannel().post(receiver.url)).toEqual(closedEarly);
    expect(receiver.requests).toHaveLength(1);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['a reset at once', reset],
    ['an end at once', (socket) => socket.end()],
  ])('%s', async (_, onConnect) => {
    const receiver = await startReceiver({ onConnect, onRequest: () => undefined });
    expect(await openChannel({ timeoutMs }).post(receiver.url)).toMatchObject({ kind: 'failed', statusCode: null });
    expect(receiver.accepted).toBe(1);
  });
});

test.each<[string, string]>([
  ['many headers', `HTTP/1.1 200 OK\r\n${'X-Header: value\r\n'.repeat(5_000)}\r\n`],
  ['one long header', `HTTP/1.1 200 OK\r\nX-Header: ${'x'.repeat(100_000)}\r\n\r\n`],
])('%s are a failure', async (_, bytes) => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(bytes) });
  expect(await openChannel().post(receiver.url)).toEqual(failure('The headers of the response are too large.'));
  await expectClosed(receiver);
});

test.each([
  'SSH-2.0-OpenSSH_9.2\r\n',
  '220 mail.example ESMTP\r\n',
  '\0\0\0\0\0\0',
  'HTTP/1.1 abc OK\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
])('a response that is not HTTP is a failure: %j', async (bytes) => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(bytes) });
  expect(await openChannel({ timeoutMs }).post(receiver.url)).toEqual(failure('The response is not valid HTTP.'));
  await expectClosed(receiver);
});

describe('FLT-10', () => {
  test('a refused connection is a failure', async () => {
    expect(await openChannel().post(`http://127.0.0.1:${await closedPort()}/`)).toEqual(
      failure('The connection was refused.'),
    );
    expect(await openChannel().post(`http://localhost:${await closedPort()}/`)).toEqual(
      failure('The connection was refused.'),
    );
  });
});

test('FLT-16: an answer after the deadline comes too late', async () => {
  let answer: () => void = () => undefined;
  const receiver = await startReceiver({
    onRequest: (socket) => {
      answer = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    },
  });
  const channel = openChannel({ timeoutMs });
  expect(await channel.post(receiver.url)).toEqual(tooLate);
  answer();
  await expectClosed(receiver);
});

test('each has its own deadline, counted from when it was sent', async () => {
  const receiver = await startReceiver({ onRequest: () => undefined });
  const channel = openChannel({ timeoutMs });
  const ended: string[] = [];
  const send = async (name: string) => {
    const began = performance.now();
    await channel.post(receiver.url);
    ended.push(name);
    return performance.now() - began;
  };
  const first = send('first');
  const later = new Promise<number>((resolve) => setTimeout(() => resolve(send('later')), timeoutMs / 2));
  for (const tookMs of await Promise.all([first, later])) expect(tookMs).toBeGreaterThan(timeoutMs - 20);
  expect(ended).toEqual(['first', 'later']);
});

test('no reason reveals details of our network', async () => {
  const receiver = await startReceiver({ onRequest: reset });
  const urls = [receiver.url, `http://127.0.0.1:${await closedPort()}/`, 'http://10.0.0.1/', 'https://127.0.0.1:1/'];
  const channel = openChannel({ timeoutMs });
  for (const url of [...urls, receiver.url.replace('http:', 'https:')]) {
    const result = await channel.post(url);
    expect(result.kind === 'failed' && result.reason).not.toMatch(/\d+\.\d+\.\d+|:\d{2}|E[A-Z]{4}|errno|socket/);
  }
});

describe('closing', () => {
  test('waits for messages in flight during the grace period', async () => {
    let answer: (() => void) | undefined;
    const receiver = await startReceiver({
      onRequest: (socket) => {
        answer = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      },
    });
    const channel = openChannel();
    const sent = channel.post(receiver.url);
    await vi.waitFor(() => expect(answer).toBeDefined(), { interval: 5 });
    const closed = channel.close(5_000);
    expect(await channel.post(receiver.url)).toMatchObject({ kind: 'ownFault' });
    answer?.();
    expect((await sent).kind).toBe('delivered');
    await closed;
    await expectClosed(receiver);
  });

  test('abandons messages in flight after that, as a fault on our side', async () => {
    const receiver = await startReceiver({ onRequest: () => undefined });
    const channel = openChannel();
    const sent = channel.post(receiver.url);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), { interval: 5 });
    await channel.close(50);
    expect(await sent).toMatchObject({ kind: 'ownFault' });
    await expectClosed(receiver);
  });
});
