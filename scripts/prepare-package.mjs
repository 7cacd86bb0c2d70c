// Before `npm pack` packs a package, in its folder and after the compiler: removes what was compiled from sources that
// are gone, and copies the licence.

import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const compiled = /\.(js|d\.ts)(\.map)?$/;

for (const path of readdirSync('dist', { recursive: true }).filter((name) => compiled.test(name)))
  if (!existsSync(join('src', path.replace(compiled, '.ts')))) rmSync(join('dist', path));

copyFileSync(join(root, 'LICENSE'), 'LICENSE');
