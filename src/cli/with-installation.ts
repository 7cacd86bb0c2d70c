// Opens the installation that the settings name, for the length of one command: its database, the model and the same front
// door to objects that requests go through. Works beside a running service and without one, and needs no token: whoever
// can read the data folder or knows DATABASE_URL is the operator.

import { resolve } from 'node:path';
import type { Encryption } from '../auth/encryption/encryption.ts';
import { loadEncryption } from '../auth/encryption/encryption-key.ts';
import { accessRules } from '../auth/open-auth.ts';
import { systemClock } from '../clock.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { checkServer } from '../database/check-server.ts';
import { Database } from '../database/database.ts';
import { DatabaseAway, isDatabaseAway } from '../database/database-away.ts';
import { type ReachedServer, reachServer } from '../database/embedded/reach-server.ts';
import { migrateServer } from '../database/migrate.ts';
import { waitForServer } from '../database/wait-for-server.ts';
import { resendJobRules } from '../delivery/resend/resend-job-rules.ts';
import { OperatorError } from '../errors.ts';
import { localUrl } from '../http/listener.ts';
import { restPath } from '../http/routes/object-routes.ts';
import type { Model } from '../model/object-type.ts';
import { loadModel } from '../model/read-model-file.ts';
import { type Caller, serviceCaller } from '../objects/caller.ts';
import { type Objects, openObjects } from '../objects/objects.ts';
import { createLog } from '../observability/log.ts';
import type { Observation, Observe } from '../observability/observation.ts';

export interface Installation {
  settings: Settings;
  model: Model;
  database: Database;
  /** Only with `needsKey`. */
  encryption: Encryption;
  objects: Objects;
  /** As whom commands act: AuditLog shows it. */
  caller: Caller;
}

export interface InstallationOptions {
  settings?: Settings;
  /** Whether an empty folder or database becomes an installation. Without it, a wrong one is told and left as it is. */
  mayCreate?: boolean;
  /** Whether the command makes or replaces a secret. All others work without the encryption key. */
  needsKey?: boolean;
}

export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  { settings = loadSettings().settings, mayCreate = false, needsKey = false }: InstallationOptions = {},
): Promise<T> {
  const model = await loadModel(settings.modelFile);
  const observe = observeBeside(settings);
  const server = await reachDatabase(settings, observe, mayCreate);
  try {
    await migrate(server.url, model, { modelFile: settings.modelFile, observe, mayCreate });
    return await withDatabase(server.url, { settings, observe }, async (database) => {
      const encryption = needsKey ? await loadKey(settings, database) : withoutKey;
      const objects = openObjects(database, model, {
        restUrl: `${settings.baseUrl ?? localUrl(settings.host, settings.port)}${restPath}`,
        arrayObjectsMax: settings.arrayObjectsMax,
        rules: new Map([...accessRules(settings, encryption, systemClock), ['ResendJob', resendJobRules(systemClock)]]),
      });
      return work({ settings, model, database, encryption, objects, caller: serviceCaller('command line') });
    });
  } finally {
    await server.release();
  }
}

/**
 * A new key belongs beside the embedded database. With DATABASE_URL, this shell may have another data folder than the
 * service, which would then refuse to start.
 */
function loadKey(settings: Settings, database: Database): Promise<Encryption> {
  return loadEncryption(settings, database, { mayMakeKey: settings.databaseUrl === undefined });
}

/** What it throws is a bug in the command. */
const withoutKey: Encryption = {
  encrypt: refuseKey,
  decrypt: refuseKey,
  hashSecret: refuseKey,
  get proof() {
    return refuseKey();
  },
};

function refuseKey(): never {
  throw new Error('This command uses the encryption key, and does not say so (needsKey).');
}

/** What a command answers is on the standard output, for programs to read. */
function observeBeside({ logLevel }: Settings): Observe {
  const log = createLog({ level: logLevel, format: 'text' }, process.stderr);
  return (observation) => {
    if (!toldOtherwise.includes(observation.kind)) log(observation);
  };
}

/** A mistake that the database finds, or that it is gone, is told to the operator in other words; its settings, by the service. */
const toldOtherwise: string[] = [
  'database.message',
  'database.connectionLost',
  'database.unavailable',
  'database.available',
  'database.unsafe',
] satisfies Observation['kind'][];

async function reachDatabase(
  { databaseUrl, dataDir }: Settings,
  observe: Observe,
  mayCreate: boolean,
): Promise<ReachedServer> {
  if (databaseUrl === undefined) return reachServer(resolve(dataDir), observe, { mayCreate });
  await waitForServer(databaseUrl, observe);
  await checkServer(databaseUrl, observe);
  return { url: databaseUrl, release: async () => undefined };
}

interface MigrateOptions {
  modelFile: string | undefined;
  observe: Observe;
  mayCreate: boolean;
}

async function migrate(url: string, model: Model, { modelFile, observe, mayCreate }: MigrateOptions): Promise<void> {
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

async function withDatabase<T>(
  url: string,
  { settings, observe }: { settings: Settings; observe: Observe },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { statementTimeoutMs } = settings;
  const database = new Database({ url, observe, connectionsMax: 2, statementTimeoutMs });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
