// Applies the numbered SQL files that a database does not have yet. A file never changes once it was applied.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ClientBase } from 'pg';
import { OperatorError } from '../errors.ts';
import { waitForBackups } from './wait-for-backups.ts';

/** The same relative path from `src/database` and from `dist/database`. */
const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));

const migrationTableSql = `
  create schema if not exists flaghoist_system;
  create table if not exists flaghoist_system.migration (
    name text primary key, digest text not null, applied_at timestamptz not null default now()
  )`;

export interface MigrationFile {
  name: string;
  digest: string;
}

/** The files of this version, in their order. */
export async function listMigrationFiles(): Promise<MigrationFile[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map(async (name) => ({ name, digest: digestOf(await readSql(name)) })));
}

/** All SQL that creates the tables of this version, but for those of the model. */
export async function readMigrationText(): Promise<string> {
  const files = await listMigrationFiles();
  return [migrationTableSql, ...(await Promise.all(files.map(({ name }) => readSql(name))))].join(';\n');
}

/** `only`: for the restore of a backup that was made before the others. */
export async function applyFiles(client: ClientBase, only?: ReadonlySet<string>): Promise<string[]> {
  await client.query(migrationTableSql);
  const { rows } = await client.query<{ name: string; digest: string }>(
    'select name, digest from flaghoist_system.migration',
  );
  const applied = new Map(rows.map(({ name, digest }) => [name, digest]));
  const files = await listMigrationFiles();
  rejectNewer(
    applied,
    files.map(({ name }) => name),
  );
  const steps: string[] = [];
  for (const { name, digest } of files) {
    if (applied.has(name)) {
      if (applied.get(name) !== digest)
        throw new OperatorError(
          `The migration ${name} was changed after it had been applied to this database. Restore the file as it was.`,
        );
      continue;
    }
    if (only && !only.has(name)) continue;
    await waitForBackups(client);
    await client.query(await readSql(name));
    await client.query('insert into flaghoist_system.migration (name, digest) values ($1, $2)', [name, digest]);
    steps.push(name);
  }
  return steps;
}

function rejectNewer(applied: Map<string, string>, files: string[]): void {
  const unknown = [...applied.keys()].filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `The database was migrated by a newer version of Flaghoist (${unknown.join(', ')}). Run that version, or ` +
        'restore a backup from before.',
    );
  }
}

function readSql(name: string): Promise<string> {
  return readFile(`${migrationsFolder}${name}`, 'utf8');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
