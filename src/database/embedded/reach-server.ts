// The embedded server for the length of a command: the one of the service that runs in the folder, or else one that is
// started, and stopped when the command is done with it.

import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { OperatorError } from '../../errors.ts';
import type { Observe } from '../../observability/observation.ts';
import { FolderInUse, isFolderServed } from './claim-folder.ts';
import { clusterFolder } from './cluster-plan.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { findRunningServer } from './find-running-server.ts';
import { hasErrorCode } from './system-error.ts';

export interface ReachedServer {
  url: string;
  /** Leaves a server that was running already as it is. */
  release(): Promise<void>;
}

export interface ReachOptions {
  /** Whether a folder without a database gets one. */
  mayCreate?: boolean;
  patienceMs?: number;
}

export async function reachServer(
  dataDir: string,
  observe: Observe,
  { mayCreate = false, patienceMs = 30_000 }: ReachOptions = {},
): Promise<ReachedServer> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const url = await findRunningServer(dataDir);
    if (url !== undefined && (await takesConnections(url))) return { url, release: async () => undefined };
    try {
      if (!mayCreate) await refuseWithoutDatabase(dataDir);
      const server = await EmbeddedServer.start({ dataDir, observe, isBrief: true });
      return { url: server.url, release: () => server.stop() };
    } catch (error) {
      // A service that is just starting, stopping, or starting its server again; or another command.
      if (!(error instanceof FolderInUse) || performance.now() > giveUpAt) throw error;
    }
    await sleep(pauseMs);
  }
}

const pauseMs = 100;

/**
 * Looks, and touches nothing. A service that is making its database at this moment is waited for; if it dies before the
 * database is complete, there is none.
 */
async function refuseWithoutDatabase(dataDir: string): Promise<void> {
  if (!(await isMissing(clusterFolder(dataDir)))) return;
  if (!(await isMissing(dataDir)) && (await isFolderServed(dataDir)))
    throw new FolderInUse(
      `A service is making the database in the data folder ${dataDir}. Run the command again when it is ready.`,
    );
  throw new OperatorError(
    `There is no database in the data folder ${dataDir}. Set FLAGHOIST_DATA_DIR or DATABASE_URL as the ` +
      'service has it; the first start of the service makes the database.',
  );
}

/** Or empty. A folder that cannot be read is there: the start of the server says what is wrong with it. */
async function isMissing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return hasErrorCode(error, 'ENOENT');
  }
}

/** On the very first start the server is ready a moment before it has our database. */
async function takesConnections(url: string): Promise<boolean> {
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
