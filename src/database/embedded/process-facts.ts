// What the operating system tells about a process that is not ours: whether it lives, since when, and what it runs.
// A process that has ended but was not yet collected by its parent counts as gone.

import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from './system-error.ts';

export interface ProcessFacts {
  /** Tells this process from any other that had or will have the same id; empty where the system does not say. */
  readonly birth: string;
  /** Its command line, the parts joined by spaces; empty where the system does not say. */
  readonly command: string;
  /** The folder that it works in; undefined where the system does not say. */
  readonly folder?: string | undefined;
}

export async function inspectProcess(pid: number): Promise<ProcessFacts | undefined> {
  if (!isThere(pid)) return undefined;
  if (process.platform === 'win32') return unknownFacts;
  return process.platform === 'linux' ? await readProc(pid) : await askPs(pid);
}

const unknownFacts: ProcessFacts = { birth: '', command: '' };

export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

async function readProc(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [stat, command, bootId, folder] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      // Of a process of another user it is hidden.
      readlink(`/proc/${pid}/cwd`).catch(() => undefined),
    ]);
    // proc(5): the second field is the program's name in parentheses and may hold anything, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return { birth: `${bootId.trim()}/${fields[19]}`, command: command.split('\0').join(' ').trim(), folder };
  } catch {
    // Gone meanwhile, or hidden from us (`hidepid`): what can still be asked is whether it is there.
    return isThere(pid) ? unknownFacts : undefined;
  }
}

async function askPs(pid: number): Promise<ProcessFacts | undefined> {
  const columns = ['-o', 'stat=', '-o', 'lstart=', '-o', 'command='];
  const { stdout } = await promisify(execFile)('ps', [...columns, '-p', String(pid)], {
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  }).catch(() => ({ stdout: '' }));
  const match = /^\s*(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(.*)$/m.exec(stdout);
  if (match === null) return isThere(pid) ? unknownFacts : undefined;
  return match[1]!.startsWith('Z') ? undefined : { birth: match[2]!, command: match[3]!.trim() };
}
