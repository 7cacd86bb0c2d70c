// What tests of backups share: databases to restore into, the commands, and a comparison of all rows of two databases.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, expect } from 'vitest';
import type { Environment } from '../../src/config/load-settings.ts';
import { administratorSettings } from '../support/access.ts';
import { type Ending, runFlaghoist } from '../support/run-compiled.ts';

/** A folder for backups, gone after the tests. To be called at the top of a test file. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-backup-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function settingsOf(url: string, environment: Environment = {}): Environment {
  return { DATABASE_URL: url, FLAGHOIST_DATA_DIR: '/nonexistent', ...administratorSettings, ...environment };
}

/** Must succeed. Returns its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export async function succeed(args: string[], environment: Environment, program?: string): Promise<any> {
  const { code, stdout, stderr } = await runFlaghoist([...args, '--json'], environment, program);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** Must be refused, without a stack. Returns what it says. */
export async function refusal(args: string[], environment: Environment): Promise<string> {
  const { code, stdout, stderr }: Ending = await runFlaghoist(args, environment);
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

const tablesSql = `select format('%I.%I', c.relnamespace::regnamespace, c.relname) as name from pg_class c
  where c.relnamespace::regnamespace::text like 'flaghoist%' and c.relkind in ('r', 'p') and not c.relispartition
  order by 1`;

export async function tablesOf(pool: pg.Pool): Promise<string[]> {
  return (await pool.query<{ name: string }>(tablesSql)).rows.map(({ name }) => name);
}

/** Table → how many rows it has, and a digest of all of them. */
export async function contentsOf(pool: pg.Pool): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  for (const name of await tablesOf(pool)) {
    const { rows } = await pool.query(
      `select count(*) || ' rows ' || coalesce(md5(string_agg(d, '' order by d)), '') as digest
       from (select md5(t::text) as d from ${name} t) t`,
    );
    contents.set(name, rows[0].digest);
  }
  return contents;
}

/** What a restore changes: which model was applied when, and that the workers of the original are gone. */
export const changedByRestore = [
  'flaghoist_system.applied_model',
  'flaghoist_system.delivery_worker',
  'flaghoist_system.earlier_server',
];

export async function schemasOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query("select nspname from pg_namespace where nspname like 'flaghoist%'");
  return rows.map(({ nspname }) => nspname);
}

/** The backup with a change in its text. */
export function rewritten(backup: Buffer, change: (text: string) => string): Buffer {
  return gzipSync(Buffer.from(change(gunzipSync(backup).toString('latin1')), 'latin1'));
}
