// Migrates a database to this version and this model: numbered SQL files for the service's own tables, then the tables
// of the model. Migrations only go forward. They run in one transaction under an advisory lock, so any number of
// processes may start at once.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { OperatorError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { applyFiles } from './apply-files.ts';
import { applyModel } from './apply-model.ts';
import { DatabaseStuck, isDatabaseAway, isRetryable } from './database-away.ts';
import { withClient } from './database-client.ts';
import { noteEarlierServer } from './earlier-server.ts';
import { connectMs, sessionSettings, setUp } from './session-settings.ts';

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
    await lockMigration(client);
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

/** Until the end of the transaction, nobody else migrates. */
export async function lockMigration(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migration]);
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
export function explainRights(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === '42501')) return error;
  return new OperatorError(
    `The database user lacks the right to create the tables that Flaghoist needs: ${error.message}. Grant it ` +
      '(GRANT CREATE ON DATABASE … TO …), or migrate once as another user.',
    { cause: error },
  );
}
