// A CONNECT proxy for tests, on loopback, with a log of what it was asked for. It resolves names as a test says.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ConnectProxy {
  port: number;
  /** `agent.example:443`, in order. */
  asked: string[];
  credentials: (string | undefined)[];
  /** Requests that were not CONNECT. */
  others: number;
}

export interface ProxyWishes {
  /** Host and port → port on loopback; the same port if not set. */
  ports?: Record<string, number>;
  /** Answers instead of a tunnel. */
  answer?: string;
  /** Hosts and ports that are not answered. */
  silentFor?: readonly string[];
}

export async function startProxy({ ports = {}, answer, silentFor = [] }: ProxyWishes = {}): Promise<ConnectProxy> {
  const proxy: ConnectProxy = { port: 0, asked: [], credentials: [], others: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => {
    proxy.others += 1;
    response.writeHead(405).end();
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    proxy.asked.push(url);
    proxy.credentials.push(headers['proxy-authorization']);
    client.on('error', () => undefined);
    sockets.add(client);
    if (silentFor.includes(url)) return;
    if (answer !== undefined) return void client.end(answer);
    const target = connect(ports[url] ?? Number(url.replace(/.*:/, '')), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    sockets.add(target);
    target.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}
