// Before `npm start` and `npm run demo`: compiles what has changed. Without the compiler (`npm ci --omit=dev`), checks
// that the compiled code is newer than its sources, and otherwise says what to do.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildConsole, isConsoleBuilt } from './build-console.mjs';

const root = resolve(import.meta.dirname, '..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

if (existsSync(compiler)) await compile();
else checkCompiled();

async function compile() {
  const { status } = spawnSync(process.execPath, [compiler, '-b', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
  await buildConsole();
}

function checkCompiled() {
  const names = readdirSync(join(root, 'packages')).filter((name) => name !== 'console');
  if (names.every((name) => isCompiled(join(root, 'packages', name))) && isConsoleBuilt()) return;
  process.stderr.write(`
Flaghoist is not compiled, or its sources are newer than the compiled code. The compiler is not installed. Either

  npm ci && npm start       installs the compiler, too, and compiles

or install the packed packages, which are compiled: see docs/how-to/install.md.

`);
  process.exitCode = 1;
}

/** The compiler writes its own record last, whatever it has changed. */
function isCompiled(folder) {
  const record = join(folder, 'dist/.tsbuildinfo');
  return existsSync(record) && newestOf(join(folder, 'src')) <= statSync(record).mtimeMs;
}

function newestOf(folder) {
  const entries = readdirSync(folder, { recursive: true }).map((path) => statSync(join(folder, path)));
  return Math.max(...entries.filter((entry) => entry.isFile()).map(({ mtimeMs }) => mtimeMs));
}
