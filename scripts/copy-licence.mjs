// Before `npm pack` packs a package, in its folder.

import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

copyFileSync(join(resolve(import.meta.dirname, '..'), 'LICENSE'), 'LICENSE');
