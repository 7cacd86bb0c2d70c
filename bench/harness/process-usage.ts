// What the operating system says that a process has used: memory at its highest, processor time so far. Linux says both;
// elsewhere they are unknown, and the report says so.

import { readFile } from 'node:fs/promises';

/** The most memory that it ever had, since its start. */
export async function peakMemoryMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** In user mode and in the kernel on its behalf, all threads together. */
export async function processorMs(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // proc(5): the second field is in parentheses and may hold anything, so count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? undefined : (ticks * 1000) / ticksPerSecond;
}

/** USER_HZ, which Linux shows to programs whatever the kernel's own clock is. */
const ticksPerSecond = 100;
