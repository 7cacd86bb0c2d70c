// Opens connections for notifications, only to addresses that were checked. A name is resolved once, rejected if any of
// its addresses is forbidden, and connected to by one of these addresses. The address is checked again after the
// connect, and TLS is verified against the name.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { AddressPolicy } from './address-policy.ts';
import type { HostResolver } from './host-resolver.ts';

export interface GuardedConnectorParts {
  policy: AddressPolicy;
  resolver: HostResolver;
  /** Covers all addresses of a name together, including TLS. */
  timeoutMs: number;
}

export interface Endpoint {
  protocol: string;
  /** As in the URL; an IPv6 address with or without brackets. */
  hostname: string;
  /** Empty for the default port of the protocol. */
  port: string;
}

export type GuardedConnect = (endpoint: Endpoint, signal: AbortSignal) => Promise<Socket>;

export type ConnectProblem = 'no address' | 'no resolver' | 'no connection' | 'given up';

export class ConnectError extends Error {
  readonly problem: ConnectProblem;

  constructor(problem: ConnectProblem, message: string = problem) {
    super(message);
    this.problem = problem;
  }
}

export function createGuardedConnector({ policy, resolver, timeoutMs }: GuardedConnectorParts): GuardedConnect {
  const sessions: TlsSessions = new LRUCache({ max: 1_000 });
  return async (endpoint, signal) => {
    const addresses = await checkedAddresses(endpoint.hostname, policy, resolver);
    const endsAtMs = performance.now() + timeoutMs;
    let first: unknown;
    for (const [index, address] of addresses.entries()) {
      // Divide the remaining time, so that a dead address leaves time for the next ones.
      const withinMs = (endsAtMs - performance.now()) / (addresses.length - index);
      try {
        return await open({ endpoint, address, policy, sessions, withinMs, signal });
      } catch (error) {
        // The error of the first address says most. A later one may only say, for example, that this machine has no
        // IPv6.
        first ??= error;
        if (signal.aborted || hasAnswered(error)) break;
      }
    }
    throw first;
  };
}

/** A name may have hundreds of addresses; only the first few are tried. */
const addressesTried = 4;

async function checkedAddresses(
  hostname: string,
  policy: AddressPolicy,
  resolver: HostResolver,
): Promise<readonly string[]> {
  const resolved = await resolver.resolve(hostname);
  if (resolved.kind === 'no-resolver') throw new ConnectError('no resolver', resolved.reason);
  if (resolved.kind === 'unknown') throw new ConnectError('no address');
  if (!resolved.addresses.every((address) => policy.isAllowed(address))) throw new ConnectError('no address');
  return resolved.addresses.slice(0, addressesTried);
}

type TlsSessions = LRUCache<string, Buffer>;

interface Opening {
  endpoint: Endpoint;
  address: string;
  policy: AddressPolicy;
  sessions: TlsSessions;
  withinMs: number;
  signal: AbortSignal;
}

function open(opening: Opening): Promise<Socket> {
  const { endpoint, policy, withinMs, signal } = opening;
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new ConnectError('given up');
    const isTls = endpoint.protocol === 'https:';
    const socket = isTls ? openTls(opening) : openTcp(opening);
    const fail = (error: Error): void => {
      settle();
      socket.destroy();
      reject(error);
    };
    const giveUp = (): void => fail(new ConnectError('given up'));
    const timer = setTimeout(() => fail(new ConnectError('no connection')), Math.max(0, withinMs));
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    signal.addEventListener('abort', giveUp);
    // The listener stays: until the client adds its own, an unhandled error would end the process.
    socket.on('error', fail);
    socket.once('connect', () => {
      if (!policy.isAllowed(socket.remoteAddress ?? '')) fail(new ConnectError('no address'));
    });
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      settle();
      resolve(socket);
    });
  });
}

function openTcp({ endpoint, address }: Opening): Socket {
  return connectTcp({ host: address, port: Number(endpoint.port || 80), ...socketOptions });
}

function openTls({ endpoint, address, sessions }: Opening): Socket {
  const port = Number(endpoint.port || 443);
  // RFC 6066 §3: no trailing dot, and never an IP address.
  const name = endpoint.hostname.replace(/\.$/, '');
  const servername = isIP(address) !== 0 && name.replace(/^\[(.*)\]$/, '$1') === address ? undefined : name;
  const key = `${servername ?? address}:${port}`;
  const session = sessions.get(key);
  const socket = connectTls({
    host: address,
    port,
    ...socketOptions,
    ...(servername === undefined ? {} : { servername }),
    ...(session ? { session } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
  });
  socket.on('session', (fresh) => sessions.set(key, fresh));
  const forget = () => sessions.delete(key);
  socket.once('error', forget);
  socket.once('secureConnect', () => socket.off('error', forget));
  return socket;
}

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

/** A server answered at this address and the failure came later, so other addresses would fail in the same way. */
function hasAnswered(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return !(error instanceof ConnectError) && !isConnectFault.test(code);
}

const isConnectFault =
  /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL|EAFNOSUPPORT)$/;
