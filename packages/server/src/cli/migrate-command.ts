// `flaghoist migrate`: migrates the database to this version and model, and prints the steps.

import { resolve } from 'node:path';
import { type OutputOptions, printResult } from '@flaghoist/cli';
import { loadSettings } from '../config/load-settings.ts';
import { startEmbedded } from '../database/embedded-server.ts';
import { migrateServer } from '../database/migrate.ts';
import { ServerHosts } from '../database/server-hosts.ts';
import { waitForServer } from '../database/wait-for-server.ts';
import { loadModel } from '../model/model-file/read-model-file.ts';
import { createLog } from '../observe/log.ts';

export async function migrateCommand(options: OutputOptions): Promise<void> {
  const { settings } = loadSettings();
  const model = await loadModel(settings.modelFile);
  const format = { level: settings.logLevel, format: settings.logFormat };
  const observe = options.json ? createLog(format, process.stderr) : createLog(format);
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbedded({ dataDir: resolve(settings.dataDir), observe, isBrief: true })
      : undefined;
  try {
    const hosts = new ServerHosts(settings.databaseUrl ?? embedded!.url, observe);
    await waitForServer(hosts, observe);
    const steps = await migrateServer(hosts.url, model);
    const done = `Done:\n${steps.map((step) => `- ${step}\n`).join('')}`;
    printResult(options, { steps }, steps.length === 0 ? 'The database is up to date.\n' : done);
  } finally {
    await embedded?.stop();
  }
}
