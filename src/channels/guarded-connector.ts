// Opens the connections over which notifications leave, to no other address than one that was checked: a name is resolved once,
// refused if any of its addresses is forbidden, and what is connected to is one of these very addresses, looked at once more when
// the connection stands. TLS is verified against the name.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { AddressPolicy } from './address-policy.ts';
import type { HostResolver } from './host-resolver.ts';

export interface GuardedConnectorParts {
  policy: AddressPolicy;
  resolver: HostResolver;
  /** For all addresses of a name together, with TLS. */
  timeoutMs: number;
}

export interface Endpoint {
  protocol: string;
  /** As in the URL, an IPv6 address with its brackets or without. */
  hostname: string;
  /** Empty: that of the protocol. */
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
      // So that a dead address leaves time for those behind it.
      const withinMs = (endsAtMs - performance.now()) / (addresses.length - index);
      try {
        return await open({ endpoint, address, policy, sessions, withinMs, signal });
      } catch (error) {
        // The first address is the best known one: what is wrong with it tells more than, say, that we have no IPv6.
        first ??= error;
        if (signal.aborted || hasAnswered(error)) break;
      }
    }
    throw first;
  };
}

/** More are not tried: a name may have hundreds. */
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
    // It stays: between here and the client, too, an error without a listener would end the process.
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
  // RFC 6066 §3: no dot at the end, and never an address.
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
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
  });
  socket.on('session', (fresh) => sessions.set(key, fresh));
  const forget = () => sessions.delete(key);
  socket.once('error', forget);
  socket.once('secureConnect', () => socket.off('error', forget));
  return socket;
}

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

/** Somebody is at that address, and another address would say the same; what failed came later. */
function hasAnswered(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return !(error instanceof ConnectError) && !isConnectFault.test(code);
}

const isConnectFault =
  /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL|EAFNOSUPPORT)$/;
