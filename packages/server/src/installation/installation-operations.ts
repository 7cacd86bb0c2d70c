// `GET /ws/rest/installation` and `POST /ws/rest/installation/demo`.

import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import { showSettings } from '../config/show-settings.ts';
import type { Database } from '../database/database.ts';
import type { RecentBacklog } from '../deliver/backlog/recent-backlog.ts';
import { selectWorkers } from '../deliver/workers/worker-table.ts';
import type { DemoFleet } from '../demo/demo-fleet.ts';
import { readServiceVersion } from '../describe/openapi/service-version.ts';
import type { OperationHandler } from '../objects/action-call.ts';
import { queueNames } from '../observe/backlog.ts';

export interface InstallationParts {
  settings: Settings;
  clock: Clock;
  database: Database;
  databaseVersion: string;
  baseUrl: string;
  backlog: RecentBacklog;
  demo: DemoFleet;
}

export function readInstallation(parts: InstallationParts): OperationHandler {
  const { settings, clock, baseUrl, demo } = parts;
  const environment = settings.environment.toUpperCase();
  const constant = { environment, version: readServiceVersion(), baseUrl, startedAt: clock.now().toISOString() };
  return async ({ scopes }) => {
    const forAdministrators = scopes.has('admin') ? await readForAdministrators(parts) : hiddenFromOthers;
    return JSON.stringify({ ...constant, demo: await demo.read(), ...forAdministrators });
  };
}

const hiddenFromOthers = { database: null, settings: null, workers: null, queues: null };

async function readForAdministrators({ settings, database, databaseVersion, backlog }: InstallationParts) {
  const [workers, queues] = await Promise.all([database.run(selectWorkers()), backlog.read()]);
  return {
    database: { kind: settings.databaseUrl === undefined ? 'EMBEDDED' : 'SERVER', version: databaseVersion },
    settings: showSettings(settings),
    workers,
    // Null if counting takes too long.
    queues: queues ? queueNames.map((name) => ({ name, ...queues[name] })) : null,
  };
}

export function changeDemoFleet({ demo }: Pick<InstallationParts, 'demo'>): OperationHandler {
  return async ({ given, caller }) => {
    if (given.get('action') === 'START') await demo.start(caller);
    else await demo.stop();
    return JSON.stringify({ demo: await demo.read() });
  };
}
