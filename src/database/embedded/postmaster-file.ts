// Reads `postmaster.pid`, in which a server says which process it is and how far its start has come, and settles one that
// an earlier server left: waits for that server if it still runs, and removes the file if it would wrongly stop the next.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import type { Observe } from '../../observability/observation.ts';
import { inspectProcess, isThere } from './process-facts.ts';
import { resumeServer } from './resume-server.ts';
import { clusterName } from './server-settings.ts';
import { hasErrorCode } from './system-error.ts';
import { removeSockets } from './unix-socket.ts';

export interface PostmasterFile {
  /** NaN if the file is damaged. */
  readonly pid: number;
  readonly isReady: boolean;
  /** NaN before the server has said where it listens. */
  readonly port: number;
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(postmasterFile(cluster), 'utf8')).split('\n');
    return {
      pid: Number.parseInt(lines[0]!, 10),
      port: Number.parseInt(lines[3] ?? '', 10),
      isReady: lines[7]?.trim() === 'ready',
    };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Undefined: no server takes connections there. */
export async function readyPort(cluster: string): Promise<number | undefined> {
  const file = await readPostmasterFile(cluster);
  return file?.isReady && (await isServerOf(cluster, file.pid)) ? file.port : undefined;
}

/** To be called by the holder of the folder only: a server found there is one whose parent was killed. */
export async function settleEarlierServer(cluster: string, observe: Observe): Promise<void> {
  const earlier = await readPostmasterFile(cluster);
  if (earlier && (await isServerOf(cluster, earlier.pid))) return await awaitEnd(cluster, earlier.pid, observe);
  await removeSockets(cluster);
  if (earlier === undefined) return;
  // PostgreSQL itself passes over a process id that is gone; kept, the file still leads it to sessions that outlived
  // their server. But it takes a living process with that id for a server, whatever it is.
  if (Number.isNaN(earlier.pid) || isThere(earlier.pid)) await rm(postmasterFile(cluster), { force: true });
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (Number.isNaN(pid)) return false;
  const facts = await inspectProcess(pid);
  if (facts === undefined || !/postgres/.test(facts.command)) return false;
  // A server works in its folder. In a container even root may not see that of another user; the command line is open to all.
  return facts.folder === cluster || facts.command.includes(`cluster_name=${clusterName(cluster)}`);
}

async function awaitEnd(cluster: string, pid: number, observe: Observe): Promise<void> {
  observe({ kind: 'database.waiting', reason: `an earlier database server, process ${pid}, is still shutting down` });
  for (const step of nudges) {
    if (step.signal !== undefined) sendSignal(cluster, pid, step.signal);
    if (step.signal !== undefined) await resumeServer(pid);
    const until = performance.now() + step.patienceMs;
    while (performance.now() < until) {
      if (!(await isServerOf(cluster, pid))) return;
      await sleep(20);
    }
  }
  throw new OperatorError(stillRunning(cluster, pid));
}

// It was told to stop when its parent died, and seldom takes a second. A killed parent may have been too early for that.
const nudges: { signal?: NodeJS.Signals; patienceMs: number }[] = [
  { patienceMs: 3_000 },
  // A fast shutdown in the middle of recovery was seen to hang; an immediate one only means another recovery.
  { signal: 'SIGINT', patienceMs: 5_000 },
  { signal: 'SIGQUIT', patienceMs: 30_000 },
];

function sendSignal(cluster: string, pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (hasErrorCode(cause, 'ESRCH')) return;
    throw new OperatorError(stillRunning(cluster, pid), { cause });
  }
}

function stillRunning(cluster: string, pid: number): string {
  return `Another PostgreSQL server, process ${pid}, runs on ${cluster} and does not stop. Stop it, then start again.`;
}
