// A newer version of the service: this one with one more migration.

import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Returns its program. Gone with the test. */
export function makeNewerVersion(migration: string, sql: string): string {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-newer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['dist', 'migrations', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, '../../node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'migrations', migration), sql);
  return join(folder, 'dist/main.js');
}
