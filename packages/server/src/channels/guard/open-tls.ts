// Starts TLS on a connection: verified against the name of the host, 1.2 or later, with the certificate of the
// subscription if it has one. Sessions are resumed, each only with the certificate that it was opened with.

import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { type Limit, whenOpen } from './when-open.ts';

/** The certificate that the service presents, and its key, as PEM. */
export interface TlsIdentity {
  /** The same for the same certificate and key, and different for all others. */
  readonly id: string;
  readonly certificate: string;
  readonly privateKey: string;
}

export interface TlsEndpoint {
  /** As in the URL; an IPv6 address with or without brackets. */
  hostname: string;
  port: number;
  identity: TlsIdentity | undefined;
}

export type OpenTls = (socket: Socket, endpoint: TlsEndpoint, limit: Limit) => Promise<TLSSocket>;

/** Each context has its own copy of the trusted certificates if the operator has added some. */
const contextsMax = 100;
const sessionsMax = 1_000;

/** `authorities`: trusted besides the built-in ones, as PEM. `protocols`: to be negotiated (ALPN). */
export function createTlsOpener(authorities: readonly string[] | undefined, protocols: string[]): OpenTls {
  const sessions = new LRUCache<string, Buffer>({ max: sessionsMax });
  const contextOf = createContexts(trustedBy(authorities));
  /** OpenSSL may reject a certificate. Nobody else would close the connection. */
  const contextFor = (socket: Socket, identity: TlsIdentity | undefined): SecureContext => {
    try {
      return contextOf(identity);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
  return async (socket, { hostname, port, identity }, limit) => {
    // RFC 6066 §3: no trailing dot, and never an IP address.
    const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    const key = `${name}:${port} ${identity?.id ?? ''}`;
    const session = sessions.get(key);
    const secureContext = contextFor(socket, identity);
    const secured = connect({
      socket,
      // Without `servername`, the certificate is verified against `host`.
      ...(isIP(name) === 0 ? { servername: name } : { host: name }),
      ...(session ? { session } : {}),
      secureContext,
      ...(protocols.length > 0 && { ALPNProtocols: protocols }),
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
    });
    secured.on('session', (fresh) => sessions.set(key, fresh));
    const forget = () => sessions.delete(key);
    secured.once('error', forget);
    secured.once('secureConnect', () => secured.off('error', forget));
    return whenOpen(secured, 'secureConnect', limit);
  };
}

/** For `ca`, which replaces the built-in authorities. Undefined: only those. */
export function trustedBy(authorities: readonly string[] | undefined): string[] | undefined {
  return authorities && [...rootCertificates, ...authorities];
}

/** Contexts are kept: with added authorities, each takes some 20 ms to create. */
function createContexts(ca: string[] | undefined): (identity: TlsIdentity | undefined) => SecureContext {
  const options = { minVersion: 'TLSv1.2', ...(ca && { ca }) } as const;
  const plain = createSecureContext(options);
  const contexts = new LRUCache<string, SecureContext>({ max: contextsMax });
  return (identity) => {
    if (!identity) return plain;
    const { id, certificate: cert, privateKey: key } = identity;
    const context = contexts.get(id) ?? createSecureContext({ ...options, cert, key });
    contexts.set(id, context);
    return context;
  };
}

/** OpenSSL rejects, for example, keys that are too short. */
export function isUsableForTls(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}
