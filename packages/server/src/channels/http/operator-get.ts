// Sends requests to URLs that the operator has set: to any address, through the egress proxy if there is one, and
// with the certificate authorities of the operator. Without a proxy, the machine resolves names as for other programs.

import { Agent, type buildConnector, fetch, type RequestInit } from 'undici';
import type { Settings } from '../../config/settings-table.ts';
import { createTlsOpener, trustedBy } from '../guard/open-tls.ts';
import { openTunnel } from '../guard/open-tunnel.ts';

/** Follows no redirect, and keeps no connection. */
export type OperatorGet = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<OperatorResponse>;

/** The same with a body. */
export type OperatorPost = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<OperatorResponse>;

export type OperatorResponse = Awaited<ReturnType<typeof fetch>>;

const connectTimeoutMs = 5_000;

type EgressSettings = Pick<Settings, 'egressProxy' | 'certificateAuthorities'>;

export function createOperatorGet(settings: EgressSettings): OperatorGet {
  const send = createSend(settings);
  return (url, headers, signal) => send(url, { headers: { ...headers } }, signal);
}

export function createOperatorPost(settings: EgressSettings): OperatorPost {
  const send = createSend(settings);
  return (url, headers, body, signal) => send(url, { method: 'POST', headers: { ...headers }, body }, signal);
}

function createSend(settings: EgressSettings) {
  const connectorFor = createConnectors(settings);
  return (url: string, request: RequestInit, signal: AbortSignal): Promise<OperatorResponse> =>
    fetch(url, {
      ...request,
      redirect: 'error',
      signal,
      dispatcher: new Agent({ pipelining: 0, connect: connectorFor(signal) }),
    });
}

type Connect = buildConnector.connector | buildConnector.BuildOptions;

function createConnectors({
  egressProxy: proxy,
  certificateAuthorities: authorities,
}: EgressSettings): (signal: AbortSignal) => Connect {
  const ca = trustedBy(authorities);
  if (!proxy) return () => ({ timeout: connectTimeoutMs, rejectUnauthorized: true, ...(ca && { ca }) });
  const openTls = createTlsOpener(authorities, ['http/1.1']);
  return (signal) =>
    ({ protocol, hostname, port: given }, callback) => {
      const isTls = protocol === 'https:';
      const port = Number(given || (isTls ? 443 : 80));
      const limit = { endsAtMs: performance.now() + connectTimeoutMs, signal };
      const open = async () => {
        const socket = await openTunnel(proxy, `${hostname}:${port}`, limit);
        return isTls ? openTls(socket, { hostname, port, identity: undefined }, limit) : socket;
      };
      open().then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    };
}
