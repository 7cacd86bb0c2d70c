// Waits until a starting server takes connections to the `flaghoist` database, which it creates on the first start. Gives
// up on a server that has printed nothing for a minute; a long recovery reports its progress more often than that.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Postmaster } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';

export type Readiness = { kind: 'ready' } | { kind: 'ended'; how: string } | { kind: 'stuck'; why: string };

export async function awaitReady(postmaster: Postmaster, cluster: string, url: string): Promise<Readiness> {
  let why = 'it does not answer';
  for (;;) {
    if (postmaster.hasExited) return { kind: 'ended', how: await postmaster.exited };
    if (performance.now() - postmaster.output.lastAt > silenceMaxMs) return { kind: 'stuck', why };
    // Only what the server itself says counts: on a port that it did not get, another program may answer.
    if (await isReadyByItsFile(postmaster, cluster)) {
      const refusal = await attemptConnection(url);
      if (refusal === undefined) return { kind: 'ready' };
      if (refusal.isFinal) return { kind: 'stuck', why: refusal.why };
      why = refusal.why;
    }
    await Promise.race([sleep(pollMs), postmaster.exited]);
  }
}

const silenceMaxMs = 60_000;
const pollMs = 10;

async function isReadyByItsFile(postmaster: Postmaster, cluster: string): Promise<boolean> {
  const file = await readPostmasterFile(cluster);
  return file?.isReady === true && file.pid === postmaster.pid;
}

interface Refusal {
  why: string;
  /** Waiting will not help. */
  isFinal: boolean;
}

// A connection to the database that is always there: asking for a missing one would leave a FATAL line in the log.
async function attemptConnection(url: string): Promise<Refusal | undefined> {
  const client = new Client({ connectionString: withDatabase(url, 'postgres'), connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query("select from pg_database where datname = 'flaghoist'");
    if (rowCount === 0) await client.query('create database flaghoist');
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { why: String(error), isFinal: code.startsWith(invalidAuthorization) };
  } finally {
    void client.end().catch(() => {});
  }
}

// Of the error codes in PostgreSQL's appendix A, class 28.
const invalidAuthorization = '28';

function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
