// Migrates a database to this version and this model: numbered SQL files for the service's own tables, then the tables
// of the model. Migrations only go forward. They run in one transaction under an advisory lock, so any number of
// processes may start at once.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ClientBase } from 'pg';
import { OperatorError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { digestOfModel, selectAppliedModel } from './applied-model.ts';
import { DatabaseStuck, isDatabaseAway, isRetryable } from './database-away.ts';
import { withClient } from './database-client.ts';
import { noteEarlierServer } from './earlier-server.ts';
import { connectMs, sessionSettings, setUp } from './session-settings.ts';
import { dropGeneratedTriggers, readExistingTables } from './tables/existing-tables.ts';
import { planModelChange } from './tables/plan-model-change.ts';

/**
 * Uses its own connection with the session limits of all others: a process that hangs must not keep the tables locked.
 * Only the limits on statements and on waiting for locks are off.
 */
export async function migrateServer(url: string, model: Model, options: MigrationOptions = {}): Promise<string[]> {
  const config = {
    connectionString: url,
    application_name: 'flaghoist migrate',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  };
  try {
    return await withClient(config, async (client) => {
      await setUp(client, sessionSettings(unlimited));
      return await migrateWithRetries(client, model, options);
    });
  } catch (error) {
    if (!isDatabaseAway(error) && !(error instanceof DatabaseStuck)) throw error;
    const reason = (error as Error).message.replace(/\.$/, '');
    throw new OperatorError(`The database was lost during the migration check: ${reason}. Start again.`, {
      cause: error,
    });
  }
}

/** PostgreSQL's value for no limit. */
const unlimited = 0;

/** Other processes use the tables and lock them in another order. After a deadlock, the migration is retried. */
async function migrateWithRetries(client: ClientBase, model: Model, options: MigrationOptions): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await migrate(client, model, options);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt === attemptsMax)
        throw new OperatorError(
          `The tables are in use, and could not be changed in ${attemptsMax} attempts: ` +
            `${(error as Error).message}. Start again when there is less load.`,
          { cause: error },
        );
      await sleep(Math.random() * 100 * 2 ** attempt);
    }
}

const attemptsMax = 6;

/** Returns the steps that were applied, for the log; an empty list if the database was up to date. */
export async function migrate(
  client: ClientBase,
  model: Model,
  { isEmptyOnly = false, mustExist = false }: MigrationOptions = {},
): Promise<string[]> {
  // Not the server's default: a snapshot from before the lock would hide what another process just migrated.
  await client.query('begin isolation level read committed');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migration]);
    const wasEmpty = await isUntouched(client);
    if (mustExist && wasEmpty) throw new OperatorError(notAnInstallation);
    const steps = [...(await applyFiles(client)), ...(await applyModel(client, model))];
    if (isEmptyOnly && !wasEmpty && steps.length > 0) throw notUpToDate(steps);
    await noteEarlierServer(client);
    await client.query('commit');
    return steps;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw explainRights(error);
  }
}

export interface MigrationOptions {
  /** Whether only a database without Flaghoist tables may be changed: any other database may be in use. */
  isEmptyOnly?: boolean;
  /** Whether a database without Flaghoist tables is rejected. */
  mustExist?: boolean;
}

const notAnInstallation =
  'The database has no tables of Flaghoist. Set FLAGHOIST_DATA_DIR or DATABASE_URL as for the service; the ' +
  'first start of the service creates the tables.';

async function isUntouched(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('flaghoist_system.migration') is null as is_untouched");
  return rows[0].is_untouched;
}

function notUpToDate(steps: string[]): OperatorError {
  return new OperatorError(
    'The database does not match this version and model, and a service may be using it. To change it, run ' +
      `\`flaghoist migrate\`:\n${steps.map((step) => `- ${step}`).join('\n')}`,
  );
}

/** 42501: insufficient privilege. */
function explainRights(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === '42501')) return error;
  return new OperatorError(
    `The database user lacks the right to create the tables that Flaghoist needs: ${error.message}. Grant it ` +
      '(GRANT CREATE ON DATABASE … TO …), or migrate once as another user.',
    { cause: error },
  );
}

/** The same relative path from `src/database` and from `dist/database`. */
const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));

const migrationTableSql = `
  create schema if not exists flaghoist_system;
  create table if not exists flaghoist_system.migration (
    name text primary key, digest text not null, applied_at timestamptz not null default now()
  )`;

async function applyFiles(client: ClientBase): Promise<string[]> {
  await client.query(migrationTableSql);
  const { rows } = await client.query<{ name: string; digest: string }>(
    'select name, digest from flaghoist_system.migration',
  );
  const applied = new Map(rows.map(({ name, digest }) => [name, digest]));
  const steps: string[] = [];
  const files = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort();
  rejectNewer(applied, files);
  for (const name of files) {
    const sql = await readFile(`${migrationsFolder}${name}`, 'utf8');
    if (applied.has(name)) {
      if (applied.get(name) !== digestOf(sql))
        throw new OperatorError(
          `The migration ${name} was changed after it had been applied to this database. Restore the file as it was.`,
        );
      continue;
    }
    await client.query(sql);
    await client.query('insert into flaghoist_system.migration (name, digest) values ($1, $2)', [name, digestOf(sql)]);
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

async function applyModel(client: ClientBase, model: Model): Promise<string[]> {
  const digest = digestOfModel(model);
  const { rows } = await client.query<{ digest: string }>(selectAppliedModel());
  if (rows[0]?.digest === digest) return [];
  const { statements, problems, steps } = planModelChange(model, await readExistingTables(client));
  if (problems.length > 0)
    throw new OperatorError(
      `The model does not fit the data that is stored:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    );
  await dropGeneratedTriggers(client);
  for (const statement of statements) await runStatement(client, statement);
  await client.query(
    'insert into flaghoist_system.applied_model (digest) values ($1) on conflict (only_row) do update set digest ' +
      '= excluded.digest, applied_at = now()',
    [digest],
  );
  return [...steps, 'triggers created again'];
}

async function runStatement(client: ClientBase, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (isDatabaseAway(error) || isRetryable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The model does not fit the data that is stored: ${reason}. It happened at: ${statement}`, {
      cause: error,
    });
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
