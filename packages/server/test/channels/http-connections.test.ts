// Connections are reused and limited in number. If a receiver closes one at the wrong moment, the request is sent once
// more.

import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SendResult } from '../../src/channels/send-result.ts';
import { closedEarly, ok, openChannel, type Receiver, startReceiver } from './receiver.ts';

const open = (receivers: readonly Receiver[]) => receivers.reduce((sum, { connections }) => sum + connections.size, 0);

/** Answers the first request of each connection; the others meet this. */
const onReuse = (spoil: (socket: Socket) => void) => {
  const used = new WeakSet<Socket>();
  return (socket: Socket) => {
    if (used.has(socket)) spoil(socket);
    else socket.write(ok);
    used.add(socket);
  };
};

/** Fakes the timers; sockets work as usual. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

async function until(isSo: () => boolean): Promise<void> {
  // The time of day goes on.
  const latestMs = Date.now() + 10_000;
  while (!isSo()) {
    if (Date.now() > latestMs) throw new Error(`This did not become true: ${isSo}`);
    await new Promise(setImmediate);
  }
}

/** Whatever was written to a socket before has come to the other side. */
async function aRoundTrip(): Promise<void> {
  const other = await startReceiver();
  await new Promise<void>((resolve) => {
    const socket = connect(other.port, '127.0.0.1', () => socket.write('POST / HTTP/1.1\r\n\r\n'));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}

test('one connection serves a receiver, one request after the other', async () => {
  const receiver = await startReceiver();
  const channel = openChannel();
  for (let i = 0; i < 50; i++) expect((await channel.post(receiver.url)).kind).toBe('delivered');
  expect([receiver.accepted, receiver.requests.length]).toEqual([1, 50]);
});

test('concurrent requests use separate connections, without pipelining', async () => {
  const waiting: Socket[] = [];
  const receiver = await startReceiver({ onRequest: (socket) => waiting.push(socket) });
  const channel = openChannel();
  const sent = Array.from({ length: 20 }, () => channel.post(receiver.url));
  await vi.waitFor(() => expect(waiting).toHaveLength(20), { interval: 5 });
  expect(new Set(waiting).size).toBe(20);
  for (const socket of waiting) socket.write(ok);
  expect(new Set((await Promise.all(sent)).map(({ kind }) => kind))).toEqual(new Set(['delivered']));
});

test('of several idle connections the one used last is used, so that the others can close', async () => {
  const waiting: Socket[] = [];
  const receiver = await startReceiver({ onRequest: (socket) => waiting.push(socket) });
  const channel = openChannel();
  const sent = Array.from({ length: 3 }, () => channel.post(receiver.url));
  await vi.waitFor(() => expect(waiting).toHaveLength(3), { interval: 5 });
  for (const socket of waiting) socket.write(ok);
  await Promise.all(sent);
  for (let i = 0; i < 6; i++) {
    const next = channel.post(receiver.url);
    await vi.waitFor(() => expect(waiting).toHaveLength(4 + i), { interval: 5 });
    waiting.at(-1)?.write(ok);
    await next;
  }
  expect(new Set(receiver.requests.slice(3).map(({ connection }) => connection)).size).toBe(1);
});

test('a receiver that hangs occupies no connection of another', async () => {
  const hanging = await startReceiver({ onRequest: () => undefined });
  const receiver = await startReceiver();
  const channel = openChannel({ connectionsMax: 5 });
  const sent = Array.from({ length: 20 }, () => channel.post(hanging.url));
  for (let i = 0; i < 20; i++) expect((await channel.post(receiver.url)).kind).toBe('delivered');
  await channel.close(0);
  expect(new Set((await Promise.all(sent)).map(({ kind }) => kind))).toEqual(new Set(['ownFault']));
});

test('one limit applies to all receivers; the connections that were idle longest are closed first', async () => {
  const receivers = await Promise.all(Array.from({ length: 12 }, () => startReceiver()));
  const channel = openChannel({ connectionsMax: 5 });
  for (const receiver of receivers) {
    expect((await channel.post(receiver.url)).kind).toBe('delivered');
    await vi.waitFor(() => expect(open(receivers)).toBeLessThanOrEqual(5), { interval: 5 });
  }
  expect(receivers.map(({ connections }) => connections.size)).toEqual([...Array(7).fill(0), ...Array(5).fill(1)]);
  for (const receiver of receivers.slice(7)) await channel.post(receiver.url);
  expect(receivers.slice(7).map(({ accepted }) => accepted)).toEqual([1, 1, 1, 1, 1]);
});

test('idle connections are closed after ten seconds', async () => {
  const receiver = await startReceiver();
  holdTime();
  await openChannel().post(receiver.url);
  await aRoundTrip();
  vi.advanceTimersByTime(9_000);
  await aRoundTrip();
  expect(receiver.connections.size).toBe(1);
  vi.advanceTimersByTime(2_000);
  await until(() => receiver.connections.size === 0);
});

test('the Keep-Alive timeout of a receiver is respected', async () => {
  const receiver = await startReceiver({
    onRequest: (socket) => socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 0\r\n\r\n'),
  });
  await openChannel().post(receiver.url);
  await vi.waitFor(() => expect(receiver.connections.size).toBe(0), { timeout: 4_000, interval: 50 });
});

test.each([
  'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok',
])('a receiver that closes each connection gets each request once: %j', async (answer) => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.end(answer) });
  const channel = openChannel();
  for (let i = 0; i < 20; i++) expect((await channel.post(receiver.url)).kind).toBe('delivered');
  expect([receiver.accepted, receiver.requests.length]).toEqual([20, 20]);
});

