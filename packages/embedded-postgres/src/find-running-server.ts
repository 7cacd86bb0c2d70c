// Finds the server of the program that runs in a data folder, for commands that work beside it. Starts and stops
// nothing.

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isFolderServed } from './claim-folder.ts';
import { clusterFolder } from './cluster-plan.ts';
import { readPassword } from './database-password.ts';
import { readyPort } from './postmaster-file.ts';
import { nearestUrl } from './server-url.ts';
import { explainFolderError, hasErrorCode } from './system-error.ts';

export interface RunningServerOptions {
  dataDir: string;
  /** The name of the role, and of its database. */
  name: string;
}

/** Its URL; undefined if no server runs there, or it is not ready. */
export async function findRunningServer({ dataDir, name }: RunningServerOptions): Promise<string | undefined> {
  try {
    const folder = await realpath(dataDir);
    // A server that has outlived its process, or belongs to another command, is about to end.
    if (!(await isFolderServed(folder))) return undefined;
    const cluster = clusterFolder(folder);
    const [port, password] = [await readyPort(cluster), await readPassword(folder)];
    return port === undefined || password === undefined
      ? undefined
      : await nearestUrl({ name, password, port }, cluster);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw explainFolderError(resolve(dataDir), error);
  }
}
