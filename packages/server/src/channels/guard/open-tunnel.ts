// Opens a tunnel to a host through the egress proxy, with CONNECT (RFC 9110 §9.3.6). Judges what is the fault of the
// proxy, which is the operator's, and what is the fault of the host.

import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { ProxyServer } from '../../config/proxy-url.ts';
import { ConnectError } from './connect-error.ts';
import type { Limit } from './when-open.ts';

/** `onAnswer` is called when the proxy has answered, whatever it says. */
export function openTunnel(
  proxy: ProxyServer,
  authority: string,
  { endsAtMs, signal }: Limit,
  onAnswer = () => {},
): Promise<Socket> {
  const request = httpRequest({
    host: proxy.host,
    port: proxy.port,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentialsOf(proxy) },
    agent: false,
  });
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const fail = (error: ConnectError): void => {
      settle();
      request.destroy();
      reject(error);
    };
    const giveUp = (): void => fail(new ConnectError('given up'));
    const endOverdue = (): void => fail(isConnected ? new ConnectError('no connection') : noProxy('ETIMEDOUT'));
    const timer = setTimeout(endOverdue, Math.max(0, endsAtMs - performance.now()));
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    signal.addEventListener('abort', giveUp);
    request.on('error', (error: NodeJS.ErrnoException) => fail(noProxy(error.code ?? error.message)));
    request.once('socket', (socket) =>
      socket.once('connect', () => {
        isConnected = true;
      }),
    );
    request.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      onAnswer();
      // Until the client adds its own listener, an unhandled error would end the process.
      socket.on('error', () => undefined);
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        return fail(judgeRefusal(statusCode));
      }
      settle();
      if (head.length > 0) socket.unshift(head);
      resolve(socket.setNoDelay(true).setKeepAlive(true, 60_000));
    });
    request.end();
    if (signal.aborted) giveUp();
  });
}

function credentialsOf({ login }: ProxyServer): Record<string, string> {
  if (!login) return {};
  const credentials = Buffer.from(`${login.user}:${login.password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${credentials}` };
}

/** What a proxy answers if it cannot or may not reach one host. Some answer 500 where others answer 502. */
const refusals: Readonly<Record<number, string>> = {
  403: 'it does not allow this host',
  500: 'it answered 500',
  502: 'it answered 502',
  503: 'it answered 503',
  504: 'it answered 504',
};

function judgeRefusal(statusCode: number): ConnectError {
  const refusal = refusals[statusCode];
  return refusal === undefined
    ? noProxy(statusCode === 407 ? 'it answered 407: check user and password' : `it answered ${statusCode}`)
    : new ConnectError('no tunnel', `The host cannot be reached through the proxy of this service: ${refusal}.`);
}

export function noProxy(why: string): ConnectError {
  return new ConnectError('no proxy', `The proxy of FLAGHOIST_EGRESS_PROXY cannot be used: ${why}.`);
}
