// Starts the server process and sees it through to the moment it can be used. The first launch looks for a free port; a
// relaunch keeps the port, so that the address stays good, and never gives up.

import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import { awaitReady, type Readiness } from './await-ready.ts';
import { type ClusterPlan, clusterFolder } from './cluster-plan.ts';
import { explainOutput } from './explain-output.ts';
import { findFreePort } from './free-port.ts';
import { Postmaster } from './postmaster.ts';
import { settleEarlierServer } from './postmaster-file.ts';
import { hasSocket } from './unix-socket.ts';

export interface ServerPlan extends ClusterPlan {
  readonly password: string;
  /** Ends a launch under way, and forbids another. */
  readonly stopping: AbortSignal;
}

export function serverUrl(password: string, port: number): string {
  return `postgres://flaghoist:${password}@127.0.0.1:${port}/flaghoist`;
}

/** Of a server that is ready: by its Unix socket if it has one, else by TCP. */
export async function nearestUrl(password: string, port: number, cluster: string): Promise<string> {
  const url = serverUrl(password, port);
  return (await hasSocket(cluster, port)) ? `${url}?host=${encodeURIComponent(cluster)}` : url;
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
    if (attempt === 1) plan.observe({ kind: 'database.waiting', reason: waitingReasons[launch.obstacle] });
    await sleep(Math.min(retryMs * attempt, memoryRetryMaxMs));
  }
}

/** Undefined: told to stop meanwhile. */
export async function relaunch(plan: ServerPlan, port: number): Promise<Postmaster | undefined> {
  let told = '';
  for (let delayMs = retryMs; !plan.stopping.aborted; ) {
    await sleep(delayMs, undefined, { signal: plan.stopping }).catch(() => {});
    const launch = await attemptLaunch(plan, port).catch(asFailure);
    if (launch.kind === 'running') return launch.postmaster;
    if (plan.stopping.aborted) continue;
    const reason = launch.error.message;
    if (launch.obstacle !== 'memoryInUse' && reason !== told) plan.observe({ kind: 'database.waiting', reason });
    told = reason;
    delayMs = Math.min(delayMs * 2, launch.obstacle === 'memoryInUse' ? memoryRetryMaxMs : retryMaxMs);
  }
  return undefined;
}

const retryMs = 50;
const retryMaxMs = 5_000;
// Sessions notice the death of their server at their next pause, as a rule at once.
const memoryRetryMaxMs = 500;

type Obstacle = 'portTaken' | 'memoryInUse' | 'folderInUse' | 'other';

const waitingReasons: Record<Obstacle, string> = {
  portTaken: 'the port it was to listen on was taken by another program',
  memoryInUse: 'sessions of an earlier server that was killed have not ended yet',
  folderInUse: 'another server was started on its folder',
  other: 'it did not start',
};

type Launch = { kind: 'running'; postmaster: Postmaster } | { kind: 'failed'; obstacle: Obstacle; error: Error };

async function attemptLaunch(plan: ServerPlan, port: number): Promise<Launch> {
  const { folder, binaries, runAs, settings, password, observe, stopping } = plan;
  const cluster = clusterFolder(folder);
  await settleEarlierServer(cluster, observe);
  if (stopping.aborted)
    return { kind: 'failed', obstacle: 'other', error: new OperatorError('Flaghoist is stopping.') };
  const onLine = (text: string) => {
    if (!(stopping.aborted && isSessionEnd(text))) observe({ kind: 'database.message', text });
  };
  const postmaster = new Postmaster({ cluster, port, settings, binaries, runAs, password, onLine });
  const stop = () => void postmaster.stop();
  stopping.addEventListener('abort', stop);
  const readiness = await awaitReady(postmaster, cluster, serverUrl(password, port)).catch(asStuck);
  stopping.removeEventListener('abort', stop);
  if (readiness.kind === 'ready') return { kind: 'running', postmaster };
  await postmaster.stop();
  const lines = postmaster.output.recent;
  return { kind: 'failed', obstacle: judgeObstacle(lines), error: explainOutput(describe(readiness), folder, lines) };
}

/** Every session that is open at a stop ends with such a line: the stop is what they all have to tell. */
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
