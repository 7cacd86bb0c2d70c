// A PostgreSQL server that is killed and restarted repeatedly, and connections to it that are reopened.

import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedServer } from '@flaghoist/embedded-postgres';
import pg from 'pg';
import { isDatabaseAway } from '../../packages/server/src/database/database-away.ts';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';

export class KilledDatabase {
  readonly url: string;
  readonly #server: EmbeddedServer;

  static async start(dataDir: string): Promise<KilledDatabase> {
    return new KilledDatabase(await startEmbedded({ dataDir, observe: () => undefined }));
  }

  private constructor(server: EmbeddedServer) {
    this.#server = server;
    this.url = server.url;
  }

  /** Returns whether there was one to kill. */
  killServer(): boolean {
    const { pid } = this.#server;
    if (pid === undefined) return false;
    process.kill(pid, 'SIGKILL');
    return true;
  }

  /** A session of the service. The server then ends all others and recovers. */
  async killSession(): Promise<boolean> {
    const pid = await this.#busySession().catch(() => undefined);
    if (pid === undefined) return false;
    process.kill(pid, 'SIGKILL');
    return true;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  async #busySession(): Promise<number | undefined> {
    const connection = new KilledConnection(this.url);
    try {
      const rows = await connection.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'flaghoist' order by state_change desc limit 1`,
      );
      return rows[0]?.pid;
    } finally {
      await connection.end();
    }
  }
}

/** Waits for the server before a statement, but does not retry one: its result is unknown. */
export class KilledConnection {
  readonly #url: string;
  #client: pg.Client | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]> {
    this.#client ??= await this.#connect();
    try {
      return (await this.#client.query<T>(text, values)).rows;
    } catch (error) {
      if (isDatabaseAway(error)) await this.end();
      throw error;
    }
  }

  /** Only for statements that may run twice. */
  async ask<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]> {
    for (;;) {
      try {
        return await this.query<T>(text, values);
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
      }
    }
  }

  async end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    for (;;) {
      const client = new pg.Client({ connectionString: this.#url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return client;
      } catch (error) {
        await client.end().catch(() => undefined);
        if (!isDatabaseAway(error)) throw error;
        await sleep(pauseMs);
      }
    }
  }
}

const pauseMs = 50;
