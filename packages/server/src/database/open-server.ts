// Opens the PostgreSQL server that the settings name. A separate server is checked before use. The embedded server is
// started and stopped with the service.

import { resolve } from 'node:path';
import type { Settings } from '../config/settings-table.ts';
import type { Observe } from '../observe/observation.ts';
import { checkServer } from './check-server.ts';
import { startEmbedded } from './embedded-server.ts';
import { ServerHosts } from './server-hosts.ts';
import { waitForServer } from './wait-for-server.ts';

export interface OpenedServer {
  /** One of them could be used when the server was opened. */
  hosts: ServerHosts;
  /** The version of PostgreSQL. */
  version: string;
  close(): Promise<void>;
}

type ServerSettings = Pick<Settings, 'databaseUrl' | 'dataDir' | 'databaseConnections'>;

export async function openServer(settings: ServerSettings, observe: Observe): Promise<OpenedServer> {
  const startedAt = performance.now();
  const source = settings.databaseUrl ? 'server' : 'embedded';
  const { url, close } = settings.databaseUrl
    ? { url: settings.databaseUrl, close: async () => undefined }
    : await startInDataFolder(settings, observe);
  try {
    const hosts = new ServerHosts(url, observe);
    const version = await waitForServer(hosts, observe);
    if (source === 'server') await checkServer(hosts.url, observe);
    observe({ kind: 'database.started', version, source, startupMs: Math.round(performance.now() - startedAt) });
    return { hosts, version, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connections for migration, demo and psql, in addition to those of the service. */
const connectionsToSpare = 50;

async function startInDataFolder(
  { dataDir, databaseConnections }: ServerSettings,
  observe: Observe,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = await startEmbedded({
    dataDir: resolve(dataDir),
    observe,
    settings: { max_connections: String(databaseConnections + connectionsToSpare) },
  });
  return { url: server.url, close: () => server.stop() };
}
