// Edits the compiled server as it is loaded, so that it shares no content: every notification stores its whole body.

import { type Edits, editModules, loadEdited } from '../harness/edit-modules.ts';

const edits: Edits = {
  'deliver/queue/content-table.js': [
    { find: 'return text.length * (bodies - 1) >= savedCharsMin;', replace: 'return false;' },
  ],
};

export const load = loadEdited(editModules(edits));
