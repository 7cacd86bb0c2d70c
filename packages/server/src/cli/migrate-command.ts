// `flaghoist migrate`: migrates the database to this version and model, and prints the steps.

import { resolve } from 'node:path';
import { loadSettings } from '../config/load-settings.ts';
import { startEmbedded } from '../database/embedded-server.ts';
import { migrateServer } from '../database/migrate.ts';
import { waitForServer } from '../database/wait-for-server.ts';
import { loadModel } from '../model/model-file/read-model-file.ts';
import { createLog } from '../observe/log.ts';

export async function migrateCommand(): Promise<void> {
  const { settings } = loadSettings();
  const model = await loadModel(settings.modelFile);
  const observe = createLog({ level: settings.logLevel, format: settings.logFormat });
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbedded({ dataDir: resolve(settings.dataDir), observe, isBrief: true })
      : undefined;
  try {
    const url = settings.databaseUrl ?? embedded!.url;
    await waitForServer(url, observe);
    const steps = await migrateServer(url, model);
    process.stdout.write(
      steps.length === 0 ? 'The database is up to date.\n' : `Done:\n${steps.map((step) => `- ${step}\n`).join('')}`,
    );
  } finally {
    await embedded?.stop();
  }
}
