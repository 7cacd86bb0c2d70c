// Servers that are silent, that drop connections, that talk nonsense or without end: each attempt ends in time with a
// reason, and no connection is left.

import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startReceiver } from '../channels/receiver.ts';
import { subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '1' });

const info = (more: object = {}) =>
  `INFO ${JSON.stringify({ server_id: 'x', version: '2.12.0', headers: true, max_payload: 1e6, ...more })}\r\n`;

/** The headers of a message end like those of HTTP, which the receiver would answer. */
const onRequest = () => undefined;

/** Greets like a NATS server, and answers PING. */
function greet(socket: Socket, onPublish: (inbox: string) => void): void {
  socket.write(info());
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    if (/^PING\r$/m.test(text)) socket.write('PONG\r\n');
    const inbox = /^HPUB \S+ (\S+) /m.exec(text)?.[1];
    if (inbox) onPublish(inbox);
  });
}

const reply = (socket: Socket, inbox: string, text: string) =>
  socket.write(`MSG ${inbox} 1 ${Buffer.byteLength(text)}\r\n${text}\r\n`);

test.each<[string, (socket: Socket) => void, RegExp]>([
  ['is silent', () => undefined, /^No connection to the NATS server within 1 s\.$/],
  ['closes at once', (socket) => socket.destroy(), /closed|connection/i],
  ['speaks HTTP', (socket) => socket.write('HTTP/1.1 400 No\r\n\r\n'), /does not speak the protocol of NATS/],
  ['greets with no JSON', (socket) => socket.write('INFO {oops}\r\n'), /does not speak the protocol of NATS/],
  ['greets without end', (socket) => socket.write('x'.repeat(200_000)), /does not speak the protocol of NATS/],
  ['greets with a version that is none', (socket) => socket.write(info({ version: '?' })), /connection|NATS/i],
  ['greets and is silent', (socket) => socket.write(info()), /^No connection to the NATS server within 1 s\.$/],
  ['requires TLS and has none', (socket) => socket.write(info({ tls_required: true })), /No connection|TLS/],
  ['does not acknowledge', (socket) => greet(socket, () => undefined), /^No acknowledgement of the stream within 1 s/],
  ['closes on every message', (socket) => greet(socket, () => socket.destroy()), /closed|acknowledgement/],
  [
    'answers something else',
    (socket) => greet(socket, (inbox) => reply(socket, inbox, '{"stream":7}')),
    /^The answer is not an acknowledgement of a stream\.$/,
  ],
  [
    'answers nonsense',
    (socket) => greet(socket, (inbox) => reply(socket, inbox, 'no JSON')),
    /^The answer is not an acknowledgement of a stream\.$/,
  ],
  [
    'breaks the protocol',
    (socket) => greet(socket, () => socket.write('MSG x y z\r\n{"level":60,"msg":"forged"}\r\n')),
    /closed|acknowledgement/,
  ],
  [
    'answers without end',
    (socket) =>
      greet(socket, (inbox) => {
        socket.write(`MSG ${inbox} 1 1000000000\r\n`);
        for (let i = 0; i < 100; i += 1) socket.write(Buffer.alloc(100_000, 'x'));
      }),
    /closed|more than an acknowledgement|acknowledgement/,
  ],
])('a server that %s: the attempt fails in time, and nothing is printed or left open', async (_, onConnect, reason) => {
  const printed = vi.spyOn(console, 'log');
  onTestFinished(() => printed.mockRestore());
  const server = await startReceiver({ onConnect, onRequest });
  const { key } = await subscribeTo(service, {
    channelInfo: { channelType: 'NATS', URL: `nats://127.0.0.1:${server.port}` },
  });
  const answer = await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {});
  expect(answer.body).toMatchObject({ isDelivered: false, errorMessage: expect.stringMatching(reason) });
  expect(printed.mock.calls).toEqual([]);
  // A connection on which nothing went wrong yet is kept for the next attempt. The last of several may be such a one.
  const keptMax = /something else|nonsense|on every message/.test(expect.getState().currentTestName!) ? 1 : 0;
  await expect.poll(() => server.connections.size, { timeout: 5_000 }).toBeLessThanOrEqual(keptMax);
});

test('what a server says is masked where it repeats the password', async () => {
  const password = 'planted-5512aa90fe';
  service.secrets.plant('a password of NATS', password);
  const error = { code: 400, err_code: 10_054, description: `you sent ${password}` };
  const server = await startReceiver({
    onRequest,
    onConnect: (socket) =>
      greet(socket, (inbox) => reply(socket, inbox, JSON.stringify({ stream: password, seq: 0, error }))),
  });
  const { key } = await subscribeTo(service, {
    channelInfo: { channelType: 'NATS', URL: `nats://127.0.0.1:${server.port}` },
    webhookUsername: 'fleet',
    webhookPassword: password,
  });
  const answer = await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {});
  expect(answer.body).toMatchObject({ isDelivered: false, answer: 'you sent ***' });
});

test('a server that requires TLS, or not: tls:// never goes on without it', async () => {
  const server = await startReceiver({ onRequest, onConnect: (socket) => greet(socket, () => undefined) });
  const { key } = await subscribeTo(service, {
    channelInfo: { channelType: 'NATS', URL: `tls://127.0.0.1:${server.port}` },
  });
  const answer = await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {});
  expect(answer.body.errorMessage).toBe(
    'The NATS server does not offer TLS, which tls:// and client certificates need.',
  );
  expect(server.requests).toEqual([]);
});
