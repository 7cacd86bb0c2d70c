// How a command reaches the database of the configured installation: the embedded server, of the running service or
// started for the command, or the server that DATABASE_URL names.

import { resolve } from 'node:path';
import type { ReachedServer } from '@flaghoist/embedded-postgres';
import type { Settings } from '../config/settings-table.ts';
import { checkServer } from '../database/check-server.ts';
import { DatabaseAway, isDatabaseAway } from '../database/database-away.ts';
import { reachEmbedded } from '../database/embedded-server.ts';
import { migrateServer } from '../database/migrate.ts';
import { ServerHosts } from '../database/server-hosts.ts';
import { waitForServer } from '../database/wait-for-server.ts';
import { OperatorError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { createLog } from '../observe/log.ts';
import type { Observation, Observe } from '../observe/observation.ts';

/** Logs to standard error, because programs read the result of the command from standard output. */
export function observeOnStderr({ logLevel }: Settings): Observe {
  const log = createLog({ level: logLevel, format: 'text' }, process.stderr);
  return (observation) => {
    if (!reportedElsewhere.includes(observation.kind)) log(observation);
  };
}

/**
 * Not logged: database errors and outages reach the operator as the error of the command. The service reports unsafe
 * settings of the database.
 */
const reportedElsewhere: string[] = [
  'database.message',
  'database.connectionLost',
  'database.unavailable',
  'database.primaryChanged',
  'database.available',
  'database.unsafe',
] satisfies Observation['kind'][];

export async function reachDatabase(
  { databaseUrl, dataDir }: Settings,
  observe: Observe,
  mayCreate: boolean,
): Promise<ReachedServer> {
  if (databaseUrl === undefined) return reachEmbedded({ dataDir: resolve(dataDir), observe, mayCreate });
  const hosts = new ServerHosts(databaseUrl, observe);
  await waitForServer(hosts, observe);
  await checkServer(hosts.url, observe);
  return { url: hosts.url, release: async () => undefined };
}

interface MigrateOptions {
  modelFile: string | undefined;
  observe: Observe;
  mayCreate: boolean;
}

/** Creates the tables in an empty database, if that is allowed. Any other must be up to date. */
export async function migrateEmpty(
  url: string,
  model: Model,
  { modelFile, observe, mayCreate }: MigrateOptions,
): Promise<void> {
  try {
    const steps = await migrateServer(url, model, { isEmptyOnly: true, mustExist: !mayCreate });
    if (steps.length > 0) observe({ kind: 'database.migrated', steps });
  } catch (error) {
    if (isDatabaseAway(error)) throw new DatabaseAway(error);
    if (!(error instanceof OperatorError) || modelFile !== undefined) throw error;
    throw new OperatorError(
      `${error.message}\nIf the service runs with FLAGHOIST_MODEL_FILE, set it to the same file for this command.`,
      { cause: error },
    );
  }
}
