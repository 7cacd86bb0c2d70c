// The source files, as text, for the tests that keep the architecture.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  /** `packages/server/src/objects/check-body.ts` */
  path: string;
  text: string;
}

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

export function readSources(folder: string): SourceFile[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name);
      return { path: relative(projectFolder, full).split(sep).join('/'), text: readFileSync(full, 'utf8') };
    });
}

/** The paths of the project's own files that a file imports. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/^(?:import|export)[^;]*?from '(\.[^']+)';|import\('(\.[^']+)'\)/gms)].map(
    ([, from, dynamic]) =>
      join(path, '..', (from ?? dynamic)!)
        .split(sep)
        .join('/'),
  );
}
