// Opens a connection to one of the servers of a NATS cluster, with the credentials of a subscription. Servers that the
// cluster announces are ignored: only those that the subscriber has listed are connected to.

import {
  type Authenticator,
  type ConnectionOptions,
  jwtAuthenticator,
  type NatsConnection,
  NatsConnectionImpl,
  setTransportFactory,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import type { GuardedConnect } from '../guard/guarded-connector.ts';
import type { OpenTls, TlsIdentity } from '../guard/open-tls.ts';
import { parseCredentials } from './credentials.ts';
import { type GuardedOptions, GuardedTransport } from './guarded-transport.ts';
import type { NatsServer } from './nats-servers.ts';

export interface NatsIdentity {
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The text of a `.creds` file. */
  readonly credentials: string | undefined;
  readonly clientCertificate: TlsIdentity | undefined;
}

export interface ConnectNatsParts {
  connect: GuardedConnect;
  openTls: OpenTls;
  /** Covers all servers together. */
  timeoutMs: number;
}

/** Tries the servers in random order. If none can be connected to, throws the error of the first one. */
export async function connectNats(
  servers: readonly NatsServer[],
  identity: NatsIdentity,
  parts: ConnectNatsParts,
): Promise<NatsConnection> {
  const endsAtMs = performance.now() + parts.timeoutMs;
  const shuffled = shuffle(servers);
  let first: unknown;
  for (const [index, server] of shuffled.entries()) {
    // Divide the remaining time, so that a dead server leaves time for the next ones.
    const withinMs = Math.max(1, (endsAtMs - performance.now()) / (shuffled.length - index));
    try {
      return await connectOne(server, identity, { ...parts, timeoutMs: withinMs });
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

async function connectOne(
  server: NatsServer,
  identity: NatsIdentity,
  { connect, openTls, timeoutMs: timeout }: ConnectNatsParts,
): Promise<NatsConnection> {
  const { hostname, port, isTls } = server;
  const { clientCertificate } = identity;
  const options: GuardedOptions = {
    ...authentication(identity),
    servers: `${hostname}:${port}`,
    name: 'Flaghoist',
    timeout,
    reconnect: false,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
    guarded: {
      connect: (signal) => connect({ protocol: 'nats:', hostname, port }, undefined, signal),
      // Verified against the host in the URL, like HTTPS.
      startTls: (socket, signal) =>
        openTls(
          socket,
          { hostname, port: Number(port), identity: clientCertificate },
          { endsAtMs: performance.now() + timeout, signal },
        ),
      isTlsRequired: isTls || clientCertificate !== undefined,
    },
  };
  setTransportFactory({ factory: () => new GuardedTransport() });
  return await NatsConnectionImpl.connect(options);
}

function authentication(identity: NatsIdentity): Pick<ConnectionOptions, 'authenticator'> {
  const authenticator = authenticatorOf(identity);
  return authenticator ? { authenticator } : {};
}

/** A password without a user is a token. */
function authenticatorOf({ username, password, credentials: text }: NatsIdentity): Authenticator | undefined {
  const credentials = text === undefined ? undefined : parseCredentials(text);
  if (credentials) return jwtAuthenticator(credentials.jwt, credentials.seed);
  if (username !== undefined) return usernamePasswordAuthenticator(username, password ?? '');
  return password === undefined ? undefined : tokenAuthenticator(password);
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
