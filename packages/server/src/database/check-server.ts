// Checks the PostgreSQL server that the operator configured, before the service uses it. Rejects a connection pooler
// that reassigns connections between transactions. Warns about settings with which a crash loses committed changes.

import { OperatorError } from '../errors.ts';
import type { Observe } from '../observe/observation.ts';
import { type DatabaseClient, withClient } from './database-client.ts';
import { type BatchedStatement, runBatch } from './statement-batch.ts';

const answerMs = 5_000;
const rounds = 5;

export async function checkServer(url: string, observe: Observe): Promise<void> {
  const config = { connectionString: url, application_name: 'flaghoist check', connectionTimeoutMillis: answerMs };
  try {
    await withClient(config, async (one) => {
      if (await withClient(config, (other) => isShared(one, other))) throw new OperatorError(pooled);
      for (const name of await selectOff(one))
        observe({ kind: 'database.unsafe', setting: name, advice: advices[name]! });
    });
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The PostgreSQL server cannot be used: ${(error as Error).message}. Check DATABASE_URL.`, {
      cause: error,
    });
  }
}

const pooled =
  'DATABASE_URL leads to a connection pooler in transaction mode. Flaghoist sets limits for each connection, and ' +
  'there they would apply to others or not at all. Set the pooler to session mode (PgBouncer: pool_mode = session), ' +
  'or connect to the server directly.';

/** Setting → what can happen if it is off, and what to do. */
const advices: Record<string, string> = {
  fsync: 'A crash of its machine can destroy the database. Set fsync = on for the PostgreSQL server.',
  synchronous_commit:
    'A crash loses changes that were confirmed. Set synchronous_commit = on for the PostgreSQL server, the ' +
    'database and the user.',
  full_page_writes:
    'A crash of its machine can damage the database. Set full_page_writes = on for the PostgreSQL server, unless ' +
    'its file system never writes half a page.',
};

/**
 * Whether both connections use the same server process, or one connection uses two. While the second connection is in a
 * transaction, a pooler cannot give its server process to the first. The check repeats, because a pooler with other
 * clients may hand out any of its connections.
 */
async function isShared(one: DatabaseClient, other: DatabaseClient): Promise<boolean> {
  const pids = new Set<unknown>();
  for (let round = 0; round < rounds; round += 1) {
    pids.add(await ask(one, selectPid));
    const pid = await ask(other, { text: 'begin' }, selectPid);
    if (pids.has(pid)) return true;
    pids.add(await ask(one, selectPid));
    await ask(other, { text: 'rollback' });
    if (pids.size > 1) return true;
  }
  return false;
}

const selectPid = { text: 'select pg_backend_pid() as value' };

/** Returns the value of the last statement. */
async function ask(client: DatabaseClient, ...statements: BatchedStatement[]): Promise<unknown> {
  return (await runBatch(client, statements, answerMs)).at(-1)?.[0]?.value;
}

/** Reads the settings as our connections see them: a database or a user can override those of the server. */
async function selectOff(client: DatabaseClient): Promise<string[]> {
  const text = `select name from unnest($1::text[]) name where current_setting(name) = 'off'`;
  const [rows] = await runBatch(client, [{ text, values: [Object.keys(advices)] }], answerMs);
  return rows!.map(({ name }) => String(name));
}
