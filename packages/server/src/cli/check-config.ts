// `flaghoist check-config`: finds mistakes in settings and model file without starting anything. Warns about settings
// that are valid but probably not intended.

import { resolve } from 'node:path';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { loadModel } from '../model/model-file/read-model-file.ts';
import { explainUnknown, renderUnknown } from './unknown-variables.ts';

export async function checkConfig(): Promise<void> {
  const { settings, unknown } = loadSettings();
  for (const variable of unknown) process.stdout.write(`${renderUnknown(explainUnknown(variable))}\n`);
  for (const warning of warningsAbout(settings)) process.stdout.write(`${warning}\n`);
  // Last, because it throws: a mistake in the model file must not hide mistakes in the settings.
  const { types } = await loadModel(settings.modelFile);
  process.stdout.write(`The settings are valid, and so is the model with its ${types.size} object types.\n`);
}

function warningsAbout({ environment, smtpUrl, dataDir }: Settings): string[] {
  if (environment !== 'production' || smtpUrl !== undefined) return [];
  return [
    'FLAGHOIST_SMTP_URL is not set: no mail is sent, not even alerts. Each mail is saved as a file in ' +
      `${resolve(dataDir, 'mail')}, on the machine of the process that sends it.`,
  ];
}
