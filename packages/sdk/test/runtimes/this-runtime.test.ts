// The checks that every runtime can run, on this one.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = async (file: string) => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return (await promisify(execFile)(process.execPath, [path])).stdout;
};

test('the receiver verifies and routes on this runtime', async () => {
  expect(await run('receiver-checks.mjs')).toMatch(/^\d+ checks passed\.\n$/);
});

test('the stream consumer works on this runtime', async () => {
  expect(await run('stream-checks.mjs')).toMatch(/^\d+ connections, all handled\.\n$/);
});
