// `flaghoist check-config`: finds mistakes in settings and model file without starting anything.

import { loadSettings } from '../config/load-settings.ts';
import { loadModel } from '../model/read-model-file.ts';

export async function checkConfig(): Promise<void> {
  const { settings, unknown } = loadSettings();
  const { types } = await loadModel(settings.modelFile);
  for (const variable of unknown) process.stdout.write(`${variable} is set, but is no setting of Flaghoist.\n`);
  process.stdout.write(`The settings are usable, and so is the model with its ${types.size} object types.\n`);
}
