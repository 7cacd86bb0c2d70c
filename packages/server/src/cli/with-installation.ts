// Opens the configured installation for one command: its database, the model, and the same object operations that
// requests use. Works with and without a running service, and needs no token: access to the data folder or to
// DATABASE_URL makes the user an operator.

import { resolve } from 'node:path';
import type { ReachedServer } from '@flaghoist/embedded-postgres';
import { accessRules } from '../auth/clients/client-rules.ts';
import type { Encryption } from '../auth/encryption/encryption.ts';
import { loadEncryption } from '../auth/encryption/encryption-key.ts';
import { systemClock } from '../clock.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { checkServer } from '../database/check-server.ts';
import { Database } from '../database/database.ts';
import { DatabaseAway, isDatabaseAway } from '../database/database-away.ts';
import { reachEmbedded } from '../database/embedded-server.ts';
import { migrateServer } from '../database/migrate.ts';
import { ServerHosts } from '../database/server-hosts.ts';
import { waitForHosts } from '../database/wait-for-server.ts';
import { localUrl } from '../edge/listener.ts';
import { OperatorError } from '../errors.ts';
import { loadModel } from '../model/model-file/read-model-file.ts';
import type { Model } from '../model/object-type.ts';
import { type Caller, serviceCaller } from '../objects/caller.ts';
import { type Objects, openObjects } from '../objects/objects.ts';
import { createLog } from '../observe/log.ts';
import type { Observation, Observe } from '../observe/observation.ts';
import { restPath } from '../paths.ts';

export interface Installation {
  settings: Settings;
  model: Model;
  database: Database;
  /** Usable only with `needsKey`. */
  encryption: Encryption;
  objects: Objects;
  /** The public URL of the service. */
  baseUrl: string;
  links: { restUrl: string };
  /** The caller that commands act as, shown in AuditLog. */
  caller: Caller;
}

export interface InstallationOptions {
  settings?: Settings;
  /** Whether to set up an empty folder or database. Otherwise it is reported as a mistake and left unchanged. */
  mayCreate?: boolean;
  /** Whether the command creates or replaces a secret. All other commands work without the encryption key. */
  needsKey?: boolean;
}

export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  { settings = loadSettings().settings, mayCreate = false, needsKey = false }: InstallationOptions = {},
): Promise<T> {
  const model = await loadModel(settings.modelFile);
  const observe = observeOnStderr(settings);
  const server = await reachDatabase(settings, observe, mayCreate);
  let database: Database | undefined;
  try {
    await migrate(server.url, model, { modelFile: settings.modelFile, observe, mayCreate });
    const { statementTimeoutMs, arrayObjectsMax } = settings;
    database = new Database({ url: server.url, observe, connectionsMax: 2, statementTimeoutMs });
    const encryption = needsKey ? await loadKey(settings, database) : withoutKey;
    const baseUrl = settings.baseUrl ?? localUrl(settings.host, settings.port);
    const links = { restUrl: `${baseUrl}${restPath}` };
    const rules = accessRules(settings, encryption, systemClock);
    const objects = openObjects(database, model, { ...links, arrayObjectsMax, rules });
    const caller = serviceCaller('command line');
    return await work({ settings, model, database, encryption, objects, baseUrl, links, caller });
  } finally {
    await database?.close();
    await server.release();
  }
}

/**
 * A new key may only be created next to the embedded database. With DATABASE_URL, this shell may have another data
 * folder than the service, which would then fail to start.
 */
function loadKey(settings: Settings, database: Database): Promise<Encryption> {
  return loadEncryption(settings, database, { mayMakeKey: settings.databaseUrl === undefined });
}

/** Using it is a bug in the command. */
const withoutKey: Encryption = {
  encrypt: failWithoutKey,
  decrypt: failWithoutKey,
  hashSecret: failWithoutKey,
  get proof() {
    return failWithoutKey();
  },
};

function failWithoutKey(): never {
  throw new Error('This command uses the encryption key, and does not say so (needsKey).');
}

/** Logs to standard error, because programs read the result of the command from standard output. */
function observeOnStderr({ logLevel }: Settings): Observe {
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

async function reachDatabase(
  { databaseUrl, dataDir }: Settings,
  observe: Observe,
  mayCreate: boolean,
): Promise<ReachedServer> {
  if (databaseUrl === undefined) return reachEmbedded({ dataDir: resolve(dataDir), observe, mayCreate });
  const hosts = new ServerHosts(databaseUrl, observe);
  await waitForHosts(hosts, observe);
  await checkServer(hosts.url, observe);
  return { url: hosts.url, release: async () => undefined };
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
