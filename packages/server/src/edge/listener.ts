// The listening socket. It opens before anything else starts: a port in use is reported at once, and port 0 gets its
// number before links are built. Until the service is ready, every request except `/health/live` gets a 503.

import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { systemClock } from '../clock.ts';
import { ApiError, OperatorError } from '../errors.ts';
import { renderError } from '../render-error.ts';
import { pathOfTarget } from './request/reject-request.ts';
import { cutOffUnread } from './response/cut-off-unread.ts';
import { respondInOrder } from './response/respond-in-order.ts';

export interface Listener {
  server: Server;
  port: number;
  /** From now on, the service itself responds to requests. */
  serveWith(respond: RequestListener): void;
  close(stopTimeoutMs: number): Promise<void>;
}

export interface ListenerOptions {
  /** The URL of the service as seen from outside, if it differs. */
  baseUrl?: string | undefined;
  timeouts?: Timeouts;
}

interface Timeouts {
  /** Both count from the first byte of a connection or request: to the end of the headers and of the body. */
  headersMs: number;
  requestMs: number;
  checkedEveryMs: number;
  /** How long a response may wait without the client reading a byte of it. */
  unreadMs: number;
}

export async function openListener(host: string, port: number, options: ListenerOptions = {}): Promise<Listener> {
  const { baseUrl, timeouts = usualTimeouts } = options;
  const server = createHttpServer(timeouts);
  const sockets = followSockets(server);
  const listeningPort = await listen(server, host, port);
  const whileStarting = respondWhileStarting(baseUrl ?? localUrl(host, listeningPort));
  server.on('request', whileStarting);
  cutOffUnread(server, sockets, timeouts.unreadMs);
  return {
    server,
    port: listeningPort,
    serveWith: (respond) => void server.off('request', whileStarting).on('request', respondInOrder(respond)),
    close: (stopTimeoutMs) => close(server, sockets, stopTimeoutMs),
  };
}

export const usualTimeouts: Timeouts = {
  headersMs: 20_000,
  requestMs: 60_000,
  checkedEveryMs: 5_000,
  unreadMs: 20_000,
};

function createHttpServer({ headersMs, requestMs, checkedEveryMs }: Timeouts): Server {
  const server = createServer({
    // Our own check of the Host header (`reject-request.ts`) responds with a body; Node's check does not.
    requireHostHeader: false,
    maxHeaderSize: 16_384,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: checkedEveryMs,
  });
  // By default, Node silently drops every header after the 2000th. A second Host header could be among them.
  server.maxHeadersCount = 0;
  // By default, Node itself rejects an unknown expectation, without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** The URL for programs on this machine. */
export function localUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function respondWhileStarting(baseUrl: string): RequestListener {
  const starting = new ApiError('starting', 'The service is starting. Try again in a moment.');
  return (request, response) => {
    const { method = '' } = request;
    const target = pathOfTarget(request);
    // The process is live. A supervisor must not kill it because a migration takes long.
    if (target === '/health/live') {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"status":"live"}');
      return;
    }
    const { status, headers, body } = renderError(starting, { method, target }, baseUrl, systemClock);
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
    response.end(body);
  };
}

function followSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Returns the port: port 0 is any free one. */
function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} on ${host} is taken by another program. Stop it, or choose another port with ` +
          'FLAGHOIST_PORT (0 takes any free one).',
      );
    case 'EACCES':
      return new OperatorError(
        `Port ${port} on ${host} may not be opened by this user. Choose one above 1023 with FLAGHOIST_PORT.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(
        `This machine has no address ${host}. Set FLAGHOIST_HOST to one of its own, or to 0.0.0.0 for all.`,
      );
    default:
      return error;
  }
}

/**
 * Drops no accepted request. It stops accepting connections, then sends the pending responses, each with
 * `Connection: close`. Idle connections get a short grace period, because a request may already be on its way.
 */
async function close(server: Server, sockets: ReadonlySet<Socket>, stopTimeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  // http.Server.close would close idle connections at once.
  NetServer.prototype.close.call(server);
  const endIdle = () => {
    server.closeIdleConnections();
    // Node does not count a connection as idle before its first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const idle = setTimeout(endIdle, Math.min(idleGraceMs, stopTimeoutMs));
  const again = setInterval(endIdle, idleGraceMs);
  const last = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
  await closed;
  for (const timer of [idle, again, last]) clearTimeout(timer);
}

const idleGraceMs = 300;
