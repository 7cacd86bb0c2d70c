// The garbage of a notification is collected by the next minor collection. What survives waits for a major one, which
// pauses the process: long-lived references or hidden classes would leave hundreds of bytes per notification.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('young-garbage.mjs', import.meta.url));
let left: Record<string, number>;

beforeAll(() => {
  left = JSON.parse(execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8', timeout: 60_000 }));
});

test.each([
  ['is handed on', 400],
  ['waits in its lane', 400],
  ['is sent', 150],
  ['asks what is remembered', 20],
])('a notification that %s leaves no more than %d bytes for a full garbage collection', (part, bytes) => {
  expect(left[part]).toBeLessThan(bytes);
});
