// The embedded server for the length of a command: the server of the service that runs in the folder, or otherwise one
// that is started for the command and stopped after it.

import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { FolderInUse, isFolderServed } from './claim-folder.ts';
import { clusterFolder } from './cluster-plan.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';
import { findRunningServer, type RunningServerOptions } from './find-running-server.ts';
import type { OnEvent } from './server-event.ts';
import { hasErrorCode } from './system-error.ts';

export interface ReachedServer {
  url: string;
  /** Stops the server if it was started for this command. */
  release(): Promise<void>;
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
 * Changes nothing. A service that is creating its database at this moment is waited for; if it dies before the database is
 * complete, there is none.
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
