// Reads the version of the service from its package file.

import { readFileSync } from 'node:fs';

export function readServiceVersion(): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

/** `src/describe/openapi` and `dist/describe/openapi` are equally deep, so the path is the same from both. */
const packageFile = new URL('../../../package.json', import.meta.url);
