// Gives a data folder to exactly one process at a time, also when several ask at the same moment or the last owner was
// killed. It trusts a claim only as long as the process that made it lives.
//
// The claim is the file `lock-<n>` with the highest n. Taking over means creating `lock-<n+1>`, which only one process
// can do; the highest is never deleted, only emptied, so that a slow process cannot create a number that was already
// passed: it finds a higher one afterwards and withdraws.

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import { inspectProcess } from './process-facts.ts';
import { hasErrorCode } from './system-error.ts';

export interface FolderClaim {
  release(): Promise<void>;
}

export class FolderInUse extends OperatorError {}

/** `isBrief`: for the length of a command. */
export async function claimFolder(folder: string, isBrief = false): Promise<FolderClaim> {
  const draft = join(folder, `lock.new-${process.pid}-${randomUUID()}`);
  await writeFile(draft, JSON.stringify({ ...(await describeOurselves()), isBrief }), { mode: 0o644 });
  const giveUpAt = performance.now() + patienceMs;
  try {
    for (;;) {
      const latest = await latestLock(folder);
      const holder = await livingHolder(folder, latest);
      // A command is done in a moment; the service waits for it. Commands wait as well, but for a service to be ready.
      if (holder?.isBrief && !isBrief && performance.now() < giveUpAt) await sleep(pauseMs);
      else if (holder) throw inUse(folder, latest, holder);
      else if (await isLockTaken(folder, draft, latest + 1)) return { release: () => emptyLock(folder, latest + 1) };
    }
  } finally {
    await rm(draft, { force: true });
  }
}

const patienceMs = 30_000;
const pauseMs = 50;

/** By a process that lives, and not only for the length of a command. */
export async function isFolderServed(folder: string): Promise<boolean> {
  const holder = await livingHolder(folder, await latestLock(folder));
  return holder !== undefined && holder.isBrief !== true;
}

interface Holder {
  pid: number;
  birth: string;
  isBrief?: boolean;
}

async function describeOurselves(): Promise<Holder> {
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
    `The data folder ${folder} is in use by another Flaghoist, process ${pid} (see ${lockFile(folder, number)}). ` +
      'Stop that process, or set FLAGHOIST_DATA_DIR to another folder, ' +
      'or let both share one PostgreSQL server through DATABASE_URL.',
  );
}

async function livingHolder(folder: string, number: number): Promise<Holder | undefined> {
  const holder = await readHolder(lockFile(folder, number));
  if (holder === undefined) return undefined;
  const facts = await inspectProcess(holder.pid);
  return facts !== undefined && facts.birth === holder.birth ? holder : undefined;
}

/** Undefined: released, or passed by a newer lock while we looked, which the caller finds when it takes the next one. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function isLockTaken(folder: string, draft: string, number: number): Promise<boolean> {
  try {
    // A link shows the file with its content at once; a reader never sees a lock that is half written.
    await link(draft, lockFile(folder, number));
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

// A claim that cannot be emptied, because the disk is gone, ends with this process anyway.
async function emptyLock(folder: string, number: number): Promise<void> {
  await truncate(lockFile(folder, number)).catch(() => {});
}
