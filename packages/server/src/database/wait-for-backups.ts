// Tables are changed while no backup reads them. A statement that changes a table waits for the locks of a backup, and
// all reads and writes of the table queue behind it. So a migration waits for the end of the backup before it locks any
// table, and new backups wait for the end of the migration.

import type { ClientBase } from 'pg';
import { advisoryLocks } from './advisory-locks.ts';

export async function waitForBackups(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.days]);
}
