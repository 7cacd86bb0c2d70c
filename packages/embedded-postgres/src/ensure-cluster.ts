// Makes sure that the data folder has a database cluster that this user and these programs can run, and returns its
// password. A new cluster is created under another name and renamed when it is complete, so a killed initdb leaves
// nothing that looks like a cluster. Files that are not a cluster are never overwritten.

import { chmod, chown, lstat, readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterPlan, clusterFolder } from './cluster-plan.ts';
import { createPassword, readPassword } from './database-password.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { resetPassword } from './reset-password.ts';
import type { OsUser } from './run-as.ts';
import { hasErrorCode } from './system-error.ts';

export async function ensureCluster(plan: ClusterPlan): Promise<string> {
  const { folder, runAs } = plan;
  await removeLeftovers(folder);
  if (runAs.needsOpenFolder) await allowTraversal(folder);
  if (!(await hasCluster(folder))) {
    // Replaces an existing password: its file may belong to another user than the one who runs initdb.
    const newPassword = await createPassword(folder, runAs.user);
    await initialiseCluster(plan, clusterFolder(folder), newPassword);
    return newPassword;
  }
  await checkVersion(plan);
  await takeOwnership(clusterFolder(folder), runAs.user);
  return (await readPassword(folder)) ?? (await resetPassword(plan, clusterFolder(folder)));
}

async function hasCluster(folder: string): Promise<boolean> {
  const cluster = clusterFolder(folder);
  try {
    const names = await readdir(cluster);
    if (names.includes('PG_VERSION') && names.includes('global')) return true;
    if (names.length === 0) await rmdir(cluster);
    else throw new EmbeddedServerError(notACluster(cluster));
    return false;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function notACluster(cluster: string): string {
  return (
    `The folder ${cluster} contains files but is not a PostgreSQL database. ` +
    'Restore it from a backup, or move it away to start with an empty database.'
  );
}

async function checkVersion({ folder, binaries }: ClusterPlan): Promise<void> {
  const cluster = clusterFolder(folder);
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version === binaries.majorVersion) return;
  throw new EmbeddedServerError(
    `The database in ${cluster} was created by PostgreSQL ${version}, but this program comes with PostgreSQL ` +
      `${binaries.majorVersion}. Dump it (pg_dump) with the version of this program that created it, move the folder ` +
      'away, start once to create an empty database, and restore the dump into it.',
  );
}

/** PostgreSQL refuses a folder that belongs to another user or is open to others. */
async function takeOwnership(cluster: string, user: OsUser | undefined): Promise<void> {
  const { uid, mode } = await lstat(cluster);
  if (user !== undefined && uid !== user.uid) await chownTree(cluster, user);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(cluster, 0o700);
}

// The files belong to root, for example after root restored a backup.
async function chownTree(path: string, user: OsUser): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await chownTree(inner, user);
    else if (entry.isFile()) await chown(inner, user.uid, user.gid);
  }
  await chown(path, user.uid, user.gid);
}

async function allowTraversal(folder: string): Promise<void> {
  const { mode } = await lstat(folder);
  await chmod(folder, (mode & 0o777) | 0o011);
}
