// What `flaghoist restore` does: restores a backup into the configured database, which must be empty.

import { resolve } from 'node:path';
import { type OutputOptions, printResult } from '@flaghoist/cli';
import { keyFileOf, saveKey } from '../auth/encryption/encryption-key.ts';
import { readFrom, standardStream } from '../backup/backup-file.ts';
import { parseHeader } from '../backup/backup-header.ts';
import { BackupReader } from '../backup/backup-reader.ts';
import { checkKey } from '../backup/check-key.ts';
import { checkVersion } from '../backup/check-version.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { loadSettings } from '../config/load-settings.ts';
import { OperatorError } from '../errors.ts';
import { loadModel } from '../model/model-file/read-model-file.ts';
import { observeOnStderr, reachDatabase } from './reach-database.ts';
import { renderCounts, showProgress } from './show-progress.ts';

export async function restoreCommand(file: string, options: OutputOptions): Promise<void> {
  if (file === standardStream && process.stdin.isTTY)
    throw new OperatorError('A backup is not read from a terminal. Redirect it: flaghoist restore - < <file>');
  const startedAt = performance.now();
  const { settings } = loadSettings();
  const model = await loadModel(settings.modelFile);
  const source = readFrom(file);
  const progress = showProgress();
  try {
    const reader = new BackupReader(source);
    const header = parseHeader(await reader.readLine());
    await checkVersion(header);
    const newKey = await checkKey(header, settings);
    const keyFile = keyFileOf(settings);
    const beforeCommit = async () => void (newKey && (await saveKey(keyFile, newKey)));
    const server = await reachDatabase(settings, observeOnStderr(settings), true);
    try {
      const parts = { url: server.url, model, beforeCommit, onProgress: progress.show };
      const { migrations, ...counts } = await restoreBackup(header, reader, parts);
      progress.clear();
      const seconds = (performance.now() - startedAt) / 1_000;
      const { version, createdAt } = header;
      const result = {
        file,
        version,
        createdAt,
        ...counts,
        seconds,
        savedKeyFile: newKey ? keyFile : null,
        migrations,
      };
      const target = settings.databaseUrl === undefined ? resolve(settings.dataDir) : 'the database at DATABASE_URL';
      const said = `Restored ${renderCounts(counts, seconds)} into ${target}.
The backup was made by Flaghoist ${version} at ${createdAt}.
${newKey ? `The encryption key is in ${keyFile}.\n` : ''}Never start the original again: both would send the same \
notifications. Now start the service.\n`;
      printResult(options, result, said);
    } finally {
      await server.release();
    }
  } finally {
    progress.clear();
    source.destroy();
  }
}
