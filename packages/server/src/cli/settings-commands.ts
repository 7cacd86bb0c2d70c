// `flaghoist settings` prints every setting. `flaghoist check-config` finds mistakes in settings and model file without
// starting anything, and warns about settings that are valid but probably not intended.

import { resolve } from 'node:path';
import { type OutputOptions, printResult } from '@flaghoist/cli';
import { meantName } from '@flaghoist/source-text';
import { loadSettings } from '../config/load-settings.ts';
import { fileVariableOf } from '../config/read-secret-file.ts';
import type { SettingRow } from '../config/setting-row.ts';
import { type Settings, settingsTable } from '../config/settings-table.ts';
import { loadModel } from '../model/model-file/read-model-file.ts';

export function printSettings(options: OutputOptions): void {
  const rows: SettingRow<unknown>[] = Object.values(settingsTable);
  const describe = ({ variable, fallback, sentence, isSecret }: SettingRow<unknown>) => {
    const file = isSecret ? `, or a file with it: ${fileVariableOf(variable)}` : '';
    return `${variable}${fallback === undefined ? '' : `=${fallback}`}${file}\n    ${sentence}\n`;
  };
  const listed = rows.map(({ variable, fallback = null, sentence: description }) => ({
    variable,
    default: fallback,
    description,
  }));
  printResult(options, listed, rows.map(describe).join('\n'));
}

export async function checkConfig(options: OutputOptions): Promise<void> {
  const { settings, unknown } = loadSettings();
  const warnings = [...unknown.map(renderUnknown), ...warningsAbout(settings)];
  if (!options.json) for (const line of warnings) process.stdout.write(`${line}\n`);
  // Last, because it throws: a mistake in the model file must not hide mistakes in the settings.
  const { types } = await loadModel(settings.modelFile);
  const text = `The settings are valid, and so is the model with its ${types.size} object types.\n`;
  printResult(options, { isValid: true, objectTypes: types.size, warnings }, text);
}

const prefix = 'FLAGHOIST_';

/**
 * The setting that an unknown variable was probably meant to be. Names are compared without their common prefix, which
 * would make all of them look similar.
 */
export function meantVariable(unknown: string): string | undefined {
  const names = Object.values(settingsTable)
    .filter(({ variable }) => variable.startsWith(prefix))
    .map(({ variable }) => variable.slice(prefix.length));
  const meant = meantName(unknown.slice(prefix.length), names);
  return meant === undefined ? undefined : `${prefix}${meant}`;
}

function renderUnknown(variable: string): string {
  const meant = meantVariable(variable);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${variable} is set, but is not a setting of Flaghoist.${hint}`;
}

function warningsAbout({ environment, smtpUrl, dataDir }: Settings): string[] {
  if (environment !== 'production' || smtpUrl !== undefined) return [];
  return [
    'FLAGHOIST_SMTP_URL is not set: no mail is sent, not even alerts. Each mail is saved as a file in ' +
      `${resolve(dataDir, 'mail')}, on the machine of the process that sends it.`,
  ];
}
