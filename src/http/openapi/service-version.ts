// The version of the service, as its package says.

import { readFileSync } from 'node:fs';

export function readServiceVersion(): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

/** The same number of levels up from `src/http/openapi` and from `dist/http/openapi`. */
const packageFile = new URL('../../../package.json', import.meta.url);
