// All SQL that reads the snapshot of a backup, besides that of the catalogue.

import type { ClientBase } from 'pg';
import { advisoryLocks } from '../database/advisory-locks.ts';
import { selectAppliedModel } from '../database/applied-model.ts';
import type { MigrationFile } from '../database/apply-files.ts';
import { OperatorError } from '../errors.ts';
import { columnsOf, nameOf, readTables, type StoredTable } from './catalogue-table.ts';

/** The tables are locked before the snapshot is taken, so that they are in it as they are. */
export async function openSnapshot(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.days]);
  const tables = await readTables(client);
  await client.query('begin isolation level repeatable read read only');
  await client.query(`lock table ${tables.map(nameOf).join(', ')} in access share mode`);
  if (JSON.stringify(await readTables(client)) !== JSON.stringify(tables))
    throw new OperatorError('The tables were changed at this moment. Start the backup again.');
}

interface InstallationState {
  /** Of PostgreSQL. */
  version: string;
  /** Of the applied model; null: none. */
  digest: string | null;
  /** Of the encryption key; null: none is used yet. */
  proof: string | null;
  /** One past the highest id of a completed transaction. */
  next: string;
}

export async function readState(client: ClientBase): Promise<InstallationState> {
  const { rows } = await client.query<InstallationState>(
    `select current_setting('server_version') as version, (${selectAppliedModel().text}) as digest,
       (select proof from flaghoist_system.encryption_check) as proof,
       pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  );
  return rows[0]!;
}

export async function readMigrations(client: ClientBase): Promise<MigrationFile[]> {
  const { rows } = await client.query<MigrationFile>(
    'select name, digest from flaghoist_system.migration order by name collate "C"',
  );
  return rows;
}

export function copyOut(table: StoredTable): string {
  return `copy (select ${columnsOf(table)} from ${nameOf(table)}) to stdout`;
}
