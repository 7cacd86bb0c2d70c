// Edits the compiled modules of the worker as they are loaded, so that it takes every row as it stands: it selects no
// snapshot and no `xmin`, restores nothing, and does not ask whether rows have left their owners. Each edit must match
// exactly once; otherwise the source has changed, and the worker does not start.

import { readFileSync } from 'node:fs';
import type { LoadHook } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../harness/project-root.ts';

interface Edit {
  find: string;
  replace: string;
}

/** By file of the compiled server. */
const edits: Readonly<Record<string, readonly Edit[]>> = {
  'events/event-table.js': [{ find: 'c.snapshot::text as snapshot', replace: 'null as snapshot' }],
  'snapshots/object-rows-table.js': [
    { find: ', t.xmin\\nfrom', replace: '\\nfrom' },
    { find: `, ['xmin', Number]`, replace: '' },
  ],
  'snapshots/load-states.js': [
    {
      find: 'loading.firstExcluded = Math.min(loading.firstExcluded, event.snapshot?.min ?? event.transactionId);',
      replace: '',
    },
    { find: `if (side === 'before' && event.operation === 'D')`, replace: 'if (false)' },
  ],
  'snapshots/load-rows.js': [
    { find: `[...live.values()].some((byColumn) => byColumn.size > 1 || !byColumn.has('key'))`, replace: 'false' },
  ],
  'snapshots/event-state.js': [
    { find: 'this.#visible = new VisibleTransactions(event, side);', replace: '' },
    { find: 'const past = this.#past?.get(key);', replace: 'const past = undefined;' },
    { find: '!this.event.isRepeated && this.#isChanged', replace: 'this.#isChanged' },
    { find: ' && live.rows.every(({ xmin }) => this.#visible.hasAllOf(xmin))', replace: '' },
    { find: 'return live !== null && this.#visible.hasAllOf(live.xmin) ? live : undefined;', replace: 'return live;' },
  ],
};

/** The edited sources, by address. */
export function editModules(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(edits).map(([file, ofFile]) => {
      const path = join(projectRoot, 'packages/server/dist', file);
      const source = ofFile.reduce((text, edit) => applyOnce(text, edit, file), readFileSync(path, 'utf8'));
      return [pathToFileURL(path).href, source];
    }),
  );
}

function applyOnce(text: string, { find, replace }: Edit, file: string): string {
  const [before, after, ...more] = text.split(find);
  if (after === undefined || more.length > 0)
    throw new Error(`${file} has changed: it must have this exactly once, to be edited for the benchmark: ${find}`);
  return `${before}${replace}${after}`;
}

const edited = editModules();

export const load: LoadHook = async (url, context, nextLoad) => {
  const source = edited.get(url);
  return source === undefined ? await nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
};
