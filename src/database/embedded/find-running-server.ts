// Finds the server of the service that runs in a data folder, for commands that work beside it. Starts and stops nothing.

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isFolderServed } from './claim-folder.ts';
import { clusterFolder } from './cluster-plan.ts';
import { readPassword } from './database-password.ts';
import { nearestUrl } from './launch-server.ts';
import { readyPort } from './postmaster-file.ts';
import { explainFolderError, hasErrorCode } from './system-error.ts';

/** Its URL; undefined where none runs, or none is ready. */
export async function findRunningServer(dataDir: string): Promise<string | undefined> {
  try {
    const folder = await realpath(dataDir);
    // A server that has outlived its process, or belongs to another command, is about to end.
    if (!(await isFolderServed(folder))) return undefined;
    const cluster = clusterFolder(folder);
    const [port, password] = [await readyPort(cluster), await readPassword(folder)];
    return port === undefined || password === undefined ? undefined : await nearestUrl(password, port, cluster);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw explainFolderError(resolve(dataDir), error);
  }
}
