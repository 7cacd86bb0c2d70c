// Loads the encryption key: the configured key, or a key file in the data folder, which the first start creates.
// Verifies that the database was set up with the same key, because another key could decrypt nothing.

import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Settings } from '../../config/settings-table.ts';
import type { Database } from '../../database/database.ts';
import { OperatorError } from '../../errors.ts';
import { type Encryption, openEncryption } from './encryption.ts';
import { insertProof, selectProof } from './encryption-check-table.ts';

export type KeySettings = Pick<Settings, 'encryptionKey' | 'dataDir'>;

/** The configured key, or that of the data folder. */
export async function findKey(settings: KeySettings): Promise<Buffer | undefined> {
  return settings.encryptionKey ?? (await readKeyFile(keyFileOf(settings)));
}

export function keyFileOf({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(resolve(dataDir), 'encryption-key');
}

/** `mayMakeKey`: whether to create a key for a database that has none. */
export async function loadEncryption(
  settings: KeySettings,
  database: Database,
  { mayMakeKey = true } = {},
): Promise<Encryption> {
  const file = keyFileOf(settings);
  const [present] = await database.run(selectProof());
  // A new key would not match a database that was set up with another key.
  const mayMake = mayMakeKey && !present;
  const key = (await findKey(settings)) ?? (mayMake ? await saveKey(file, randomBytes(32)) : undefined);
  if (key === undefined) throw present ? missingKey(file) : noKeyYet(file);
  const encryption = openEncryption(key);
  await database.run(insertProof(encryption.proof));
  const [row] = await database.run(selectProof());
  if (row?.proof === encryption.proof) return encryption;
  throw settings.encryptionKey ? wrongSetting() : wrongFile(file);
}

const everyProcess =
  'every process on the same database needs the same key. If it is lost for good, see "The encryption key is ' +
  'lost" in docs/how-to/users-and-clients.md.';

function noKeyYet(file: string): OperatorError {
  return new OperatorError(
    `There is no encryption key: FLAGHOIST_ENCRYPTION_KEY is not set, and there is no file ${file}. ` +
      'Set FLAGHOIST_ENCRYPTION_KEY or FLAGHOIST_DATA_DIR as the service has it; ' +
      'the first start of the service creates a key.',
  );
}

function missingKey(file: string): OperatorError {
  return new OperatorError(
    `This database was set up with an encryption key that is not here: there is no file ${file}. Put it back, or ` +
      `set FLAGHOIST_ENCRYPTION_KEY; ${everyProcess}`,
  );
}

function wrongSetting(): OperatorError {
  return new OperatorError(
    `FLAGHOIST_ENCRYPTION_KEY is not the key that this database was set up with. Set it to that one; ${everyProcess}`,
  );
}

function wrongFile(file: string): OperatorError {
  return new OperatorError(
    `The encryption key in ${file} is not the one that this database was set up with. Put that file back, or set ` +
      `FLAGHOIST_ENCRYPTION_KEY; ${everyProcess}`,
  );
}

async function readKeyFile(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new OperatorError(`The encryption key ${file} cannot be read: ${error.message}.`);
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== 32)
    throw new OperatorError(
      `The file ${file} does not contain an encryption key of 32 bytes. Restore the original file.`,
    );
  return key;
}

/**
 * Stores the key in a file, unless there is one already, and returns the key of the file. A link makes the complete file
 * visible at once, and only the first of several processes can create it.
 */
export async function saveKey(file: string, key: Buffer): Promise<Buffer> {
  await mkdir(resolve(file, '..'), { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  const handle = await open(temporaryFile, 'wx', 0o600);
  try {
    await handle.writeFile(`${key.toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(temporaryFile, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporaryFile, { force: true });
  }
  return (await readKeyFile(file))!;
}
