// Keeps the password of the database's only role in a file that nobody else can read. It is generated once and never
// leaves this machine.

import { randomBytes } from 'node:crypto';
import { chmod, chown, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { OsUser } from './run-as.ts';
import { hasErrorCode } from './system-error.ts';

export function passwordFile(folder: string): string {
  return join(folder, 'postgres-password');
}

/** Undefined: the file is missing, or does not contain a password of this package. */
export async function readPassword(folder: string): Promise<string | undefined> {
  try {
    const password = (await readFile(passwordFile(folder), 'utf8')).trim();
    return /^[\w-]{32,}$/.test(password) ? password : undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Replaces the password. `user` runs initdb and must be able to read the file. */
export async function createPassword(folder: string, user: OsUser | undefined): Promise<string> {
  const password = randomBytes(32).toString('base64url');
  const staging = `${passwordFile(folder)}.new-${process.pid}`;
  const file = await open(staging, 'w', 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(staging, 0o600);
  if (user !== undefined) await chown(staging, user.uid, user.gid);
  await rename(staging, passwordFile(folder));
  return password;
}
