// Two PostgreSQL servers on this machine: a primary, and a standby that confirms every commit. The primary can be
// killed, the standby promoted, and the former primary replaced by a fresh copy as the new standby.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@flaghoist/embedded-postgres';
import {
  type BareServer,
  clusterFolder,
  readPassword,
  serverUrl,
  startBareServer,
} from '@flaghoist/embedded-postgres/inspect';
import pg from 'pg';
import { embeddedName, startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { freezeServer } from '../hardships/freeze-server.ts';
import { copyCluster } from './copy-cluster.ts';

interface Node {
  port: number;
  dataDir: string;
  server: BareServer;
}

const serverSettings = {
  wal_level: 'replica',
  max_wal_senders: '8',
  max_connections: '200',
  // Enough for a standby that is being made.
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '200ms',
};

export class PostgresPair {
  readonly #folder: string;
  readonly #password: string;
  readonly #nodes: Node[] = [];
  #copies = 0;
  /** The index of the server that is the primary, or was the last one. */
  primary = 0;

  /** `folder` must exist. */
  static async start(folder: string): Promise<PostgresPair> {
    const dataDir = join(folder, 'server-0');
    const first = await startEmbedded({ dataDir, observe: () => undefined });
    await first.stop();
    const pair = new PostgresPair(folder, (await readPassword(dataDir))!);
    const port = await findFreePort();
    const node = { port, dataDir, server: await startBareServer({ dataDir, port, settings: serverSettings }) };
    pair.#nodes.push(node);
    await pair.#awaitAnswer(0);
    await pair.makeStandby();
    return pair;
  }

  private constructor(folder: string, password: string) {
    this.#folder = folder;
    this.#password = password;
  }

  get standby(): number {
    return 1 - this.primary;
  }

  portOf(index: number): number {
    return this.#nodes[index]!.port;
  }

  urlOf(index: number): string {
    return serverUrl({ name: embeddedName, password: this.#password, port: this.portOf(index) });
  }

  /** Of both, in this order. */
  urlOfAll(order: readonly number[] = [0, 1]): string {
    const url = new URL(this.urlOf(0));
    return this.urlOf(0).replace(url.host, order.map((index) => `127.0.0.1:${this.portOf(index)}`).join(','));
  }

  /** kill -9 of its main process. The others end when they notice. */
  async killPrimary(): Promise<void> {
    const { server } = this.#nodes[this.primary]!;
    process.kill(server.pid!, 'SIGKILL');
    await server.exited;
  }

  /** Until the next `makeStandby`. The primary waits for it. */
  async stopStandby(): Promise<void> {
    await this.#nodes[this.standby]!.server.stop();
  }

  /** SIGSTOP of all its processes. Returns a function that lets them run again. */
  freezePrimary(): () => void {
    return freezeServer(this.#nodes[this.primary]!.dataDir);
  }

  /** The standby is the primary when this resolves, and waits for no other server. */
  async promote(): Promise<void> {
    await this.ask(this.standby, 'select pg_promote(true, 60)');
    this.primary = this.standby;
  }

  /** Replaces the former primary by a copy of the primary, which confirms every commit from then on. */
  async makeStandby(): Promise<void> {
    const index = this.standby;
    const former = this.#nodes[index];
    await former?.server.stop();
    this.#copies += 1;
    const dataDir = join(this.#folder, `server-${this.#copies}`);
    await this.#withClient(this.primary, (client) => copyCluster(client, this.#nodes[this.primary]!.dataDir, dataDir));
    const port = former?.port ?? (await findFreePort());
    const server = await startBareServer({ dataDir, port, settings: { ...serverSettings, ...this.#connection() } });
    this.#nodes[index] = { port, dataDir, server };
    if (former) await rm(former.dataDir, { recursive: true, force: true });
    await this.ask(this.primary, "alter system set synchronous_standby_names = '*'");
    await this.ask(this.primary, 'select pg_reload_conf()');
    await this.#awaitSynchronous();
    await this.#awaitAnswer(index);
  }

  /** Asks one server over a new connection. */
  ask(index: number, statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.#withClient(index, async (client) => (await client.query(statement, values)).rows);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map(({ server }) => server.stop()));
  }

  #connection(): Record<string, string> {
    const port = this.portOf(this.primary);
    return {
      primary_conninfo: `host=127.0.0.1 port=${port} user=${embeddedName} password=${this.#password}`,
    };
  }

  async #awaitSynchronous(): Promise<void> {
    const statement = "select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'";
    await this.#poll(this.standby, async () => (await this.ask(this.primary, statement)).length === 1);
  }

  #awaitAnswer(index: number): Promise<void> {
    const answers = () =>
      this.ask(index, 'select 1').then(
        () => true,
        () => false,
      );
    return this.#poll(index, answers);
  }

  /** Fails if the server ends meanwhile. */
  async #poll(index: number, isDone: () => Promise<boolean>): Promise<void> {
    const { server, dataDir } = this.#nodes[index]!;
    for (let tries = 0; !(await isDone()); tries += 1) {
      if (server.hasExited || tries > pollsMax)
        throw new Error(`The server in ${clusterFolder(dataDir)} is not ready:\n${server.output.recent.join('\n')}`);
      await sleep(pollMs);
    }
  }

  async #withClient<T>(index: number, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.urlOf(index) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

const pollMs = 50;
const pollsMax = 1_200;
