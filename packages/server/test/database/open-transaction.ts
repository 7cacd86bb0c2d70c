// A transaction that a test keeps open while others go on.

import type pg from 'pg';
import { onTestFinished } from 'vitest';

export interface OpenTransaction {
  run(sql: string): Promise<pg.QueryResult>;
  commit(): Promise<void>;
}

/** What it does fails instead of waiting for ever. It is rolled back if the test ends before. */
export async function openTransaction(pool: pg.Pool, level = 'read committed'): Promise<OpenTransaction> {
  const client = await pool.connect();
  let isOpen = true;
  const end = async (how: string) => {
    if (!isOpen) return;
    isOpen = false;
    try {
      await client.query(how);
    } finally {
      client.release();
    }
  };
  onTestFinished(() => end('rollback'));
  await client.query(`begin isolation level ${level}; set local lock_timeout = '10s'`);
  return { run: (sql) => client.query(sql), commit: () => end('commit') };
}
