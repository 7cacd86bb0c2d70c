// What the package promises to those who install it: no dependency, web standards only, and a small bundle.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);
const textOf = (path: string) => readFileSync(join(folder, 'src', path), 'utf8');

test('it has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest[kind]).toBeUndefined();
});

test('it imports only its own files, and nothing of Node', () => {
  const imported = /\bfrom '([^']+)'|\bimport\('([^']+)'\)|\bimport '([^']+)'|\brequire\(/g;
  const strays = sources.flatMap((path) =>
    [...textOf(path).matchAll(imported)].filter(([, from = '']) => !from.startsWith('.')).map(([text]) => text),
  );
  expect(strays).toEqual([]);
});

test('it is compiled with web standards alone: a global of Node is an error of the compiler', () => {
  const settings = readFileSync(join(folder, 'tsconfig.json'), 'utf8');
  expect(settings).toMatch(/"types": \[\],\n\s*"lib": \["es2023", "dom", "dom.iterable"\]/);
});

test.each([
  { entry: 'receiver', bytesMax: 6 * 1024, contains: 'webhook-signature' },
  { entry: 'client/create-client', bytesMax: 13 * 1024, contains: '/oauth/token' },
  { entry: 'index', bytesMax: 15 * 1024, contains: '/oauth/token' },
])('$entry is at most $bytesMax bytes, minified and compressed', async ({ entry, bytesMax, contains }) => {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      lib: { entry: join(folder, `dist/${entry}.js`), formats: ['es'], fileName: 'bundle' },
    },
  });
  const [bundle] = [result].flat();
  const code = 'output' in bundle! ? bundle.output.map((part) => ('code' in part ? part.code : '')).join('') : '';
  expect(code).toContain(contains);
  expect(code).not.toMatch(/\bimport\b|\bBuffer\b|\bprocess\./);
  expect(gzipSync(code).byteLength).toBeLessThan(bytesMax);
});
