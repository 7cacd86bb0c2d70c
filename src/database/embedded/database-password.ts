// Keeps the password of the embedded database's only user in a file that nobody else may read. It is generated once and
// never leaves this machine.

import { randomBytes } from 'node:crypto';
import { chmod, chown, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { OsUser } from './run-as.ts';
import { hasErrorCode } from './system-error.ts';

export function passwordFile(folder: string): string {
  return join(folder, 'postgres-password');
}

/** Undefined: there is none, or what is there is not a password of ours. */
export async function readPassword(folder: string): Promise<string | undefined> {
  try {
    const password = (await readFile(passwordFile(folder), 'utf8')).trim();
    return /^[\w-]{32,}$/.test(password) ? password : undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** A new one; initdb, running as `user`, must be able to read it. */
export async function makePassword(folder: string, user: OsUser | undefined): Promise<string> {
  const password = randomBytes(32).toString('base64url');
  const draft = `${passwordFile(folder)}.new-${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(draft, 0o600);
  if (user !== undefined) await chown(draft, user.uid, user.gid);
  await rename(draft, passwordFile(folder));
  return password;
}
