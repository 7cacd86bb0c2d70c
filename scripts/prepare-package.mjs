// Before `npm pack` packs a compiled package, in its folder and after the compiler: removes what was compiled from
// sources that are gone, and copies the licence.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import './copy-licence.mjs';

const compiled = /\.(js|d\.ts)(\.map)?$/;

for (const path of readdirSync('dist', { recursive: true }).filter((name) => compiled.test(name)))
  if (!existsSync(join('src', path.replace(compiled, '.ts')))) rmSync(join('dist', path));
