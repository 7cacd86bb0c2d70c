// The drawings of the documentation are rendered from texts: docs/explanation/drawings → docs/images.
// After a change to a text: npm test -- conventions -u, or node scripts/draw.mjs

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const sources = join(root, 'docs/explanation/drawings');
const names = readdirSync(sources).map((file) => basename(file, '.txt'));

test.each(names)('docs/images/%s.svg is what the script makes of its text', async (name) => {
  const script = join(root, 'scripts/draw.mjs');
  const svg = execFileSync(process.execPath, [script, join(sources, `${name}.txt`)], { encoding: 'utf8' });
  await expect(svg).toMatchFileSnapshot(`../../docs/images/${name}.svg`);
});

test('every SVG has a text, and a page shows it', () => {
  const drawn = readdirSync(join(root, 'docs/images')).filter((file) => file.endsWith('.svg'));
  expect(drawn.toSorted()).toEqual(names.map((name) => `${name}.svg`).toSorted());
  const folder = join(root, 'docs/explanation');
  const pages = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const text = pages.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(drawn.filter((file) => !text.includes(`../images/${file}`))).toEqual([]);
});
