// The embedded server for the length of a command: the server of the service that runs in the folder, or otherwise one
// that is started for the command and stopped after it.

import { readdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { FolderInUse, isFolderServed } from './claim-folder.ts';
import { clusterFolder } from './cluster-plan.ts';
import { readPassword } from './database-password.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { EmbeddedServerError, explainFolderError, hasErrorCode } from './embedded-server-error.ts';
import { readyPort } from './postmaster-file.ts';
import type { OnEvent } from './server-event.ts';
import { nearestUrl } from './server-url.ts';

export interface ReachedServer {
  url: string;
  /** Stops the server if it was started for this command. */
  release(): Promise<void>;
}

export interface RunningServerOptions {
  dataDir: string;
  /** The name of the role, and of its database. */
  name: string;
}

export interface ReachServerOptions extends RunningServerOptions {
  onEvent?: OnEvent;
  /** Whether to create a database if the folder has none. */
  mayCreate?: boolean;
  /** How long to wait while the folder is in use and its server is not ready. */
  timeoutMs?: number;
}

export async function reachServer(options: ReachServerOptions): Promise<ReachedServer> {
  const { dataDir, name, onEvent, mayCreate = false, timeoutMs = 30_000 } = options;
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const url = await findRunningServer({ dataDir, name });
    if (url !== undefined && (await acceptsConnections(url))) return { url, release: async () => undefined };
    try {
      if (!mayCreate) await requireDatabase(dataDir);
      const server = await EmbeddedServer.start({ dataDir, name, onEvent, isBrief: true });
      return { url: server.url, release: () => server.stop() };
    } catch (error) {
      // The holder may be a service that is starting, stopping or restarting its server, or another command.
      if (!(error instanceof FolderInUse) || performance.now() > giveUpAt) throw error;
    }
    await sleep(pauseMs);
  }
}

const pauseMs = 100;

/**
 * The URL of the server of the program that runs in the folder; undefined if none runs there or it is not ready. Starts
 * and stops nothing.
 */
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

/**
 * Changes nothing. A service that is creating its database at this moment is waited for; if it dies before the database
 * is complete, there is none.
 */
async function requireDatabase(dataDir: string): Promise<void> {
  if (!(await isMissing(clusterFolder(dataDir)))) return;
  if (!(await isMissing(dataDir)) && (await isFolderServed(dataDir)))
    throw new FolderInUse(
      `A service is creating the database in the data folder ${dataDir}. Run the command again when it is ready.`,
    );
  throw new EmbeddedServerError(
    `There is no database in the data folder ${dataDir}. Use the data folder of the service, or the separate ` +
      'PostgreSQL server that it uses. The first start of the service creates the database.',
  );
}

/** Or empty. A folder that cannot be read is not missing: starting the server reports what is wrong with it. */
async function isMissing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return hasErrorCode(error, 'ENOENT');
  }
}

/** On the very first start the server is ready a moment before its database exists. */
async function acceptsConnections(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
