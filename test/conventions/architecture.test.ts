// The architecture, kept by tests: each says why it matters when it fails.

import { expect, test } from 'vitest';
import { importsOf, readSources } from './source-files.ts';

/** Later parts may import earlier ones, never the other way round (ARCHITECTURE.md tells what each is in charge of). */
const order = [
  'errors',
  'clock',
  'recent',
  'rate-buckets',
  'parse-url',
  'json',
  'sandbox',
  'observability',
  'config',
  'model',
  'database',
  'query',
  'channels',
  'filters',
  'events',
  'payload',
  'objects',
  'auth',
  'notifications',
  'subscriptions',
  'delivery',
  'preparing',
  'matching',
  'http',
  'reference-data',
  'demo',
  'service',
  'cli',
  'main',
];

const sources = readSources();

/** Who asks a place that the operator has set, or this very service. */
const ownPlaces = [
  'src/auth/external-issuer/fetch-json.ts',
  'src/cli/await-ready.ts',
  'src/demo/service-client.ts',
  'src/demo/token-source.ts',
];

function partOf(path: string): string {
  return path.split('/')[1]!.replace(/\.ts$/, '');
}

test('every part has its place in the order of imports', () => {
  expect([...new Set(sources.map(({ path }) => partOf(path)))].filter((part) => !order.includes(part))).toEqual([]);
});

test('imports flow one way: data goes through the parts in one direction, so each can be read without the later ones', () => {
  const backwards = sources.flatMap((source) =>
    importsOf(source)
      .filter((imported) => order.indexOf(partOf(imported)) > order.indexOf(partOf(source.path)))
      .map((imported) => `${source.path} imports ${imported}`),
  );
  expect(backwards).toEqual([]);
});

test('there are no circles of imports between files', () => {
  const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (trail.includes(path) || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(circles).toEqual([]);
});

test('SQL stands only in *-table.ts, query/ and database/: a reader finds all that touches a table in one place', () => {
  const sql =
    /[`'"]\s*(select\s+[\w*("$]|insert\s+into|update\s+[\w.$"{]+\s+set|delete\s+from|create\s+(table|index|trigger|function)|alter\s+table|with\s+\w+\s+as\s*\()/;
  const strays = sources.filter(
    ({ path, text }) => sql.test(text) && !/-table\.ts$|^src\/(query|database)\//.test(path),
  );
  expect(strays.map(({ path }) => path)).toEqual([]);
});

test('SSD-35: only channels, with their guard, send anything: nothing else opens a connection to a place that others name', () => {
  const clients =
    /from '(undici|nodemailer[^']*|node:(https|http2|tls|dgram|dns[^']*))'|import\('(undici|nodemailer|node:)/;
  // Servers, types and addresses are no clients.
  const openers = /\b(connect|createConnection|request|get|Agent|Socket|default)\b/;
  const opens = (text: string) =>
    [...text.matchAll(/^import (type )?([^;]*?) from 'node:(net|http)';/gms)].some(
      ([, isType, names]) => !isType && (/^[\w*]/.test(names!) || openers.test(names!.replaceAll(/\btype \w+/g, ''))),
    );
  const senders = sources.filter(({ text }) => clients.test(text) || opens(text) || /(?<![.\w])fetch\(/.test(text));
  expect(
    senders
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('src/channels/'))
      .sort(),
  ).toEqual(ownPlaces);
  expect(senders.filter(({ path }) => path.startsWith('src/channels/')).length).toBeGreaterThan(3);
});

test('scripts are parsed in threads alone: a large one takes half a second, in which the process would answer nobody', () => {
  const parses = /^import (?!type )[^;]*from '[^']*filters\/script\/(used-parameters|check-script|syntax-tree)\.ts';/m;
  expect(
    sources
      .filter(({ path, text }) => parses.test(text) && !/^src\/filters\/script\//.test(path))
      .map(({ path }) => path),
  ).toEqual([]);
});

test('process.env is read in config alone: a setting that is not in the table does not exist', () => {
  expect(
    sources
      .filter(
        ({ path, text }) =>
          /process\.env\b/.test(text.replaceAll(/\/\/.*|`process\.env`/g, '')) && !path.startsWith('src/config/'),
      )
      .map(({ path }) => path),
  ).toEqual([]);
});

test('whether a text is a URL is judged in one place: URL.canParse is wrong about names that are not ASCII, once it is optimised', () => {
  expect(
    sources
      .filter(({ path, text }) => /URL\.canParse\b/.test(text) && path !== 'src/parse-url.ts')
      .map(({ path }) => path),
  ).toEqual([]);
});

test('what is short-lived dies young: V8 gives a function that is assigned to a property where it stands, and the getters of an object literal, to the old generation, and all that they see lives until the next full collection', () => {
  const declared = /^\s*((readonly|static|private) )*#?\w+\??: /;
  const assigned =
    /(\.#?\w+|[\w'"]\])\s*(\?\?|\|\|)?=\s*(async\s*)?(function\b|(<[^>]*>)?(\((?:[^()]|\([^()]*\))*\)|\w+)(: [^=]+)?\s*=>)/;
  const assigns = (line: string) => !declared.test(line) && assigned.test(line);
  const inLiteral = /^ {4,}(get|set) \w+\(/m;
  expect(sources.filter(({ text }) => text.split('\n').some(assigns)).map(({ path }) => path)).toEqual([]);
  // Made once for each process or engine.
  expect(
    sources
      .filter(({ text }) => inLiteral.test(text))
      .map(({ path }) => path)
      .sort(),
  ).toEqual([
    'src/filters/script/script-sandbox.ts',
    'src/payload/stylesheet/engine-imports.ts',
    'src/payload/stylesheet/stylesheets.ts',
  ]);
});

test('only the command line prints: everything else is an observation', () => {
  const prints = /\bconsole\.\w+\(|process\.(stdout|stderr)\.write\(/;
  expect(
    sources
      .filter(({ path, text }) => prints.test(text) && !/^src\/(cli|observability)\//.test(path))
      .map(({ path }) => path),
  ).toEqual([]);
});

test('every file opens by saying what it is in charge of', () => {
  const silent = sources.filter(({ text }) => !/^(#!.*\n)?\/\/ \S/.test(text));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('there are no drawers: a shape lives beside the function that makes it', () => {
  const drawers = /(^|\/)(utils?|helpers?|common|misc|types|interfaces|constants|index)(\.ts|\/)/;
  expect(sources.filter(({ path }) => drawers.test(path)).map(({ path }) => path)).toEqual([]);
});

test('files stay short enough to be read at once', () => {
  const long = sources.filter(({ text, path }) => text.split('\n').length > 300 && !path.includes('/reference-data/'));
  expect(long.map(({ path }) => path)).toEqual([]);
});

/** Who asks for the time of day itself: a date in a header, what `new Date()` is in expressions, XSLT and sample code. */
const datesMeant = [
  'src/channels/retry-after.ts',
  'src/filters/expression/run/meter.ts',
  'src/http/docs-page/webhook-sections.ts',
  'src/payload/stylesheet/engine-imports.ts',
];

test('durations are measured by monotonic time: the time of day can step, and would freeze or end what it measures', () => {
  const found = sources.filter(({ path, text }) => /\bDate\.now\(/.test(text) && !datesMeant.includes(path));
  expect(found.map(({ path }) => path)).toEqual([]);
});
