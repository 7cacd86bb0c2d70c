// What `login` stores: one service and one client, with its secret, in a file that only its owner can read.

import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from '../command/command-error.ts';
import { readEnvironment } from '../environment/environment.ts';

export interface Login {
  url: string;
  clientId: string;
  clientSecret: string;
}

export function loginPath(): string {
  return join(readEnvironment().configFolder, 'login.json');
}

/** Undefined if there is none. */
export async function readLogin(): Promise<Login | undefined> {
  const path = loginPath();
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (text === undefined) return undefined;
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new CommandError(`Others can read ${path}, which has a secret. Run "flaghoist login" again, or: chmod 600`);
  return parseLogin(text, path);
}

export async function writeLogin(login: Login): Promise<string> {
  const path = loginPath();
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // Renamed when it is complete: another command never reads half of it.
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, path);
  return path;
}

/** Whether there was one. */
export async function removeLogin(): Promise<boolean> {
  const isThere = (await stat(loginPath()).catch(ignoreMissing)) !== undefined;
  await rm(loginPath(), { force: true });
  return isThere;
}

/** The message does not show the content. */
function parseLogin(text: string, path: string): Login {
  try {
    const { url, clientId, clientSecret } = JSON.parse(text) as Record<string, unknown>;
    if (typeof url === 'string' && typeof clientId === 'string' && typeof clientSecret === 'string')
      return { url, clientId, clientSecret };
  } catch {
    // The same mistake as below.
  }
  throw new CommandError(`${path} is damaged. Run "flaghoist login" again.`);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw new CommandError(`The stored login cannot be read: ${error.message}`);
}
