// Runs initdb into a folder beside the final one and moves the result into place in one step.

import { chown, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClusterPlan } from './cluster-plan.ts';
import { passwordFile } from './database-password.ts';
import { explainOutput } from './explain-output.ts';
import { removeTree } from './remove-leftovers.ts';
import { folderArgument } from './run-as.ts';
import { runProgram } from './run-program.ts';

export async function initialiseCluster(plan: ClusterPlan, cluster: string, password: string): Promise<void> {
  const { folder, runAs, observe } = plan;
  const draft = `${cluster}.new-${process.pid}`;
  observe({ kind: 'database.initialising', folder });
  await removeTree(draft);
  try {
    await mkdir(draft, { mode: 0o700 });
    if (runAs.user !== undefined) await chown(draft, runAs.user.uid, runAs.user.gid);
    await runInitdb(plan, draft, password);
    await rename(draft, cluster);
    if (isDurable(plan)) await syncFolder(dirname(cluster));
  } catch (error) {
    await removeTree(draft);
    throw error;
  }
}

async function runInitdb(plan: ClusterPlan, draft: string, password: string): Promise<void> {
  const { binaries, runAs, folder } = plan;
  const file = await open(passwordFile(folder), 'r');
  try {
    const args = [...initdbArguments(plan), '-D', folderArgument(runAs, draft)];
    const initdb = await runProgram(runAs, binaries.initdb, args, { secret: password, cwd: draft, file: file.fd });
    if (!initdb.isSuccess) throw explainOutput('initdb could not make a new database', folder, initdb.lines);
  } finally {
    await file.close();
  }
}

function initdbArguments(plan: ClusterPlan): string[] {
  return [
    '--username=flaghoist',
    // Its path, too, may be closed to the user who runs initdb.
    `--pwfile=${plan.runAs.startsInside ? '/proc/self/fd/3' : passwordFile(plan.folder)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Unicode-aware upper and lower case, order by code point, the same on every machine.
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
  // Windows has no way to sync a folder.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
