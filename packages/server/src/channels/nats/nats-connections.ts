// Shares connections to NATS servers: one for each list of servers and credentials. A connection is opened when it is
// needed, and closed when it was idle for a while.

import { hash } from 'node:crypto';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ConnectError } from '../guard/connect-error.ts';
import { type ConnectNatsParts, connectNats, type NatsIdentity } from './connect-nats.ts';
import { parseServers } from './nats-servers.ts';

export interface OpenNats {
  readonly connection: NatsConnection;
  readonly jetStream: JetStreamClient;
}

interface Link {
  /** Undefined: not connected. */
  opening: Promise<OpenNats> | undefined;
  users: number;
  idleTimer: NodeJS.Timeout | undefined;
}

const idleMs = 60_000;
/** Idle connections beyond this number are closed. */
const natsConnectionsMax = 256;

export class NatsConnections {
  readonly #parts: ConnectNatsParts;
  /** The least recently used first. */
  readonly #links = new Map<string, Link>();
  #isClosed = false;

  constructor(parts: ConnectNatsParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#links.size;
  }

  /** Keeps the connection open while `use` runs. `use` may ask for it again if it was lost. */
  async use<T>(url: string, identity: NatsIdentity, use: (open: () => Promise<OpenNats>) => Promise<T>): Promise<T> {
    const key = keyOf(url, identity);
    const link = this.#take(key);
    try {
      return await use(() => this.#open(link, url, identity));
    } finally {
      link.users -= 1;
      if (link.users === 0) link.idleTimer = setTimeout(() => this.#close(key), idleMs).unref();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#links.keys()]) this.#close(key);
  }

  #take(key: string): Link {
    const link = this.#links.get(key) ?? { opening: undefined, users: 0, idleTimer: undefined };
    clearTimeout(link.idleTimer);
    link.users += 1;
    this.#links.delete(key);
    this.#links.set(key, link);
    if (this.#links.size > natsConnectionsMax) this.#closeIdle();
    return link;
  }

  #open(link: Link, url: string, identity: NatsIdentity): Promise<OpenNats> {
    if (link.opening) return link.opening;
    const opening = this.#connect(url, identity);
    link.opening = opening;
    const forget = (): void => {
      if (link.opening === opening) link.opening = undefined;
    };
    opening.then(({ connection }) => connection.closed().then(forget), forget);
    return opening;
  }

  async #connect(url: string, identity: NatsIdentity): Promise<OpenNats> {
    if (this.#isClosed) throw new ConnectError('given up');
    const connection = await connectNats(parseServers(url) ?? [], identity, this.#parts);
    return { connection, jetStream: jetstream(connection) };
  }

  #closeIdle(): void {
    const [key] = [...this.#links].find(([, { users }]) => users === 0) ?? [];
    if (key !== undefined) this.#close(key);
  }

  #close(key: string): void {
    const link = this.#links.get(key);
    this.#links.delete(key);
    clearTimeout(link?.idleTimer);
    link?.opening?.then(({ connection }) => connection.close()).catch(() => undefined);
  }
}

/** A hash, so that no secret is kept as a key. */
function keyOf(url: string, { username, password, credentials, clientCertificate }: NatsIdentity): string {
  return hash('sha256', JSON.stringify([url, username, password, credentials, clientCertificate?.id]), 'base64url');
}
