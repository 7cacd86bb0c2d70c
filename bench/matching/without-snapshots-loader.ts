// Edits the compiled modules of the worker as they are loaded, so that it takes every row as it stands: it selects no
// snapshot and no `xmin`, restores nothing, and does not ask whether rows have left their owners.

import { type Edits, editModules, loadEdited } from '../harness/edit-modules.ts';

const edits: Edits = {
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

export const edited = editModules(edits);
export const load = loadEdited(edited);
