// Opens connections for notifications, only to addresses that were checked. A name is resolved once, rejected if any of
// its addresses is forbidden, and connected to by one of these addresses. The address is checked again after the
// connect, before anything is sent. With a proxy, only the proxy is connected to: it resolves the name, and what the
// host name itself tells is checked before.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkTarget } from './check-target.ts';
import { ConnectError } from './connect-error.ts';
import type { Egress } from './egress.ts';
import { literalAddresses } from './literal-host.ts';
import { createTlsOpener, type TlsIdentity } from './open-tls.ts';
import { ProxyTunnels } from './proxy-tunnels.ts';
import { type Limit, whenOpen } from './when-open.ts';

export interface GuardedConnectorParts extends Egress {
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

export type GuardedConnect = (
  endpoint: Endpoint,
  identity: TlsIdentity | undefined,
  signal: AbortSignal,
) => Promise<Socket>;

export function createGuardedConnector(parts: GuardedConnectorParts): GuardedConnect {
  const openTls = createTlsOpener(parts.authorities, ['http/1.1']);
  const tunnels = parts.proxy && new ProxyTunnels(parts.proxy);
  return (endpoint, identity, signal) => {
    const isTls = endpoint.protocol === 'https:';
    const port = Number(endpoint.port || (isTls ? 443 : 80));
    const { hostname } = endpoint;
    const secure: Secure = async (socket, limit) =>
      isTls ? openTls(socket, { hostname, port, identity }, limit) : socket;
    const target = { endpoint, port, secure };
    return tunnels ? connectThrough(tunnels, target, parts, signal) : connectDirectly(target, parts, signal);
  };
}

type Secure = (socket: Socket, limit: Limit) => Promise<Socket>;

interface Target {
  endpoint: Endpoint;
  port: number;
  /** Starts TLS, if the protocol has it. */
  secure: Secure;
}

async function connectThrough(
  tunnels: ProxyTunnels,
  { endpoint, port, secure }: Target,
  { policy, timeoutMs }: GuardedConnectorParts,
  signal: AbortSignal,
): Promise<Socket> {
  const mistake = checkTarget(endpoint, literalAddresses(endpoint.hostname), policy);
  if (mistake !== undefined) throw new ConnectError('no address');
  const limit = { endsAtMs: performance.now() + timeoutMs, signal };
  return secure(await tunnels.open(`${bracketed(endpoint.hostname)}:${port}`, limit), limit);
}

function bracketed(hostname: string): string {
  return isIP(hostname) === 6 ? `[${hostname}]` : hostname;
}

async function connectDirectly(
  { endpoint, port, secure }: Target,
  parts: GuardedConnectorParts,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await checkedAddresses(endpoint.hostname, parts);
  const endsAtMs = performance.now() + parts.timeoutMs;
  let first: unknown;
  for (const [index, address] of addresses.entries()) {
    // Divide the remaining time, so that a dead address leaves time for the next ones.
    const nowMs = performance.now();
    const limit = { endsAtMs: nowMs + (endsAtMs - nowMs) / (addresses.length - index), signal };
    try {
      return await secure(await openTcp(address, port, parts, limit), limit);
    } catch (error) {
      // The error of the first address says most. A later one may only say, for example, that this machine has no
      // IPv6.
      first ??= error;
      if (signal.aborted || hasAnswered(error)) break;
    }
  }
  throw first;
}

/** A name may have hundreds of addresses; only the first few are tried. */
const addressesTried = 4;

async function checkedAddresses(hostname: string, { policy, resolver }: Egress): Promise<readonly string[]> {
  const resolved = await resolver.resolve(hostname);
  if (resolved.kind === 'no-resolver') throw new ConnectError('no resolver', resolved.reason);
  if (resolved.kind === 'unknown') throw new ConnectError('no address');
  if (!resolved.addresses.every((address) => policy.isAllowed(address))) throw new ConnectError('no address');
  return resolved.addresses.slice(0, addressesTried);
}

function openTcp(address: string, port: number, { policy }: Egress, limit: Limit): Promise<Socket> {
  const socket = connectTcp({
    host: address,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  return whenOpen(socket, 'connect', limit, () => {
    if (!policy.isAllowed(socket.remoteAddress ?? '')) throw new ConnectError('no address');
  });
}

/** A server answered at this address and the failure came later, so other addresses would fail in the same way. */
function hasAnswered(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return !(error instanceof ConnectError) && !isConnectFault.test(code);
}

const isConnectFault =
  /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL|EAFNOSUPPORT)$/;
