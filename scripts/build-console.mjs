// Builds the page at /console, if its sources are newer than the last build. Vite writes the manifest, and the record
// of the build is written last.

import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = resolve(import.meta.dirname, '../packages/console');
const record = join(folder, 'dist/.built');

/** Whether the console is built from its sources as they are. */
export function isConsoleBuilt() {
  return existsSync(record) && newestSource() <= statSync(record).mtimeMs;
}

function newestSource() {
  const sources = readdirSync(join(folder, 'src'), { recursive: true }).map((path) => join(folder, 'src', path));
  const all = [...sources, ...['index.html', 'vite.config.ts', 'package.json'].map((name) => join(folder, name))];
  return Math.max(...all.map((path) => statSync(path).mtimeMs));
}

/** The root scripts and the tests call it. */
export async function buildConsole() {
  if (isConsoleBuilt()) return;
  const startedAt = new Date();
  const { build } = await import('vite');
  await build({ configFile: join(folder, 'vite.config.ts') });
  writeFileSync(record, startedAt.toISOString());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
