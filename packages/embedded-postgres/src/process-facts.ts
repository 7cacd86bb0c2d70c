// What the operating system knows about a process: whether it is alive, since when, and what it runs. A zombie counts
// as ended.

import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from './embedded-server-error.ts';

export interface ProcessFacts {
  /** Distinguishes this process from earlier and later ones with the same id; empty if unknown. */
  readonly birth: string;
  /** The command line, its parts joined by spaces; empty if unknown. */
  readonly command: string;
  /** The working folder; undefined if unknown. */
  readonly folder?: string | undefined;
}

export async function inspectProcess(pid: number): Promise<ProcessFacts | undefined> {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'win32') return unknownFacts;
  return process.platform === 'linux' ? await readProc(pid) : await askPs(pid);
}

const unknownFacts: ProcessFacts = { birth: '', command: '' };

export function isAlive(pid: number): boolean {
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
      // Hidden if the process belongs to another user.
      readlink(`/proc/${pid}/cwd`).catch(() => undefined),
    ]);
    // proc(5): the second field is the program's name in parentheses and may contain anything, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return { birth: `${bootId.trim()}/${fields[19]}`, command: command.split('\0').join(' ').trim(), folder };
  } catch {
    // The process has ended meanwhile, or is hidden (`hidepid`): all that can be checked is whether it exists.
    return isAlive(pid) ? unknownFacts : undefined;
  }
}

async function askPs(pid: number): Promise<ProcessFacts | undefined> {
  const columns = ['-o', 'stat=', '-o', 'lstart=', '-o', 'command='];
  const { stdout } = await promisify(execFile)('ps', [...columns, '-p', String(pid)], {
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  }).catch(() => ({ stdout: '' }));
  const match = /^\s*(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(.*)$/m.exec(stdout);
  if (match === null) return isAlive(pid) ? unknownFacts : undefined;
  return match[1]!.startsWith('Z') ? undefined : { birth: match[2]!, command: match[3]!.trim() };
}
