// Edits compiled modules of the server as they are loaded, for a contender that lacks one mechanism. Each edit must
// match exactly once; otherwise the source has changed, and the contender does not start.

import { readFileSync } from 'node:fs';
import type { LoadHook } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './project-root.ts';

export interface Edit {
  find: string;
  replace: string;
}

/** By file of the compiled server. */
export type Edits = Readonly<Record<string, readonly Edit[]>>;

/** The edited sources, by address. */
export function editModules(edits: Edits): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(edits).map(([file, ofFile]) => {
      const path = join(projectRoot, 'packages/server/dist', file);
      const source = ofFile.reduce((text, edit) => applyOnce(text, edit, file), readFileSync(path, 'utf8'));
      return [pathToFileURL(path).href, source];
    }),
  );
}

export function loadEdited(edited: ReadonlyMap<string, string>): LoadHook {
  return async (url, context, nextLoad) => {
    const source = edited.get(url);
    return source === undefined ? await nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
  };
}

function applyOnce(text: string, { find, replace }: Edit, file: string): string {
  const [before, after, ...more] = text.split(find);
  if (after === undefined || more.length > 0)
    throw new Error(`${file} has changed: it must have this exactly once, to be edited for the benchmark: ${find}`);
  return `${before}${replace}${after}`;
}
