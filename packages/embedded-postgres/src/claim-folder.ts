// Gives a data folder to exactly one process at a time, even if several ask at once or the last owner was killed. A
// claim is valid only while the process that made it is alive.
//
// The claim is the file `lock-<n>` with the highest n. Taking over means creating `lock-<n+1>`, which only one process
// can do. The highest file is never deleted, only emptied. A slow process can therefore not reuse a number that has
// been passed: it finds a higher one afterwards and withdraws.

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError, hasErrorCode } from './embedded-server-error.ts';
import { inspectProcess } from './process-facts.ts';

export interface FolderClaim {
  release(): Promise<void>;
}

export class FolderInUse extends EmbeddedServerError {}

/** `isBrief`: the claim lasts no longer than a command. */
export async function claimFolder(folder: string, isBrief = false): Promise<FolderClaim> {
  const staging = join(folder, `lock.new-${process.pid}-${randomUUID()}`);
  await writeFile(staging, JSON.stringify({ ...(await describeThisProcess()), isBrief }), { mode: 0o644 });
  const giveUpAt = performance.now() + commandTimeoutMs;
  try {
    for (;;) {
      const latest = await latestLock(folder);
      const holder = await livingHolder(folder, latest);
      // A command ends soon, so a service waits for it. A command that finds a holder leaves the waiting to its caller.
      if (holder?.isBrief && !isBrief && performance.now() < giveUpAt) await sleep(pauseMs);
      else if (holder) throw inUse(folder, latest, holder);
      else if (await isLockTaken(folder, staging, latest + 1)) return { release: () => emptyLock(folder, latest + 1) };
    }
  } finally {
    await rm(staging, { force: true });
  }
}

const commandTimeoutMs = 30_000;
const pauseMs = 50;

/** Whether a living process has claimed the folder for longer than a command. */
export async function isFolderServed(folder: string): Promise<boolean> {
  const holder = await livingHolder(folder, await latestLock(folder));
  return holder !== undefined && holder.isBrief !== true;
}

interface Holder {
  pid: number;
  birth: string;
  isBrief?: boolean;
}

async function describeThisProcess(): Promise<Holder> {
  const facts = await inspectProcess(process.pid);
  return { pid: process.pid, birth: facts?.birth ?? '' };
}

async function latestLock(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)));
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => (/^lock-\d+$/.test(name) ? [Number(name.slice('lock-'.length))] : []));
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}

function inUse(folder: string, number: number, { pid }: Holder): FolderInUse {
  return new FolderInUse(
    `The data folder ${folder} is in use by process ${pid} (see ${lockFile(folder, number)}). ` +
      'Stop that process, use another data folder, or let both processes use a separate PostgreSQL server.',
  );
}

async function livingHolder(folder: string, number: number): Promise<Holder | undefined> {
  const holder = await readHolder(lockFile(folder, number));
  if (holder === undefined) return undefined;
  const facts = await inspectProcess(holder.pid);
  return facts !== undefined && facts.birth === holder.birth ? holder : undefined;
}

/** Undefined: released, or replaced by a newer lock meanwhile. The caller finds that one when it creates the next. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function isLockTaken(folder: string, staging: string, number: number): Promise<boolean> {
  try {
    // A link appears with its whole content: no reader sees a lock that is half written.
    await link(staging, lockFile(folder, number));
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
  const numbers = await lockNumbers(folder);
  const isPassed = Math.max(...numbers) > number;
  const obsolete = isPassed ? [number] : numbers.filter((other) => other < number);
  await Promise.all(obsolete.map((other) => rm(lockFile(folder, other), { force: true })));
  return !isPassed;
}

// If the lock cannot be emptied, for example because the disk is gone, it ends with this process.
async function emptyLock(folder: string, number: number): Promise<void> {
  await truncate(lockFile(folder, number)).catch(() => {});
}
