// Reads `postmaster.pid`, in which a server writes its process id and the progress of its start. Ends an earlier server
// that still runs, and removes a file of an earlier server that would keep the next one from starting.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError, hasErrorCode } from './embedded-server-error.ts';
import { inspectProcess, isAlive } from './process-facts.ts';
import { resumeServer } from './resume-server.ts';
import type { OnEvent } from './server-event.ts';
import { clusterName } from './server-settings.ts';
import { removeSockets } from './unix-socket.ts';

export interface PostmasterFile {
  /** NaN if the file is damaged. */
  readonly pid: number;
  readonly isReady: boolean;
  /** NaN until the server has written where it listens. */
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

/** Undefined: no server accepts connections there. */
export async function readyPort(cluster: string): Promise<number | undefined> {
  const file = await readPostmasterFile(cluster);
  return file?.isReady && (await isServerOf(cluster, file.pid)) ? file.port : undefined;
}

/** Only the process that has claimed the folder may call this: a server found there has lost its parent. */
export async function endEarlierServer(cluster: string, onEvent: OnEvent): Promise<void> {
  const earlier = await readPostmasterFile(cluster);
  if (earlier && (await isServerOf(cluster, earlier.pid))) return await awaitEnd(cluster, earlier.pid, onEvent);
  await removeSockets(cluster);
  if (earlier === undefined) return;
  // PostgreSQL ignores the id of a process that has ended, and uses the rest of the file to find sessions that outlived
  // their server. But it mistakes any living process with that id for a server.
  if (Number.isNaN(earlier.pid) || isAlive(earlier.pid)) await rm(postmasterFile(cluster), { force: true });
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (Number.isNaN(pid)) return false;
  const facts = await inspectProcess(pid);
  if (facts === undefined || !/postgres/.test(facts.command)) return false;
  // The working folder of a server is its cluster. In a container even root may not see the working folder of another
  // user's process; the command line is visible to everyone.
  return facts.folder === cluster || facts.command.includes(`cluster_name=${clusterName(cluster)}`);
}

async function awaitEnd(cluster: string, pid: number, onEvent: OnEvent): Promise<void> {
  onEvent({ kind: 'database.waiting', reason: `an earlier database server, process ${pid}, is still shutting down` });
  for (const { signal, waitMs } of shutdownSteps) {
    if (signal !== undefined) sendSignal(cluster, pid, signal);
    if (signal !== undefined) await resumeServer(pid);
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!(await isServerOf(cluster, pid))) return;
      await sleep(20);
    }
  }
  throw new EmbeddedServerError(stillRunning(cluster, pid));
}

// The server gets a signal when its parent dies, and usually ends within a second. A parent that was killed very early
// may not have arranged for the signal yet.
const shutdownSteps: { signal?: NodeJS.Signals; waitMs: number }[] = [
  { waitMs: 3_000 },
  // A fast shutdown during recovery has been seen to hang; an immediate one only means another recovery.
  { signal: 'SIGINT', waitMs: 5_000 },
  { signal: 'SIGQUIT', waitMs: 30_000 },
];

function sendSignal(cluster: string, pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (hasErrorCode(cause, 'ESRCH')) return;
    throw new EmbeddedServerError(stillRunning(cluster, pid), { cause });
  }
}

function stillRunning(cluster: string, pid: number): string {
  return `Another PostgreSQL server, process ${pid}, runs in ${cluster} and does not stop. Stop it, then start again.`;
}
