// `flaghoist serve`: starts the service, prints the first steps, and shuts down in order on a signal.

import { resolve } from 'node:path';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { createLog } from '../observe/log.ts';
import type { Observe } from '../observe/observation.ts';
import { type Service, startService } from '../service.ts';
import { renderFirstSteps } from './first-steps.ts';
import { meantVariable } from './settings-commands.ts';

export async function serve(): Promise<void> {
  const { settings, unknown } = loadSettings();
  const log = createLog({ level: settings.logLevel, format: settings.logFormat });
  for (const variable of unknown) log({ kind: 'settings.unknown', variable, meant: meantVariable(variable) });
  const service = await startService(settings, log);
  stopOnSignal(service, log);
  process.stdout.write(welcome(service, settings));
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

/** A second signal exits immediately. */
function stopOnSignal(service: Service, log: Observe): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log({ kind: 'service.stopping', signal });
    await service.stop();
    log({ kind: 'service.stopped' });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
