// The connections to receivers. They stay open for a while after a response, the most recently used one is reused
// first, and one limit applies to all receivers together. A connection with a client certificate is reused only with
// the same certificate. Compared with the pools of undici in decision 18.

import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { GuardedConnect } from '../guard/guarded-connector.ts';
import type { TlsIdentity } from '../guard/open-tls.ts';

export interface Route {
  readonly origin: string;
  readonly identity: TlsIdentity | undefined;
}

const idleMs = 10_000;
const headerBytesMax = 16_384;

export class ConnectionPool {
  readonly #connect: GuardedConnect;
  readonly #connectionsMax: number;
  readonly #open = new Set<Connection>();
  /** By route. The route that was idle longest is first; of its connections, the one used last is last. */
  readonly #idle = new Map<string, Connection[]>();

  /** Idle connections are closed to stay within `connectionsMax`. The caller limits the connections in use. */
  constructor(connect: GuardedConnect, connectionsMax: number) {
    this.#connect = connect;
    this.#connectionsMax = connectionsMax;
  }

  get size(): number {
    return this.#open.size;
  }

  take(route: Route): Connection {
    const connection = this.#idle.get(keyOf(route))?.at(-1);
    if (!connection) return this.open(route);
    this.#removeIdle(connection);
    return connection;
  }

  /** Opens a connection that has not been used before. */
  open(route: Route): Connection {
    for (const [longestIdle] of this.#idle.values()) {
      if (this.#open.size < this.#connectionsMax) break;
      this.discard(longestIdle!);
    }
    const connection: Connection = new Connection(route, this.#connect, () => {
      if (this.#removeIdle(connection)) this.discard(connection);
    });
    this.#open.add(connection);
    return connection;
  }

  /** To be called after a response was read completely. */
  release(connection: Connection): void {
    // The receiver responded before it read the whole request. It may never read the rest, and the next request would
    // wait behind it.
    if (connection.isSending) this.discard(connection);
    if (!this.#open.has(connection)) return;
    const key = keyOf(connection.route);
    const idle = this.#idle.get(key);
    if (idle) idle.push(connection);
    else this.#idle.set(key, [connection]);
  }

  /** An exchange in progress ends with an error. */
  discard(connection: Connection): void {
    this.#removeIdle(connection);
    this.#open.delete(connection);
    connection.destroy();
  }

  destroy(): void {
    for (const connection of this.#open) this.discard(connection);
  }

  /** Returns whether the connection was idle. */
  #removeIdle(connection: Connection): boolean {
    const key = keyOf(connection.route);
    const idle = this.#idle.get(key);
    const index = idle?.lastIndexOf(connection) ?? -1;
    if (!idle || index < 0) return false;
    idle.splice(index, 1);
    if (idle.length === 0) this.#idle.delete(key);
    return true;
  }
}

function keyOf({ origin, identity }: Route): string {
  return identity ? `${origin} ${identity.id}` : origin;
}

/** One shared error: with dead receivers there are many per second, and the stack makes an error expensive. */
const discarded = new Error('The connection is not used any more.');

/** A client with one socket at a time. It opens a new socket if the receiver closed the last one after a response. */
export class Connection {
  readonly route: Route;
  readonly client: Client;
  /** How many responses came over the current socket. */
  responses = 0;
  #socket: Socket | undefined;
  #connecting: AbortController | undefined;

  constructor(route: Route, connect: GuardedConnect, onDisconnect: () => void) {
    this.route = route;
    this.client = new Client(route.origin, {
      connect: (endpoint, callback) => {
        this.responses = 0;
        this.#connecting = new AbortController();
        connect(endpoint, route.identity, this.#connecting.signal).then(
          (socket) => {
            this.#connecting = undefined;
            this.#socket = socket;
            callback(null, socket);
          },
          (error) => callback(error, null),
        );
      },
      pipelining: 1,
      maxHeaderSize: headerBytesMax,
      // The channel enforces one deadline for the whole exchange. These two restart with every byte and every 102.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      keepAliveTimeoutThreshold: 1_000,
    });
    this.client.on('disconnect', onDisconnect);
  }

  get isSending(): boolean {
    return (this.#socket?.writableLength ?? 0) > 0;
  }

  destroy(): void {
    this.#connecting?.abort(discarded);
    this.client.destroy(discarded, () => undefined);
  }
}
