// The embedded server for the length of a command: the one of the service that runs in the folder, or else one that is
// started, and stopped when the command is done with it.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Observe } from '../../observability/observation.ts';
import { FolderInUse } from './claim-folder.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { findRunningServer } from './find-running-server.ts';

export interface ReachedServer {
  url: string;
  /** Leaves a server that was running already as it is. */
  release(): Promise<void>;
}

export async function reachServer(dataDir: string, observe: Observe, patienceMs = 30_000): Promise<ReachedServer> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const url = await findRunningServer(dataDir);
    if (url !== undefined && (await takesConnections(url))) return { url, release: async () => undefined };
    try {
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
