// Starts the server process and waits until it can be used. The first launch looks for a free port. A relaunch keeps
// the port, so that the URL stays valid, and never gives up.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type ClusterPlan, clusterFolder } from './cluster-plan.ts';
import { EmbeddedServerError, explainOutput } from './embedded-server-error.ts';
import { findFreePort } from './free-port.ts';
import { Postmaster } from './postmaster.ts';
import { endEarlierServer, readPostmasterFile } from './postmaster-file.ts';
import { type ServerAddress, serverUrl } from './server-url.ts';

export interface ServerPlan extends ClusterPlan {
  readonly password: string;
  /** Ends a launch that is in progress, and prevents another. */
  readonly stopping: AbortSignal;
}

export async function launchFirst(
  plan: ServerPlan,
  findPort = findFreePort,
): Promise<{ postmaster: Postmaster; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findPort();
    const launch = await attemptLaunch(plan, port);
    if (launch.kind === 'running') return { postmaster: launch.postmaster, port };
    const isWorthRetrying = launch.obstacle === 'memoryInUse' || (launch.obstacle !== 'other' && attempt < 20);
    if (!isWorthRetrying) throw launch.error;
    if (attempt === 1) plan.onEvent({ kind: 'database.waiting', reason: waitingReasons[launch.obstacle] });
    await sleep(Math.min(retryMs * attempt, memoryRetryMaxMs));
  }
}

/** Undefined: stopped before the server was ready. */
export async function relaunch(plan: ServerPlan, port: number): Promise<Postmaster | undefined> {
  let lastReason = '';
  for (let delayMs = retryMs; !plan.stopping.aborted; ) {
    await sleep(delayMs, undefined, { signal: plan.stopping }).catch(() => {});
    const launch = await attemptLaunch(plan, port).catch(asFailure);
    if (launch.kind === 'running') return launch.postmaster;
    if (plan.stopping.aborted) continue;
    const reason = launch.error.message;
    if (launch.obstacle !== 'memoryInUse' && reason !== lastReason) plan.onEvent({ kind: 'database.waiting', reason });
    lastReason = reason;
    delayMs = Math.min(delayMs * 2, launch.obstacle === 'memoryInUse' ? memoryRetryMaxMs : retryMaxMs);
  }
  return undefined;
}

const retryMs = 50;
const retryMaxMs = 5_000;
// Most sessions notice at once that their server has died.
const memoryRetryMaxMs = 500;

type Obstacle = 'portTaken' | 'memoryInUse' | 'folderInUse' | 'other';

const waitingReasons: Record<Obstacle, string> = {
  portTaken: 'another program has taken its port',
  memoryInUse: 'sessions of an earlier server that was killed have not ended yet',
  folderInUse: 'another server was started in its folder',
  other: 'it did not start',
};

type Launch = { kind: 'running'; postmaster: Postmaster } | { kind: 'failed'; obstacle: Obstacle; error: Error };

async function attemptLaunch(plan: ServerPlan, port: number): Promise<Launch> {
  const { folder, name, binaries, runAs, settings, password, onEvent, stopping } = plan;
  const cluster = clusterFolder(folder);
  await endEarlierServer(cluster, onEvent);
  if (stopping.aborted) return asFailure(new EmbeddedServerError('This program is stopping.'));
  const onLine = (text: string) => {
    if (!(stopping.aborted && isSessionEnd(text))) onEvent({ kind: 'database.message', text });
  };
  const postmaster = new Postmaster({ cluster, port, settings, binaries, runAs, password, onLine });
  const stop = () => void postmaster.stop();
  stopping.addEventListener('abort', stop);
  const readiness = await awaitReady(postmaster, cluster, { name, password, port }).catch(asStuck);
  stopping.removeEventListener('abort', stop);
  if (readiness.kind === 'ready') return { kind: 'running', postmaster };
  await postmaster.stop();
  const lines = postmaster.output.recent;
  return { kind: 'failed', obstacle: judgeObstacle(lines), error: explainOutput(describe(readiness), folder, lines) };
}

/** PostgreSQL prints such a line for every open session when it stops. During a stop they say nothing new. */
function isSessionEnd(text: string): boolean {
  return /^FATAL: +terminating connection due to administrator command$/.test(text);
}

function asFailure(error: unknown): Launch {
  return { kind: 'failed', obstacle: 'other', error: error instanceof Error ? error : new Error(String(error)) };
}

function asStuck(error: unknown): Readiness {
  return { kind: 'stuck', why: String(error) };
}

function describe(readiness: Exclude<Readiness, { kind: 'ready' }>): string {
  if (readiness.kind === 'ended') return `the server ended before it was ready (${readiness.how})`;
  return `the server does not become ready (${readiness.why})`;
}

function judgeObstacle(lines: readonly string[]): Obstacle {
  const output = lines.join('\n');
  if (/could not (bind|create any TCP)/.test(output)) return 'portTaken';
  if (output.includes('pre-existing shared memory block')) return 'memoryInUse';
  if (/lock file "postmaster.pid" (already exists|is empty)/.test(output)) return 'folderInUse';
  return 'other';
}

type Readiness = { kind: 'ready' } | { kind: 'ended'; how: string } | { kind: 'stuck'; why: string };

/**
 * Waits until a starting server accepts connections, and creates the database on the first start. Gives up on a server
 * that has printed nothing for a minute; a long recovery reports its progress more often than that.
 */
async function awaitReady(postmaster: Postmaster, cluster: string, address: ServerAddress): Promise<Readiness> {
  let why = 'it does not respond';
  for (;;) {
    if (postmaster.hasExited) return { kind: 'ended', how: await postmaster.exited };
    if (performance.now() - postmaster.output.lastAt > silenceMaxMs) return { kind: 'stuck', why };
    // The server's own file comes first: if the server did not get the port, another program may answer on it.
    if (await isReadyByItsFile(postmaster, cluster)) {
      const failure = await attemptConnection(address);
      if (failure === undefined) return { kind: 'ready' };
      if (failure.isFinal) return { kind: 'stuck', why: failure.why };
      why = failure.why;
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

interface ConnectionFailure {
  why: string;
  /** Waiting will not help. */
  isFinal: boolean;
}

// Connects to the `postgres` database, which always exists: a missing one would leave a FATAL line in the log.
async function attemptConnection(address: ServerAddress): Promise<ConnectionFailure | undefined> {
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
