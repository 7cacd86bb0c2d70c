// Waits until a PostgreSQL server accepts connections, and checks its version, encoding and replication role. A server
// that is down is retried, because it may be starting at the same time. A wrong password fails at once.

import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Observe } from '../observe/observation.ts';
import { DatabaseAway, DatabaseStuck, isDatabaseAway } from './database-away.ts';
import { withClient } from './database-client.ts';
import { ServerHosts } from './server-hosts.ts';
import { runBatch } from './statement-batch.ts';

const waitMs = 60_000;
const pauseMs = 500;
const answerMs = 5_000;
const oldestVersion = 15;

/** Returns the version of the server, such as `18.4`. Of several hosts, waits for one that can be used. */
export async function waitForServer(server: string | ServerHosts, observe: Observe): Promise<string> {
  const hosts = typeof server === 'string' ? new ServerHosts(server, observe) : server;
  const giveUpAt = performance.now() + waitMs;
  let reported = '';
  for (;;) {
    try {
      await hosts.known();
      return await readVersion(hosts.url);
    } catch (caught) {
      if (caught instanceof OperatorError) throw caught;
      const error = caught instanceof DatabaseAway ? caught.cause : caught;
      if (!(isDatabaseAway(error) || error instanceof DatabaseStuck) || performance.now() > giveUpAt)
        throw explain(error);
      const reason = reasonOf(error);
      if (reason !== reported) observe({ kind: 'database.waiting', reason });
      reported = reason;
      await sleep(pauseMs);
    }
  }
}

function readVersion(url: string): Promise<string> {
  return withClient({ connectionString: url, connectionTimeoutMillis: answerMs }, async (client) => {
    const [rows] = await runBatch(client, [{ text: selectFacts }], answerMs);
    const { version, number, encoding, replication_role: replicationRole } = rows![0] as unknown as ServerFacts;
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
        'session_replication_role is replica for our connections: changes would write no events, and references ' +
          'would not be checked. Remove it from the server, database, role (ALTER ROLE … RESET ' +
          'session_replication_role) or DATABASE_URL.',
      );
    return version.split(' ')[0]!;
  });
}

interface ServerFacts {
  version: string;
  number: number;
  encoding: string;
  replication_role: string;
}

const selectFacts = `
  select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
    getdatabaseencoding() as encoding, current_setting('session_replication_role') as replication_role`;

function explain(error: unknown): OperatorError {
  return new OperatorError(`The PostgreSQL server cannot be used: ${reasonOf(error)}. Check DATABASE_URL.`, {
    cause: error,
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  const reason = error instanceof Error ? error.message : String(error);
  return reason === 'timeout expired' ? 'it does not answer' : reason;
}
