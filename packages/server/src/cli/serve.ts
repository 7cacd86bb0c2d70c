// `flaghoist serve`: starts the service, prints the first steps, and shuts down in order on a signal.

import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { OutputOptions } from '@flaghoist/cli';
import { isRunByNpx, loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { createLog } from '../observe/log.ts';
import type { Observe } from '../observe/observation.ts';
import { type Service, startService } from '../service.ts';
import { renderFirstSteps } from './first-steps.ts';
import { meantVariable } from './settings-commands.ts';

export async function serve({ json }: OutputOptions): Promise<void> {
  collectGarbageInTime();
  const parent = process.ppid;
  const { settings, unknown } = loadSettings();
  const format = { level: settings.logLevel, format: settings.logFormat };
  const log = json ? createLog(format, process.stderr) : createLog(format);
  for (const variable of unknown) log({ kind: 'settings.unknown', variable, meant: meantVariable(variable) });
  const service = await startService(settings, log);
  stopOnSignal(service, log, isRunByNpx() ? parent : undefined);
  process.stdout.write(json ? `${JSON.stringify(placesOf(service, settings))}\n` : welcome(service, settings));
}

/** A secret that was generated is shown once, here. */
function placesOf(service: Service, settings: Settings): unknown {
  const { baseUrl, localUrl, database, databaseVersion, bootstrapClient } = service;
  const hasApi = settings.roles.has('api');
  return {
    roles: [...settings.roles],
    url: hasApi ? baseUrl : null,
    localUrl,
    database: { kind: database, version: databaseVersion },
    dataDir: database === 'embedded' ? resolve(settings.dataDir) : null,
    firstClient: bootstrapClient
      ? { clientId: bootstrapClient.clientId, clientSecret: bootstrapClient.generatedSecret ?? null }
      : null,
  };
}

function welcome(service: Service, settings: Settings): string {
  const { baseUrl } = service;
  const hasApi = settings.roles.has('api');
  const database =
    service.database === 'embedded'
      ? `PostgreSQL ${service.databaseVersion}, embedded`
      : `PostgreSQL ${service.databaseVersion} at DATABASE_URL`;
  return `
  Flaghoist is ready.

${hasApi ? apiPlaces(baseUrl) : workerPlaces(service.localUrl)}
  Database   ${database}
  Data       ${service.database === 'embedded' ? resolve(settings.dataDir) : 'in the database'}

${hasApi ? renderFirstSteps(service, settings) : ''}`;
}

function apiPlaces(baseUrl: string): string {
  return `  API        ${baseUrl}/ws/rest
  Docs       ${baseUrl}/docs`;
}

/** A worker serves no API requests; other processes serve FLAGHOIST_BASE_URL. */
function workerPlaces(localUrl: string): string {
  return `  Roles      worker
  Health     ${localUrl}/health`;
}

/** Decision 16. V8 reads these options at each collection, so they need not be arguments of Node. */
function collectGarbageInTime(): void {
  setFlagsFromString('--heap-growing-percent=100');
  setFlagsFromString('--no-parallel-scavenge');
}

/**
 * A second signal exits immediately. `npx` sends a signal only to the shell that it runs the command in, so the end of
 * that shell (`parent`) is a signal, too: the service would otherwise keep running and keep its port.
 */
function stopOnSignal(service: Service, log: Observe, parent: number | undefined): void {
  let isStopping = false;
  const stop = async (signal: string) => {
    isStopping = true;
    clearInterval(watch);
    log({ kind: 'service.stopping', signal });
    await service.stop();
    log({ kind: 'service.stopped' });
  };
  const checkParent = () => {
    if (process.ppid !== parent) stop('end of npx');
  };
  const watch = parent === undefined ? undefined : setInterval(checkParent, parentPollMs).unref();
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => (isStopping ? process.exit(1) : stop(signal)));
}

const parentPollMs = 250;
