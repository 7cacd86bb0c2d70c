// Waits until a PostgreSQL server takes connections, and makes sure that it is new enough. A server that is down is waited
// for, because it may be starting at the same time as we are; a wrong password is told at once.

import pg from 'pg';
import { OperatorError } from '../errors.ts';
import type { Observe } from '../observability/observation.ts';
import { isDatabaseAway } from './database-away.ts';

const waitMs = 60_000;
const pauseMs = 500;
const oldestVersion = 15;

/** The version of the server, as it is called: `18.4`. */
export async function waitForServer(url: string, observe: Observe): Promise<string> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    try {
      return await readVersion(url);
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw explain(error);
      observe({ kind: 'database.waiting', reason: reasonOf(error) });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function readVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A lost connection reaches the statement that is under way; unheard, it would end the process as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
         getdatabaseencoding() as encoding, current_setting('session_replication_role') as replication_role`,
    );
    const { version, number, encoding, replication_role: replicationRole } = rows[0];
    if (number < oldestVersion * 10_000)
      throw new OperatorError(
        `The PostgreSQL server is version ${version}; Flaghoist needs ${oldestVersion} or later.`,
      );
    if (encoding !== 'UTF8')
      throw new OperatorError(
        `The database has the encoding ${encoding}; Flaghoist needs UTF8 (CREATE DATABASE … ENCODING 'UTF8').`,
      );
    if (replicationRole === 'replica')
      throw new OperatorError(
        'session_replication_role is replica for our connections: changes would write no events, and references would ' +
          'not be checked. Remove it from the server, database, role (ALTER ROLE … RESET session_replication_role) or DATABASE_URL.',
      );
    return version.split(' ')[0];
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explain(error: unknown): OperatorError {
  return new OperatorError(`The PostgreSQL server cannot be used: ${reasonOf(error)}. Check DATABASE_URL.`, {
    cause: error,
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
