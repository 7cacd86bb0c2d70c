#!/usr/bin/env node
// The command `flaghoist`. It is not compiled, so that npm can link it before the first build.

import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('\nFlaghoist is not compiled. Run `npm run build` first.\n\n');
  process.exitCode = 1;
}
