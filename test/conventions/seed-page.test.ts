// docs/reference/seed.md says where the interface is built and proved: what it names is there.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './source-files.ts';

const page = readFileSync(join(projectFolder, 'docs/reference/seed.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Field|Statement|Attribute|Option|Limit|Version) \|/.test(line));

/** `packages/server/test/x.test.ts`: “one”, “another” */
function proofsIn(row: string): { file: string; names: string[] }[] {
  return [...row.matchAll(/`(packages\/[\w-]+\/test\/[^`]+)`: ((?:“[^”]+”(?:, )?)+)/g)].map(([, file, names]) => ({
    file: file!,
    names: [...names!.matchAll(/“([^”]+)”/g)].map(([, name]) => name!),
  }));
}

test('every file that the page names is there', () => {
  const named = [...page.matchAll(/`(packages\/[\w-]+\/(?:src|test)\/[^`]+)`/g)].map(([, file]) => file!);
  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter((file) => !existsSync(join(projectFolder, file)))).toEqual([]);
});

test('every test that the page quotes stands in the file that it names', () => {
  const missing = rows.flatMap(proofsIn).flatMap(({ file, names }) => {
    // A long title is written in two parts.
    const text = readFileSync(join(projectFolder, file), 'utf8').replaceAll(/' \+\s*'/g, '');
    return names.filter((name) => !isTitle(text, name)).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('every row says where it is built and what proves it, or why nothing has to', () => {
  const bare = rows.filter((row) => proofsIn(row).length === 0 && !/\| (nothing to prove: .+|see 2\.2) \|$/.test(row));
  expect(bare).toEqual([]);
  expect(rows.filter((row) => !/`packages\/[\w-]+\/src\//.test(row))).toEqual([]);
});

/** A whole text in quotes, as titles and rows of cases are. */
function isTitle(text: string, name: string): boolean {
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`));
}
