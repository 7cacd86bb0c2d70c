// The architecture, kept by tests: each says why it matters when it fails.

import { expect, test } from 'vitest';
import { channelCodes } from '../../packages/server/src/channel-types.ts';
import { importsOf, readSources } from './source-files.ts';

/**
 * Later rooms of the server may import earlier ones, never the other way round (ARCHITECTURE.md says what each is in
 * charge of).
 */
const rooms = [
  'errors',
  'clock',
  'recent',
  'entry-of',
  'rate-buckets',
  'parse-url',
  'paths',
  'channel-types',
  'json',
  'observe',
  'config',
  'model',
  'database',
  'query',
  'channels',
  'events',
  'snapshots',
  'render',
  'objects',
  'auth',
  'scripts',
  'subscriptions',
  'deliver',
  'shape',
  'match',
  'history',
  'live',
  'explain',
  'render-error',
  'describe',
  'edge',
  'reference-data',
  'demo',
  'installation',
  'backup',
  'handlers',
  'stop-steps',
  'open-storage',
  'service',
  'cli',
  'main',
];

/** Packages, each with those of ours that it may use. */
const packages: Record<string, string[]> = {
  'source-text': [],
  'thread-pool': [],
  expressions: ['source-text'],
  'script-sandbox': ['source-text', 'thread-pool'],
  stylesheets: ['source-text', 'thread-pool'],
  'embedded-postgres': [],
  sdk: [],
  cli: ['sdk', 'source-text'],
  console: [],
  server: ['source-text', 'thread-pool', 'expressions', 'script-sandbox', 'stylesheets', 'embedded-postgres', 'cli'],
};

const all = Object.keys(packages).flatMap((name) => readSources(`packages/${name}/src`));
const server = 'packages/server/src/';
const sources = all.filter(({ path }) => path.startsWith(server));

/** Code that is shown to users, who run it elsewhere. */
const shownCode = ['packages/console/src/pages/objects/object-api.tsx'];

/** Files that ask a place that the operator has set, or this very service. */
const ownPlaces = ['cli/await-ready.ts', 'demo/service-client.ts', 'observe/traces/otlp-exporter.ts'].map(
  (file) => `${server}${file}`,
);

function roomOf(path: string): string {
  return path.slice(server.length).split('/')[0]!.replace(/\.ts$/, '');
}

test('every room has its place in the order of imports', () => {
  expect([...new Set(sources.map(({ path }) => roomOf(path)))].filter((room) => !rooms.includes(room))).toEqual([]);
});

test(
  'imports flow one way: data goes through the rooms in one ' + 'direction, so each can be read without the later ones',
  () => {
    const backwards = sources.flatMap((source) =>
      importsOf(source)
        .filter((imported) => rooms.indexOf(roomOf(imported)) > rooms.indexOf(roomOf(source.path)))
        .map((imported) => `${source.path} imports ${imported}`),
    );
    expect(backwards).toEqual([]);
  },
);

test('a package uses others by their interface, and only those below it: it could stand alone', () => {
  const strays = all.flatMap((source) => {
    const name = source.path.split('/')[1]!;
    const inner = importsOf(source).filter((imported) => !imported.startsWith(`packages/${name}/src/`));
    if (shownCode.includes(source.path)) return inner;
    const named = [...source.text.matchAll(/from '@flaghoist\/([^']+)'/g)].map(([, used]) => used!);
    return [...inner, ...named.filter((used) => !packages[name]!.includes(used))].map((to) => `${source.path}: ${to}`);
  });
  expect(strays).toEqual([]);
});

test('there are no circles of imports between files', () => {
  expect(circlesIn(new Map(all.map((source) => [source.path, importsOf(source)])))).toEqual([]);
});

test('there are no circles between the folders of a folder, at any depth: each can be read before the next', () => {
  const folders = new Set(all.flatMap(({ path }) => foldersAbove(path)));
  const circles = [...folders].flatMap((folder) =>
    circlesIn(graphInside(folder)).map((circle) => `${folder}: ${circle}`),
  );
  expect(circles).toEqual([]);
});

