// Reads what a process has used: peak memory, and processor time so far. Only Linux reports both; elsewhere they are
// unknown, and the report says so.

import { readFile } from 'node:fs/promises';

/** The peak memory since its start. */
export async function peakMemoryMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** User and system time of all threads. */
export async function processorMs(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // proc(5): the second field is in parentheses and may hold anything, so count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? undefined : (ticks * 1000) / ticksPerSecond;
}

/** USER_HZ, which Linux shows to programs whatever the kernel's own clock is. */
const ticksPerSecond = 100;

/** Processor time of these processes from now on, without those that exit; NaN if the system does not report it. */
export async function startMeter(pids: readonly number[]): Promise<() => Promise<number>> {
  const read = () => Promise.all(pids.map((pid) => processorMs(pid)));
  const before = await read();
  return async () => {
    const after = await read();
    const used = pids.flatMap((_, n) =>
      before[n] === undefined || after[n] === undefined ? [] : [after[n] - before[n]],
    );
    return used.length === 0 ? Number.NaN : used.reduce((sum, time) => sum + time, 0);
  };
}
