// All SQL that a restore runs on whole tables, besides that of the catalogue.

import type { ClientBase } from 'pg';
import { allSchemas, columnsOf, nameOf, readTables, type StoredTable } from './catalogue-table.ts';

/** The schemas of Flaghoist that exist. Returns none if the database is empty. */
export async function readSchemas(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1) order by 1',
    [allSchemas],
  );
  return rows.map(({ name }) => name);
}

/** The tables that have triggers, quoted. */
export async function readTriggered(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct g.tgrelid::regclass::text as name from pg_trigger g join pg_class c on c.oid = g.tgrelid
     join pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal and n.nspname = any($1)`,
    [allSchemas],
  );
  return rows.map(({ name }) => name);
}

/** Their owner may do this without being a superuser. */
export async function switchTriggers(
  client: ClientBase,
  names: readonly string[],
  how: 'disable' | 'enable',
): Promise<void> {
  for (const name of names) await client.query(`alter table ${name} ${how} trigger user`);
}

export async function createDay(client: ClientBase, table: StoredTable, day: string): Promise<void> {
  await client.query('select flaghoist_system.create_day_partition($1::regclass, $2::date)', [nameOf(table), day]);
}

export async function emptyTables(client: ClientBase, tables: readonly StoredTable[]): Promise<void> {
  await client.query(`truncate ${tables.map(nameOf).join(', ')}`);
}

export function copyIn(table: StoredTable): string {
  return `copy ${nameOf(table)} (${columnsOf(table)}) from stdin`;
}

/** The model is applied as to tables that were built from another one. */
export async function forgetModel(client: ClientBase): Promise<void> {
  await client.query('delete from flaghoist_system.applied_model');
}

/** Plans must not wait for the first autovacuum. */
export async function analyze(client: ClientBase): Promise<void> {
  await client.query(`analyze ${(await readTables(client)).map(nameOf).join(', ')}`);
}
