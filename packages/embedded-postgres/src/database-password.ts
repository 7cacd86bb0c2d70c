// Keeps the password of the database's only role in a file that only its owner can read. It never leaves this machine.

import { randomBytes } from 'node:crypto';
import { chmod, chown, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterPlan } from './cluster-plan.ts';
import { explainOutput, hasErrorCode } from './embedded-server-error.ts';
import { folderArgument, type OsUser } from './run-as.ts';
import { runProgram } from './run-program.ts';

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

/**
 * Sets a new password when the password file is lost, for example after only the cluster was restored from a backup. No
 * server may be running on the cluster.
 */
export async function resetPassword(plan: ClusterPlan, cluster: string): Promise<string> {
  const { folder, name, binaries, runAs } = plan;
  const password = await createPassword(folder, runAs.user);
  const args = ['--single', '-j', '-D', folderArgument(runAs, cluster), 'postgres'];
  const input = `ALTER ROLE "${name}" PASSWORD '${password}';\n`;
  const run = await runProgram(runAs, binaries.postgres, args, { secret: password, cwd: cluster, input });
  if (!run.isSuccess) throw explainOutput('its password could not be reset', folder, run.lines);
  return password;
}
