// A receiver for tests: a TCP server on loopback that parses requests itself and responds with any bytes.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { HostResolver, type HostResolverOptions } from '../../src/channels/guard/host-resolver.ts';
import { HttpChannel, type HttpChannelParts, type HttpMessage } from '../../src/channels/http/http-channel.ts';
import type { SendResult } from '../../src/channels/send-result.ts';

export interface ReceivedRequest {
  /** The request line and the headers, as they came. */
  head: string;
  body: string;
  /** Over which connection, from 1. */
  connection: number;
}

export interface Receiver {
  port: number;
  url: string;
  connections: Set<Socket>;
  /** How many there were in all. */
  accepted: number;
  requests: ReceivedRequest[];
}

export interface Behaviour {
  host?: string;
  onConnect?: (socket: Socket) => void;
  onRequest?: (socket: Socket, request: ReceivedRequest) => void;
}

export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Answers 200 to everything, unless told otherwise. Gone when the test is over. */
export async function startReceiver(behaviour: Behaviour = {}): Promise<Receiver> {
  const { host = '127.0.0.1', onConnect, onRequest = (socket) => socket.write(ok) } = behaviour;
  const receiver: Receiver = { port: 0, url: '', connections: new Set(), accepted: 0, requests: [] };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = ++receiver.accepted;
    receiver.connections.add(socket);
    socket.on('close', () => receiver.connections.delete(socket));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    readRequests(socket, (head, body) => {
      const request = { head, body, connection };
      receiver.requests.push(request);
      onRequest(socket, request);
    });
    onConnect?.(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of receiver.connections) socket.destroy();
  });
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://${host.includes(':') ? `[${host}]` : host}:${receiver.port}/hook`;
  return receiver;
}

function readRequests(socket: Socket, take: (head: string, body: string) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      const bodyEnd = headEnd + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (received.length < bodyEnd) return;
      const body = received.toString('utf8', headEnd + 4, bodyEnd);
      received = received.subarray(bodyEnd);
      take(head, body);
    }
  });
}

/** A port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface Channel extends Pick<HttpChannel, 'close'> {
  http: HttpChannel;
  send(message: HttpMessage): Promise<SendResult>;
  post(url: string, body?: string | Buffer): Promise<SendResult>;
}

export interface ChannelWishes extends Partial<Omit<HttpChannelParts, 'policy' | 'resolver'>>, HostResolverOptions {
  allowedTargets?: readonly string[];
}

/** Loopback is allowed, unless told otherwise. Closed when the test is over. */
export function openChannel(wishes: ChannelWishes = {}): Channel {
  const { allowedTargets = ['127.0.0.0/8', '::1/128'], dnsServers, hostsFile = '/nonexistent', ...others } = wishes;
  const channel = new HttpChannel({
    policy: createAddressPolicy(allowedTargets),
    resolver: new HostResolver({ dnsServers, hostsFile }),
    timeoutMs: 5_000,
    userAgent: 'Flaghoist/0.0.0',
    connectionsMax: 100,
    ...others,
  });
  onTestFinished(() => channel.close(0));
  const headers = ['content-type', 'application/json'];
  const send = (message: HttpMessage) => new Promise<SendResult>((resolve) => channel.send(message, resolve));
  return {
    http: channel,
    send,
    close: (graceMs) => channel.close(graceMs),
    post: (url, body = '{}') => send({ url, headers, body }),
  };
}

/** A failure before there was a status, with this reason. */
export function failure(reason: string): SendResult {
  return { kind: 'failed', reason, statusCode: null, answer: null, retryAfterMs: undefined };
}

export const closedEarly = failure('The connection was closed before a response arrived.');
export const noAddress = failure(
  'The host cannot be reached: its name has no address that notifications may be sent to.',
);
