// Makes sure that the data folder has a database cluster that this user and these programs can run, and returns its
// password. A new cluster is created under another name and renamed when it is complete, so a killed initdb leaves
// nothing that looks like a cluster. Files that are not a cluster are never overwritten.

import { chmod, chown, lstat, mkdir, open, readdir, readFile, rename, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ClusterPlan, clusterFolder } from './cluster-plan.ts';
import { createPassword, passwordFile, readPassword, resetPassword } from './database-password.ts';
import { EmbeddedServerError, explainOutput, hasErrorCode } from './embedded-server-error.ts';
import { removeLeftovers, removeTree } from './remove-leftovers.ts';
import { folderArgument, type OsUser } from './run-as.ts';
import { runProgram } from './run-program.ts';

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
      `${binaries.majorVersion}. Make a backup with the version of this program that created it, and restore it with ` +
      'this version into a new data folder.',
  );
}

/** PostgreSQL rejects a folder that belongs to another user or is open to others. */
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

/** Runs initdb in a folder beside the final one, and renames the result in one step. */
async function initialiseCluster(plan: ClusterPlan, cluster: string, password: string): Promise<void> {
  const { folder, runAs, onEvent } = plan;
  const staging = `${cluster}.new-${process.pid}`;
  onEvent({ kind: 'database.initialising', folder });
  await removeTree(staging);
  try {
    await mkdir(staging, { mode: 0o700 });
    if (runAs.user !== undefined) await chown(staging, runAs.user.uid, runAs.user.gid);
    await runInitdb(plan, staging, password);
    await rename(staging, cluster);
    if (isDurable(plan)) await syncFolder(dirname(cluster));
  } catch (error) {
    await removeTree(staging);
    throw error;
  }
}

async function runInitdb(plan: ClusterPlan, staging: string, password: string): Promise<void> {
  const { binaries, runAs, folder } = plan;
  const file = await open(passwordFile(folder), 'r');
  try {
    const args = [...initdbArguments(plan), '-D', folderArgument(runAs, staging)];
    const initdb = await runProgram(runAs, binaries.initdb, args, { secret: password, cwd: staging, file: file.fd });
    if (!initdb.isSuccess) throw explainOutput('initdb could not create a database', folder, initdb.lines);
  } finally {
    await file.close();
  }
}

function initdbArguments(plan: ClusterPlan): string[] {
  return [
    `--username=${plan.name}`,
    // The user who runs initdb may not be able to enter a folder above the file: it gets the open file instead.
    `--pwfile=${plan.runAs.startsInside ? '/proc/self/fd/3' : passwordFile(plan.folder)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Unicode upper and lower case, sorted by code point, the same on every machine.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(isDurable(plan) ? [] : ['--no-sync']),
  ];
}

function isDurable({ settings }: ClusterPlan): boolean {
  return settings.fsync !== 'off';
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
