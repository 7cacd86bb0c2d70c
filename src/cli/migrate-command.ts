// `flaghoist migrate`: brings the database to this version and model, and says what was done.

import { resolve } from 'node:path';
import { loadSettings } from '../config/load-settings.ts';
import { EmbeddedServer } from '../database/embedded/embedded-server.ts';
import { migrateServer } from '../database/migrate.ts';
import { waitForServer } from '../database/wait-for-server.ts';
import { loadModel } from '../model/read-model-file.ts';
import { createLog } from '../observability/log.ts';

export async function migrateCommand(): Promise<void> {
  const { settings } = loadSettings();
  const model = await loadModel(settings.modelFile);
  const observe = createLog({ level: settings.logLevel, format: settings.logFormat });
  const embedded =
    settings.databaseUrl === undefined
      ? await EmbeddedServer.start({ dataDir: resolve(settings.dataDir), observe, isBrief: true })
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
