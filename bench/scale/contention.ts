// What PostgreSQL does under load: what its connections wait for, sampled, and the log that it writes (WAL).

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface Contention {
  /** Statements in progress at a time, on average, by what they wait for; `running`: nothing. */
  waits: Map<string, number>;
  walBytes: number;
}

const sampledEveryMs = 40;

const selectWaits = `
select coalesce(wait_event_type || ' ' || wait_event, 'running') as wait, count(*)::int as count
from pg_stat_activity
where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
group by 1`;

const selectWritten = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`;

const selectAllPids = 'select pid from pg_stat_activity where pid <> pg_backend_pid()';

export class ContentionWatch {
  readonly #client: pg.Client;
  readonly #counts = new Map<string, number>();
  #samples = 0;
  #writtenBefore = 0;
  #isStopping = false;
  #sampling: Promise<void> = Promise.resolve();

  constructor(databaseUrl: string) {
    this.#client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
  }

  async start(): Promise<void> {
    await this.#client.connect();
    this.#writtenBefore = await this.#written();
    this.#sampling = this.#sample();
  }

  /** All processes of the server, those for logging, cleaning and checkpoints too. */
  async serverPids(): Promise<number[]> {
    const { rows } = await this.#client.query<{ pid: number }>(selectAllPids);
    return rows.map(({ pid }) => pid);
  }

  async stop(): Promise<Contention> {
    this.#isStopping = true;
    await this.#sampling;
    const walBytes = (await this.#written()) - this.#writtenBefore;
    await this.#client.end();
    return {
      waits: new Map([...this.#counts].map(([wait, count]) => [wait, count / Math.max(1, this.#samples)])),
      walBytes,
    };
  }

  async #sample(): Promise<void> {
    while (!this.#isStopping) {
      const { rows } = await this.#client.query<{ wait: string; count: number }>(selectWaits);
      this.#samples += 1;
      for (const { wait, count } of rows) this.#counts.set(wait, (this.#counts.get(wait) ?? 0) + count);
      await sleep(sampledEveryMs);
    }
  }

  async #written(): Promise<number> {
    const { rows } = await this.#client.query<{ bytes: number }>(selectWritten);
    return rows[0]!.bytes;
  }
}
