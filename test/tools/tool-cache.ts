// A folder under the system's temporary folder with the foreign tools that tests install, and what they compiled. It is
// kept between runs. One process at a time changes a part of it.

import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const cacheFolder = join(tmpdir(), 'flaghoist-tools');

/** Waits until no other process holds the lock of this name. The result releases it. */
export async function lockInCache(name: string): Promise<() => Promise<void>> {
  await mkdir(cacheFolder, { recursive: true });
  const file = join(cacheFolder, `${name}.lock`);
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch {
      const holder = Number(await readFile(file, 'utf8').catch(() => ''));
      if (holder > 0 && !isRunning(holder)) await rm(file, { force: true });
      else await sleep(200);
    }
  }
}

/** Whether `installOnce` would do nothing. */
export function isInstalledOnce(name: string): boolean {
  return existsSync(markOf(join(cacheFolder, name)));
}

const markOf = (folder: string) => join(folder, '.complete');

/** Installs into a folder of this name unless that was done before, and answers the folder. */
export async function installOnce(name: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const unlock = await lockInCache(name);
  try {
    const folder = join(cacheFolder, name);
    const mark = markOf(folder);
    if (existsSync(mark)) return folder;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await install(folder);
    await writeFile(mark, '');
    return folder;
  } finally {
    await unlock();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