/** The folders around a file, inside its package. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/')).filter((folder) => folder.includes('/src/'));
}

/** Which folders of a folder use which. Its own files count as one folder, called `.`. */
function graphInside(folder: string): Map<string, string[]> {
  const partOf = (path: string) => {
    if (!path.startsWith(`${folder}/`)) return undefined;
    const [part, ...rest] = path.slice(folder.length + 1).split('/');
    return rest.length > 0 ? part! : '.';
  };
  const graph = new Map<string, string[]>();
  for (const source of all) {
    const from = partOf(source.path);
    if (from === undefined) continue;
    const used = importsOf(source).flatMap((imported) => partOf(imported) ?? []);
    graph.set(from, [...(graph.get(from) ?? []), ...used.filter((to) => to !== from)]);
  }
  return graph;
}

function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, trail: string[]): void => {
    if (trail.includes(node)) circles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
    if (trail.includes(node) || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

test('every file is reached from an entry point: what only tests use is not part of the product', () => {
  const byPath = new Map(all.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const follow = (path: string): void => {
    const source = byPath.get(path);
    if (!source || reached.has(path)) return;
    reached.add(path);
    for (const next of importsOf(source)) follow(next);
    for (const [, file] of source.text.matchAll(/new URL\('\.\/([\w-]+)\.js', import\.meta\.url\)/g))
      follow(`${path.slice(0, path.lastIndexOf('/'))}/${file}.ts`);
  };
  for (const path of byPath.keys()) if (/\/src\/(index|inspect|main|receiver)\.tsx?$/.test(path)) follow(path);
  expect([...byPath.keys()].filter((path) => !reached.has(path) && !path.endsWith('.d.ts'))).toEqual([]);
});

/** Those that are used today. Each is a debt: the list may get shorter, never longer. */
const innerFiles = [
  'libxslt-wasm/output/libxslt.wasm',
  'nodemailer/lib/mail-composer',
  'nodemailer/lib/smtp-connection',
  'quickjs-wasi/quickjs.wasm',
];

test('the inner files of dependencies are not imported: they change without notice', () => {
  const dependency = /(?:from|import\(|resolve\() ?'((?:@[\w-]+\/)?[\w-]+\/[^']+)'/g;
  const found = all.flatMap(({ text }) => [...text.matchAll(dependency)].map(([, name]) => name!));
  const isOffered = (name: string) => /^(node:|@flaghoist\/)/.test(name) || /^@[\w-]+\/[\w-]+$/.test(name);
  const inner = found.filter((name) => !isOffered(name) && name !== 'preact/hooks');
  expect([...new Set(inner)].sort()).toEqual(innerFiles);
});

test(
  'SQL stands only in *-table.ts, query/ and database/: a ' + 'reader finds all that touches a table in one place',
  () => {
    const sql =
      /[`'"]\s*(select\s+[\w*("$]|insert\s+into|update\s+[\w.$"{]+\s+set|delete\s+from|create\s+(table|index|trigger|function)|alter\s+table|with\s+\w+\s+as\s*\()/;
    const strays = sources.filter(
      ({ path, text }) => sql.test(text) && !/-table\.ts$|\/src\/(query|database)\//.test(path),
    );
    expect(strays.map(({ path }) => path)).toEqual([]);
  },
);

test(
  'SSD-35: only channels, with their guard, send anything: nothing else opens a connection to a place that others ' +
    'name',
  () => {
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
        .filter((path) => !path.startsWith(`${server}channels/`))
        .sort(),
    ).toEqual(ownPlaces);
    expect(senders.filter(({ path }) => path.startsWith(`${server}channels/`)).length).toBeGreaterThan(3);
  },
);

test(
  'scripts are parsed in threads alone: a large one takes half ' + 'a second, in which the process would answer nobody',
  () => {
    const index = all.find(({ path }) => path === 'packages/script-sandbox/src/index.ts')!;
    expect(importsOf(index).filter((path) => /used-parameters|check-script|syntax-tree/.test(path))).toEqual([
      'packages/script-sandbox/src/used-parameters.ts',
    ]);
    expect(index.text).toContain("export type { UsedParameters } from './used-parameters.ts';");
  },
);

test('process.env is read in config alone: a setting that is not in the table does not exist', () => {
  expect(
    all
      .filter(
        ({ path, text }) =>
          /process\.env\b/.test(text.replaceAll(/\/\/.*|`process\.env`/g, '')) &&
          !path.startsWith(`${server}config/`) &&
          ![...shownCode, 'packages/cli/src/environment/environment.ts'].includes(path),
      )
      .map(({ path }) => path),
  ).toEqual([]);
});

test(
  'whether a text is a URL is judged in one place: URL.canParse is wrong about names that are not ASCII, once it ' +
    'is optimised',
  () => {
    expect(
      sources
        .filter(({ path, text }) => /URL\.canParse\b/.test(text) && path !== `${server}parse-url.ts`)
        .map(({ path }) => path),
    ).toEqual([]);
  },
);

test(
  'what is short-lived dies young: V8 gives a function that is assigned to a property where it stands, and the ' +
    'getters of an object literal, to the old generation, and all that they see lives until the next full collection',
  () => {
    const declared = /^\s*((readonly|static|private) )*#?\w+\??: /;
    const assigned =
      /(\.#?\w+|[\w'"]\])\s*(\?\?|\|\|)?=\s*(async\s*)?(function\b|(<[^>]*>)?(\((?:[^()]|\([^()]*\))*\)|\w+)(: [^=]+)?\s*=>)/;
    const assigns = (line: string) => !declared.test(line) && assigned.test(line);
    const inLiteral = /^ {4,}(get|set) \w+\(/m;
    expect(all.filter(({ text }) => text.split('\n').some(assigns)).map(({ path }) => path)).toEqual([]);
    // Made once for each process or engine.
    expect(
      all
        .filter(({ text }) => inLiteral.test(text))
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      'packages/script-sandbox/src/script-sandbox.ts',
      'packages/stylesheets/src/engine-imports.ts',
      'packages/stylesheets/src/stylesheets.ts',
    ]);
  },
);

test('only the command line prints: everything else is an observation', () => {
  const prints = /\bconsole\.\w+\(|process\.(stdout|stderr)\.write\(/;
  expect(
    sources
      .filter(({ path, text }) => prints.test(text) && !/\/src\/(cli|observe)\//.test(path))
      .map(({ path }) => path),
  ).toEqual([]);
});

test('no part asks which channel it has: what is special about a channel stands in its own file and row', () => {
  const named = new RegExp(`'(${channelCodes.join('|')})'`);
  const strays = sources.filter(({ path, text }) => named.test(text) && path !== `${server}channel-types.ts`);
  expect(strays.map(({ path }) => path)).toEqual([]);
});

test('every file opens by saying what it is in charge of', () => {
  const silent = all.filter(({ text }) => !/^(#!.*\n)?\/\/ \S/.test(text));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('there are no drawers: a shape lives beside the function that makes it', () => {
  const drawers = /(^|\/)(utils?|helpers?|common|misc|types|interfaces|constants)(\.tsx?|\/)/;
  expect(all.filter(({ path }) => drawers.test(path)).map(({ path }) => path)).toEqual([]);
});

test('files stay short enough to be read at once', () => {
  const isData = (path: string) => path.includes('/reference-data/') || path === 'packages/sdk/src/catalogue.ts';
  const long = all.filter(({ text, path }) => text.split('\n').length > 300 && !isData(path));
  expect(long.map(({ path }) => path)).toEqual([]);
});

/**
 * Who asks for the time of day itself: a date in a header, the age of a signed message, what `new Date()` is in
 * expressions, XSLT and sample code.
 */
const datesMeant = [
  'packages/server/src/channels/http/retry-after.ts',
  'packages/expressions/src/run/meter.ts',
  'packages/server/src/describe/guide/webhook-sections.ts',
  'packages/stylesheets/src/engine-imports.ts',
  'packages/sdk/src/receive/verify-signature.ts',
  'packages/console/src/elements/time.tsx',
];

test(
  'durations are measured by monotonic time: the time of day ' + 'can step, and would freeze or end what it measures',
  () => {
    const found = all.filter(({ path, text }) => /\bDate\.now\(/.test(text) && !datesMeant.includes(path));
    expect(found.map(({ path }) => path)).toEqual([]);
  },
);
