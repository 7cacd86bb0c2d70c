// The page about generators shows what is tested: every generator with its version and the command of the test.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../../bench/harness/project-root.ts';
import { generators } from './generators.ts';

const page = readFileSync(join(projectRoot, 'docs/how-to/generate-a-client.md'), 'utf8');

function rowsAfter(header: string): string[][] {
  const [table] = page.split(`${header}\n`)[1]!.split('\n\n');
  return table!
    .split('\n')
    .slice(1)
    .map((row) => row.slice(2, -2).split(' | '));
}

test('the page has every generator with its version, its command, and whether its client is tested', () => {
  const rows = rowsAfter('| Generator | Version | Command | Client |');
  expect(rows.map(([name, version, command]) => [name, version, command])).toEqual(
    generators.map(({ name, version, command }) => [name, version, `\`${command}\``]),
  );
  expect(rows.map(([, , , client]) => client!.startsWith('works'))).toEqual(
    generators.map(({ program }) => program !== undefined),
  );
});

test('the page has the limits of every generator', () => {
  expect(rowsAfter('| Generator | Limit |').map(([name]) => name)).toEqual(generators.map(({ name }) => name));
});
