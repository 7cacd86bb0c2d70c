// A thread that cannot start the first time.

import { given, serveItems } from '../dist/serve-items.js';

if (Atomics.add(given(), 0, 1) === 0) throw new Error('not ready yet');
serveItems(() => 'answer');
