// Holds a lock by a second connection, so that a request which needs what is locked cannot go on until it is let go:
// what happens between two requests is then decided by the test, not by luck.

import type { TestService } from './test-service.ts';

export interface HeldLock {
  /** Until this many connections of the database wait for a lock. */
  waiters(count: number): Promise<void>;
  /** Carries out the statement, if there is one, and lets go. */
  letGo(statement?: string): Promise<void>;
}

export function holdRow(service: TestService, table: string, key: number, schema = 'flaghoist'): Promise<HeldLock> {
  return hold(service, `select from ${schema}.${table} where key = ${key} for update`);
}

/** Others can read the table but not write to it. */
export function holdTable(service: TestService, table: string): Promise<HeldLock> {
  return hold(service, `lock table ${table} in share mode`);
}

/** Others can neither read nor write the table. */
export function holdReads(service: TestService, table: string): Promise<HeldLock> {
  return hold(service, `lock table ${table} in access exclusive mode`);
}

async function hold({ database: { pool } }: TestService, statement: string): Promise<HeldLock> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(statement);
  const isWaitedFor = async (wanted: number): Promise<boolean> => {
    const { rows } = await pool.query(
      "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows[0].count >= wanted;
  };
  return {
    waiters: async (wanted) => {
      for (let looks = 0; looks < looksMax; looks += 1) if (await isWaitedFor(wanted)) return;
      throw new Error(`Nobody waits for what is held by "${statement}".`);
    },
    letGo: async (last = 'select') => {
      await client.query(last);
      await client.query('commit');
      client.release();
    },
  };
}

const looksMax = 10_000;
