// The connections to receivers: kept open for a while after an answer and used again, those used last first, and bounded in
// number over all receivers together.

import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { GuardedConnect } from './guarded-connector.ts';

export interface ConnectionPoolParts {
  connect: GuardedConnect;
  /** Idle ones make room for new ones; those in use are as many as whoever sends lets them be. */
  connectionsMax: number;
}

const idleMs = 10_000;
/** Who has enough opens no more then; the rest is for those that have none. */
export const crowdedPart = 0.75;
export const headerBytesMax = 16_384;

export class ConnectionPool {
  readonly #parts: ConnectionPoolParts;
  readonly #all = new Set<Connection>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Connection>();
  readonly #idleByOrigin = new Map<string, Connection[]>();

  constructor(parts: ConnectionPoolParts) {
    this.#parts = parts;
  }

  /** Whether so many are open that soon a new one costs another receiver one of its own. */
  get isCrowded(): boolean {
    return this.#all.size >= crowdedPart * this.#parts.connectionsMax;
  }

  take(origin: string): Connection {
    const connection = this.#idleByOrigin.get(origin)?.at(-1);
    if (!connection) return this.open(origin);
    this.#markBusy(connection);
    return connection;
  }

  /** One that nobody has used before. */
  open(origin: string): Connection {
    for (const oldest of this.#idle) {
      if (this.#all.size < this.#parts.connectionsMax) break;
      this.discard(oldest);
    }
    const connection: Connection = new Connection(origin, this.#parts.connect, () => {
      if (this.#idle.has(connection)) this.discard(connection);
    });
    this.#all.add(connection);
    return connection;
  }

  /** After an answer that was read to its end. */
  release(connection: Connection): void {
    // What the receiver answered before it had read it all may stay unread for ever, and the next request behind it.
    if (connection.isSending) this.discard(connection);
    if (!this.#all.has(connection)) return;
    this.#idle.add(connection);
    const idle = this.#idleByOrigin.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idleByOrigin.set(connection.origin, [connection]);
  }

  discard(connection: Connection): void {
    this.#markBusy(connection);
    this.#all.delete(connection);
    connection.destroy();
  }

  destroy(): void {
    for (const connection of this.#all) this.discard(connection);
  }

  #markBusy(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const idle = this.#idleByOrigin.get(connection.origin)!;
    idle.splice(idle.lastIndexOf(connection), 1);
    if (idle.length === 0) this.#idleByOrigin.delete(connection.origin);
  }
}

/** One for all: where receivers are dead there are many a second, and what is costly about an error is its stack. */
const discarded = new Error('The connection is not used any more.');

/** A client with one socket at a time; it opens another where the receiver has closed the last one after an answer. */
export class Connection {
  readonly origin: string;
  readonly client: Client;
  /** How many answers came over the present socket. */
  answers = 0;
  #socket: Socket | undefined;
  #connecting: AbortController | undefined;

  constructor(origin: string, connect: GuardedConnect, onDisconnect: () => void) {
    this.origin = origin;
    this.client = new Client(origin, {
      connect: (endpoint, callback) => {
        this.answers = 0;
        this.#connecting = new AbortController();
        connect(endpoint, this.#connecting.signal).then(
          (socket) => {
            this.#connecting = undefined;
            this.#socket = socket;
            callback(null, socket);
          },
          (error) => {
            this.#connecting = undefined;
            callback(error, null);
          },
        );
      },
      pipelining: 1,
      maxHeaderSize: headerBytesMax,
      // One deadline over everything is kept by the channel: these two begin anew with every byte, and every 102.
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
