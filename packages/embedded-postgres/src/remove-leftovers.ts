// Removes unfinished files of killed processes from the data folder: everything named `<name>.new-<process id>…`.
// Files of running processes are kept.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectProcess } from './process-facts.ts';

export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (await isLeftover(name)) await removeTree(join(folder, name));
  }
}

/** Retries, because an initdb whose parent was just killed may still be writing there. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function isLeftover(name: string): Promise<boolean> {
  const pid = /\.new-(\d+)/.exec(name)?.[1];
  return pid !== undefined && (await inspectProcess(Number(pid))) === undefined;
}
