// Waits until a starting server accepts connections, and creates the database on the first start. Gives up on a server
// that has printed nothing for a minute; a long recovery reports its progress more often than that.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Postmaster } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { type ServerAddress, serverUrl } from './server-url.ts';

export type Readiness = { kind: 'ready' } | { kind: 'ended'; how: string } | { kind: 'stuck'; why: string };

export async function awaitReady(postmaster: Postmaster, cluster: string, address: ServerAddress): Promise<Readiness> {
  let why = 'it does not answer';
  for (;;) {
    if (postmaster.hasExited) return { kind: 'ended', how: await postmaster.exited };
    if (performance.now() - postmaster.output.lastAt > silenceMaxMs) return { kind: 'stuck', why };
    // The server's own file comes first: if the server did not get the port, another program may answer on it.
    if (await isReadyByItsFile(postmaster, cluster)) {
      const refusal = await attemptConnection(address);
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

// Connects to the `postgres` database, which always exists: a missing one would leave a FATAL line in the log.
async function attemptConnection(address: ServerAddress): Promise<Refusal | undefined> {
  const connectionString = serverUrl(address, 'postgres');
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [address.name]);
    if (rowCount === 0) await client.query(`create database "${address.name}"`);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { why: String(error), isFinal: code.startsWith(invalidAuthorization) };
  } finally {
    void client.end().catch(() => {});
  }
}

// Class 28 of the error codes in PostgreSQL's appendix A.
const invalidAuthorization = '28';
