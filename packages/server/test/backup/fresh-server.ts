// A server of its own to restore into, as the embedded database of a new installation: its transaction ids begin low.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { startEmbedded } from '../../src/database/embedded-server.ts';
import type { TestDatabase } from '../support/test-database.ts';

export type RestoreTarget = Pick<TestDatabase, 'url' | 'pool'>;

/** To be called at the top of a test file. */
export function useFreshServer(): RestoreTarget {
  let started: RestoreTarget;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'flaghoist-fresh-'));
    const server = await startEmbedded({ dataDir, observe: () => undefined });
    const pool = new pg.Pool({ connectionString: server.url, max: 4 });
    pool.on('error', () => undefined);
    started = { url: server.url, pool };
    stop = async () => {
      await pool.end();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
  }, 60_000);
  afterAll(() => stop());
  return {
    get url() {
      return started.url;
    },
    get pool() {
      return started.pool;
    },
  };
}

/** Gives out ids of transactions, until this one is the next. */
export async function passTransactions(pool: pg.Pool, next: number): Promise<void> {
  await pool.query(`do $$ begin
    while pg_snapshot_xmax(pg_current_snapshot())::text::bigint < ${next} loop
      perform pg_current_xact_id();
      commit;
    end loop;
  end $$`);
}
