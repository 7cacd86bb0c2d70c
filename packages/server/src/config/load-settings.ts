// Loads the settings from the environment, and secrets from the files that it names. The only file that reads
// `process.env`. Reports all problems at once.

import { OperatorError } from '../errors.ts';
import { fileVariableOf, readSecretFile } from './read-secret-file.ts';
import type { SettingRow } from './setting-row.ts';
import { type Settings, settingsTable } from './settings-table.ts';

export type Environment = Record<string, string | undefined>;

export interface LoadedSettings {
  settings: Settings;
  /** Variables that look like settings but are not: probably spelling mistakes. */
  unknown: string[];
}

export function loadSettings(environment: Environment = process.env): LoadedSettings {
  const problems: string[] = [];
  const given = new Map<string, string>();
  const entries = Object.entries(settingsTable).map(([name, row]) => [
    name,
    readSetting(row as SettingRow<unknown>, { environment, given, problems }),
  ]);
  if (problems.length > 0)
    throw new OperatorError(`These settings are invalid:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  const known = new Set<string>([...Object.values(settingsTable).flatMap(variablesOf), ...ofClients]);
  const unknown = Object.keys(environment).filter((name) => name.startsWith('FLAGHOIST_') && !known.has(name));
  return { settings: { ...Object.fromEntries(entries), given } as Settings, unknown };
}

/** `npx` sets this, as npm does for its scripts. */
export function isRunByNpx(environment: Environment = process.env): boolean {
  return environment.npm_lifecycle_event === 'npx';
}

/** What the commands that talk to a service read: they may run in the same shell. */
const ofClients = ['FLAGHOIST_URL', 'FLAGHOIST_CLIENT_ID', 'FLAGHOIST_CLIENT_SECRET'];

interface Reading {
  environment: Environment;
  given: Map<string, string>;
  problems: string[];
}

function variablesOf({ variable, isSecret }: SettingRow<unknown>): string[] {
  return isSecret ? [variable, fileVariableOf(variable)] : [variable];
}

function readSetting(row: SettingRow<unknown>, { environment, given, problems }: Reading): unknown {
  const written = row.isSecret ? readSecret(row.variable, environment, problems) : environment[row.variable];
  const isGiven = written !== undefined && (written !== '' || row.isEmptyGiven);
  if (isGiven) given.set(row.variable, row.isSecret ? '' : written);
  const text = isGiven ? written : row.fallback;
  if (text === undefined) return undefined;
  try {
    return row.parse(text);
  } catch (error) {
    problems.push(`${row.variable} ${(error as Error).message}.`);
    return undefined;
  }
}

function readSecret(variable: string, environment: Environment, problems: string[]): string | undefined {
  const fileVariable = fileVariableOf(variable);
  const [written, path] = [environment[variable], environment[fileVariable]];
  if (path === undefined || path === '') return written;
  try {
    if (written !== undefined && written !== '') throw new Error(`is set, and ${variable} is too. Set one of them`);
    return readSecretFile(path);
  } catch (error) {
    problems.push(`${fileVariable} ${(error as Error).message}.`);
    return undefined;
  }
}
