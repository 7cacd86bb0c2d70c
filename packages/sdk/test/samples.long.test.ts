// The samples of the README and of the how-to compile, as they stand there.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const pages = ['packages/sdk/README.md', 'docs/how-to/use-the-sdk.md', 'docs/how-to/receive-with-the-sdk.md'];

test.each(pages)('the samples of %s compile', (page) => {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n([\s\S]+?)^```$/gm)].map(
    ([, code]) => code!,
  );
  expect(blocks.length).toBeGreaterThan(1);
  // In the repository, so that the packages are found.
  const folder = mkdtempSync(join(root, 'packages/sdk/test/samples-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'samples.ts'), blocks.join('\n'));
    const settings = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '--ignoreConfig', ...settings, join(folder, 'samples.ts')]);
  } catch (error) {
    expect.fail(String((error as { stdout: Buffer }).stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
