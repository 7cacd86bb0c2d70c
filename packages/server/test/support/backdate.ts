// Gives a row a stamp of long ago. Nobody can do so by an update, so the triggers are left out for a moment.

import type { Pool } from 'pg';

/** `table`: with its schema. */
export async function backdate(pool: Pool, table: string, key: number, moment: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(`update ${table} set modified_date = $2 where key = $1`, [key, moment]);
    await client.query('commit');
  } finally {
    client.release();
  }
}
