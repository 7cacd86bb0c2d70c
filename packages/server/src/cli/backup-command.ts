// What `flaghoist backup` does: writes a backup of the configured installation to a file or to standard output.

import { stat } from 'node:fs/promises';
import type { OutputOptions } from '@flaghoist/cli';
import { findKey, keyFileOf } from '../auth/encryption/encryption-key.ts';
import { standardStream, writeWhole } from '../backup/backup-file.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { readServiceVersion } from '../describe/openapi/service-version.ts';
import { OperatorError } from '../errors.ts';
import { buildModel } from '../model/build-model.ts';
import { loadDeclarations } from '../model/model-file/read-model-file.ts';
import { migrateEmpty, observeOnStderr, reachDatabase } from './reach-database.ts';
import { renderCounts, showProgress } from './show-progress.ts';

interface BackupOptions extends OutputOptions {
  withEncryptionKey?: boolean;
}

export async function backupCommand(file: string, { json, withEncryptionKey = false }: BackupOptions): Promise<void> {
  if (file === standardStream && process.stdout.isTTY)
    throw new OperatorError('A backup is not written to a terminal. Redirect it: flaghoist backup - > <file>');
  const startedAt = performance.now();
  const { settings } = loadSettings();
  const { declarations, text } = await loadDeclarations(settings.modelFile);
  const encryptionKey = withEncryptionKey ? await requireKey(settings) : undefined;
  const observe = observeOnStderr(settings);
  const server = await reachDatabase(settings, observe, false);
  const progress = showProgress();
  try {
    const { modelFile } = settings;
    await migrateEmpty(server.url, buildModel(declarations), { modelFile, observe, mayCreate: false });
    const model = { declarations, file: text };
    const parts = { url: server.url, version: readServiceVersion(), model, encryptionKey, onProgress: progress.show };
    const counts = await writeWhole(file, (output) => writeBackup(parts, output));
    progress.clear();
    const fileBytes = file === standardStream ? null : (await stat(file)).size;
    const seconds = (performance.now() - startedAt) / 1_000;
    const result = { file, ...counts, fileBytes, seconds, hasEncryptionKey: withEncryptionKey };
    const said = `Backed up ${renderCounts(counts, seconds)}.\n${aboutKey(withEncryptionKey)}`;
    // Standard output may have the backup.
    const output = file === standardStream ? process.stderr : process.stdout;
    output.write(json ? `${JSON.stringify(result, null, 2)}\n` : said);
  } finally {
    progress.clear();
    await server.release();
  }
}

async function requireKey(settings: Settings): Promise<Buffer> {
  const key = await findKey(settings);
  if (key) return key;
  throw new OperatorError(
    `There is no encryption key to store: FLAGHOIST_ENCRYPTION_KEY is not set, and there is no file ` +
      `${keyFileOf(settings)}.`,
  );
}

function aboutKey(isStored: boolean): string {
  return isStored
    ? 'It has the encryption key: the file is enough to read all secrets.\n'
    : 'The encryption key is not in it. Keep the key elsewhere: a backup cannot be restored without it.\n';
}
