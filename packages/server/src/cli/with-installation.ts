// Opens the configured installation for one command: its database, the model, and the same object operations that
// requests use. Works with and without a running service, and needs no token: access to the data folder or to
// DATABASE_URL makes the user an operator.

import { accessRules } from '../auth/clients/client-rules.ts';
import type { Encryption } from '../auth/encryption/encryption.ts';
import { loadEncryption } from '../auth/encryption/encryption-key.ts';
import { systemClock } from '../clock.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { Database } from '../database/database.ts';
import { localUrl } from '../edge/listener.ts';
import { loadModel } from '../model/model-file/read-model-file.ts';
import type { Model } from '../model/object-type.ts';
import { type Caller, serviceCaller } from '../objects/caller.ts';
import { type Objects, openObjects } from '../objects/objects.ts';
import { restPath } from '../paths.ts';
import { migrateEmpty, observeOnStderr, reachDatabase } from './reach-database.ts';

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
    await migrateEmpty(server.url, model, { modelFile: settings.modelFile, observe, mayCreate });
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
