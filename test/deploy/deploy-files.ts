// The files of `deploy/`, as text and parsed, for the tests that compare them with the service.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { SettingRow } from '../../packages/server/src/config/setting-row.ts';
import { settingsTable } from '../../packages/server/src/config/settings-table.ts';
import { projectFolder } from '../conventions/source-files.ts';

export const deployFolder = join(projectFolder, 'deploy');
export const chartFolder = join(deployFolder, 'helm/flaghoist');

/** Paths inside `deploy/`. What git ignores, such as secrets, is in nobody's checkout. */
export function deployFiles(): string[] {
  return readdirSync(deployFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(deployFolder.length + 1))
    .filter((path) => !/^compose\/secrets\/(?!\.gitignore|README\.md|.*\.example$)/.test(path))
    .sort();
}

export function readDeployed(path: string): string {
  return readFileSync(join(deployFolder, path), 'utf8');
}

/** The documents of a YAML file. Throws for a mistake and for a warning. */
export function parseYaml<T>(path: string): T[] {
  return parseAllDocuments(readDeployed(path), { merge: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw new Error(`${path}: ${problem.message}`);
    return document.toJS();
  });
}

export const settingRows: readonly SettingRow<unknown>[] = Object.values(settingsTable);
