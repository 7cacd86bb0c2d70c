// Makes sure that the data folder holds a database cluster that this user and these programs can run, and gives its
// password. A new cluster is made aside and moved into place when it is complete, so a killed initdb leaves nothing that
// looks like one; files that are no cluster are never overwritten.

import { chmod, chown, lstat, readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { type ClusterPlan, clusterFolder } from './cluster-plan.ts';
import { makePassword, readPassword } from './database-password.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { resetPassword } from './reset-password.ts';
import type { OsUser } from './run-as.ts';
import { hasErrorCode } from './system-error.ts';

export async function ensureCluster(plan: ClusterPlan): Promise<string> {
  const { folder, runAs } = plan;
  await removeLeftovers(folder);
  if (runAs.needsOpenFolder) await letOthersPass(folder);
  if (!(await isMade(folder))) {
    // A new one even if there is one: that file may belong to another user than the one who runs initdb.
    const newPassword = await makePassword(folder, runAs.user);
    await initialiseCluster(plan, clusterFolder(folder), newPassword);
    return newPassword;
  }
  await checkVersion(plan);
  await takeOwnership(clusterFolder(folder), runAs.user);
  return (await readPassword(folder)) ?? (await resetPassword(plan, clusterFolder(folder)));
}

async function isMade(folder: string): Promise<boolean> {
  const cluster = clusterFolder(folder);
  try {
    const names = await readdir(cluster);
    if (names.includes('PG_VERSION') && names.includes('global')) return true;
    if (names.length === 0) await rmdir(cluster);
    else throw new OperatorError(notACluster(cluster));
    return false;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function notACluster(cluster: string): string {
  return (
    `The folder ${cluster} has files in it but is not a PostgreSQL database. ` +
    'Restore it from a backup, or move it away to start with an empty database.'
  );
}

async function checkVersion({ folder, binaries }: ClusterPlan): Promise<void> {
  const cluster = clusterFolder(folder);
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version === binaries.majorVersion) return;
  throw new OperatorError(
    `The database in ${cluster} was made by PostgreSQL ${version}, and this Flaghoist brings PostgreSQL ` +
      `${binaries.majorVersion}. Dump it with the Flaghoist that made it (pg_dump), move the folder away, start once ` +
      'to get an empty database, and restore the dump into it.',
  );
}

/** PostgreSQL insists on owning its folder alone. */
async function takeOwnership(cluster: string, user: OsUser | undefined): Promise<void> {
  const { uid, mode } = await lstat(cluster);
  if (user !== undefined && uid !== user.uid) await giveAway(cluster, user);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(cluster, 0o700);
}

// Files of root's: a backup that root copied back.
async function giveAway(path: string, user: OsUser): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await giveAway(inner, user);
    else if (entry.isFile()) await chown(inner, user.uid, user.gid);
  }
  await chown(path, user.uid, user.gid);
}

async function letOthersPass(folder: string): Promise<void> {
  const { mode } = await lstat(folder);
  await chmod(folder, (mode & 0o777) | 0o011);
}
