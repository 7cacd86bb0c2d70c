// Runs initdb in a folder beside the final one, and renames the result in one step.

import { chown, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClusterPlan } from './cluster-plan.ts';
import { passwordFile } from './database-password.ts';
import { explainOutput } from './explain-output.ts';
import { removeTree } from './remove-leftovers.ts';
import { folderArgument } from './run-as.ts';
import { runProgram } from './run-program.ts';

export async function initialiseCluster(plan: ClusterPlan, cluster: string, password: string): Promise<void> {
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