describe('a connection that the receiver closes just when it is used again', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['is ended', (socket) => socket.end()],
    ['is closed', (socket) => socket.destroy()],
  ])('%s: the request goes over a new one at once', async (_, spoil) => {
    const receiver = await startReceiver({ onRequest: onReuse(spoil) });
    const channel = openChannel();
    for (let i = 0; i < 10; i++) expect((await channel.post(receiver.url)).kind).toBe('delivered');
    // Each second one met a spoilt connection, and was sent again.
    expect(receiver.accepted).toBeGreaterThanOrEqual(5);
  });

  test('is retried once, not more often', async () => {
    let isSpoilt = false;
    const receiver = await startReceiver({
      onRequest: (socket) => (isSpoilt ? socket.resetAndDestroy() : socket.write(ok)),
    });
    const channel = openChannel();
    expect((await channel.post(receiver.url)).kind).toBe('delivered');
    isSpoilt = true;
    expect(await channel.post(receiver.url)).toEqual(closedEarly);
    expect(receiver.requests).toHaveLength(3);
    // The first request of a connection is not retried: the receiver has read it.
    expect(await channel.post(receiver.url)).toEqual(closedEarly);
    expect(receiver.requests).toHaveLength(4);
  });

  test('is not confused with a new connection after the receiver closed the last one properly', async () => {
    const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    const receiver = await startReceiver({
      onRequest: (socket, { connection }) => (connection === 1 ? socket.end(closing) : socket.resetAndDestroy()),
    });
    const channel = openChannel();
    expect((await channel.post(receiver.url)).kind).toBe('delivered');
    expect(await channel.post(receiver.url)).toEqual(closedEarly);
    expect(receiver.requests).toHaveLength(2);
  });

  test('is not retried if part of a response had arrived', async () => {
    const spoil = (socket: Socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy());
    const receiver = await startReceiver({ onRequest: onReuse(spoil) });
    const channel = openChannel();
    await channel.post(receiver.url);
    expect(await channel.post(receiver.url)).toEqual(closedEarly);
    expect(receiver.requests).toHaveLength(2);
  });

  test('is retried within the same deadline', async () => {
    const sockets: Socket[] = [];
    const receiver = await startReceiver({ onRequest: (socket) => sockets.push(socket) });
    holdTime();
    const channel = openChannel({ timeoutMs: 2_000 });
    const first = channel.post(receiver.url);
    await until(() => sockets.length === 1);
    sockets[0]!.write(ok);
    await first;
    let ended: SendResult | undefined;
    channel.post(receiver.url).then((result) => {
      ended = result;
    });
    await until(() => sockets.length === 2);
    vi.advanceTimersByTime(1_500);
    sockets[1]!.resetAndDestroy();
    await until(() => sockets.length === 3);
    vi.advanceTimersByTime(400);
    await aRoundTrip();
    expect(ended).toBeUndefined();
    vi.advanceTimersByTime(200);
    await until(() => ended !== undefined);
    expect(ended).toMatchObject({ kind: 'failed', reason: 'No response within 2 s.' });
  });
});

test('bytes after a response are not taken as the response to the next request', async () => {
  const receiver = await startReceiver({
    onRequest: (socket, { connection }) =>
      socket.write(connection === 1 ? `${ok}HTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n` : ok),
  });
  const channel = openChannel();
  for (let i = 0; i < 5; i++)
    expect(await channel.post(receiver.url)).toMatchObject({ kind: 'delivered', statusCode: 200 });
});
