// The service in its own process, as operators run it. Its log goes to a file, because it has a line per attempt.

import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import type { NodeProgram } from '../harness/node-program.ts';
import { clientSettings } from '../harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../harness/service-process.ts';

export interface ServiceOptions {
  databaseUrl: string;
  roles: 'api' | 'worker' | 'api,worker';
  /** The folder of the benchmark, for the log and the files of the service. */
  folder: string;
  nodeArgs?: string[];
  /** Another build than that of this checkout. */
  script?: string;
  settings?: Record<string, string>;
}

export interface Service {
  origin: string;
  program: NodeProgram;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { databaseUrl, roles, folder, nodeArgs = [], script } = options;
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: databaseUrl,
    FLAGHOIST_ROLES: roles,
    FLAGHOIST_BASE_URL: 'http://flaghoist.test',
    FLAGHOIST_DATA_DIR: join(folder, 'data'),
    // The same for all that are started on one database.
    FLAGHOIST_ENCRYPTION_KEY: '00'.repeat(32),
    ...clientSettings,
    ...options.settings,
  };
  const program = startServiceProcess({
    port,
    settings,
    nodeArgs,
    ...(script === undefined ? {} : { script }),
    outputFile: join(folder, 'service.log'),
  });
  if (!(await awaitReady(program, origin))) throw new Error(`The service does not start:\n${program.output}`);
  return { origin, program };
}

/** The default of the service, which the bare loop uses too. */
export const inFlight = 256;
export const inFlightPerReceiver = 10;
