// The packed packages contain what they need and no more, and the service runs from them without a compiler.

import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { compileIn, installPacked, type Project, run } from './packed-packages.ts';
import { ServedByNpx, type User } from './served-by-npx.ts';

let folder: string;
let project: Project;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaghoist-packed-'));
  project = await installPacked(folder);
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

interface Manifest {
  name: string;
  version: string;
  bin?: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
}

async function manifests(): Promise<{ place: string; manifest: Manifest }[]> {
  const modules = join(project.folder, 'node_modules');
  const scoped = (await readdir(join(modules, '@flaghoist'))).map((name) => join(modules, '@flaghoist', name));
  return Promise.all(
    [join(modules, 'flaghoist'), ...scoped].map(async (place) => ({
      place,
      manifest: JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as Manifest,
    })),
  );
}

describe('a packed package', () => {
  const expected = ['LICENSE', 'README.md', 'bin', 'dist', 'migrations', 'package.json'];

  test('has the compiled code, a README and the licence, and neither sources nor tests', async () => {
    const installed = await manifests();
    expect(installed).toHaveLength(project.tarballs.length);
    for (const { place } of installed) {
      const top = await readdir(place);
      expect(top, place).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']));
      expect(top.filter((name) => !expected.includes(name))).toEqual([]);
      const inner = await readdir(join(place, 'dist'), { recursive: true });
      expect(inner.filter((name) => /(?<!\.d)\.ts$|\.tsbuildinfo$|\.test\./.test(name))).toEqual([]);
    }
  });

  test('has every file that its manifest names, and commands can be executed', async () => {
    for (const { place, manifest } of await manifests()) {
      for (const entry of Object.values(manifest.exports))
        for (const path of typeof entry === 'string' ? [entry] : Object.values(entry))
          expect((await stat(join(place, path))).isFile(), `${place} ${path}`).toBe(true);
      for (const path of Object.values(manifest.bin ?? {}))
        expect((await stat(join(place, path))).mode & 0o111, `${place} ${path}`).toBe(0o111);
    }
  });

  test('has every file of the built console', async () => {
    const dist = join(project.folder, 'node_modules/@flaghoist/console/dist');
    const built = JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8')) as Record<string, { file: string }>;
    const files = Object.values(built).map(({ file }) => file);
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(10);
    for (const file of files) expect((await stat(join(dist, file))).isFile(), file).toBe(true);
  });

  test('needs the others in exactly this version, and they are installed once', async () => {
    const installed = await manifests();
    const versions = new Map(installed.map(({ manifest: { name, version } }) => [name, version]));
    for (const { place, manifest } of installed) {
      for (const [name, version] of Object.entries(manifest.dependencies ?? {}))
        if (versions.has(name)) expect(version, `${manifest.name} needs ${name}`).toBe(versions.get(name));
      expect(await readdir(place)).not.toContain('node_modules');
    }
  });

  test('has source maps that contain the sources', async () => {
    for (const { place, manifest } of await manifests()) {
      // The page is one for browsers, and small.
      if (manifest.name === '@flaghoist/console') continue;
      const maps = (await readdir(join(place, 'dist'), { recursive: true })).filter((name) => name.endsWith('.js.map'));
      expect(maps.length).toBeGreaterThan(0);
      for (const path of maps) {
        const { sources, sourcesContent } = JSON.parse(await readFile(join(place, 'dist', path), 'utf8')) as {
          sources: string[];
          sourcesContent?: string[];
        };
        expect(sourcesContent, `${place} ${path}`).toHaveLength(sources.length);
      }
    }
  });
});

test('a strict TypeScript project can use the SDK', async () => {
  const file = join(project.folder, 'uses-sdk.ts');
  await writeFile(file, usesSdk);
  expect(await compileIn(project, file)).toBe('');
  await writeFile(file, usesSdk.replace('// @ts-expect-error', '//'));
  expect(await compileIn(project, file)).toMatch(/^uses-sdk\.ts\(7,\d+\): error /);
});

const usesSdk = `import { createClient, FlaghoistError } from '@flaghoist/sdk';
import { createReceiver, toFetchHandler } from '@flaghoist/sdk/receiver';
const client = createClient({ url: 'http://localhost', clientId: 'a', clientSecret: 'b' });
export async function portOf(key: number): Promise<string | null | undefined> {
  const voyage = await client.get('Voyage', key);
  // @ts-expect-error: the types are found, so an attribute is not any.
  voyage.portCalls satisfies number;
  return voyage.portCalls?.[0]?.port?.portName;
}
export const isStale = (error: unknown): boolean => error instanceof FlaghoistError && error.code === 'stale';
export const handler: (request: Request) => Promise<Response> = toFetchHandler(
  createReceiver({
    secret: 'whsec_',
    on: { 'BunkerOrder.U': ({ resource }) => console.log(resource.bunkerOrderStatus?.length) },
    fallback: ({ event }) => console.log(event.length),
  }),
);
`;

test('commands run by npx', async () => {
  const version = await run('npx', ['flaghoist', '--version'], { cwd: project.folder });
  const [server] = await manifests();
  expect(version.stdout).toBe(`${server!.manifest.version}\n`);
  const { stdout } = await run('npx', ['flaghoist', 'settings'], { cwd: project.folder });
  expect(stdout).toMatch(/^FLAGHOIST_PORT=/m);
});

describe('npx flaghoist serve', () => {
  const users: [string, User][] = [['the user of the tests', {}]];
  if (process.getuid?.() === 0) users.push(['a user other than root', { uid: 65534, gid: 65534 }]);

  test.each(users)('starts as %s, serves a request, and stops with npx', { timeout: 120_000 }, async (_, user) => {
    const served = new ServedByNpx(project.folder, await homeOf(user), user);
    onTestFinished(() => served.kill());
    const [, url] = await served.prints(/API +(\S+)\/ws\/rest\n/);
    const [, clientId, clientSecret] = await served.prints(/Client id +(\S+)\n +Secret +(\S+)\n/);
    expect(await portsOf(url!, clientId!, clientSecret!)).toContain('Rotterdam');
    expect(await assetsOf(`${url}/console/`)).toEqual({ script: 200, style: 200 });
    await served.stop();
    await served.prints(/"service\.stopped"/);
    await expect(fetch(url!)).rejects.toThrow();
  });
});

/** A folder for the settings of npm and the data of the service. */
async function homeOf({ uid, gid }: User): Promise<string> {
  const home = await mkdtemp(join(folder, 'home-'));
  await mkdir(join(home, 'data'));
  if (uid !== undefined && gid !== undefined)
    for (const path of [home, join(home, 'data')]) await chown(path, uid, gid);
  return home;
}

async function portsOf(url: string, clientId: string, clientSecret: string): Promise<string> {
  const grant = {
    grant_type: 'client_credentials',
    audience: 'https://flaghoist.dev',
    client_id: clientId,
    client_secret: clientSecret,
  };
  const asked = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(grant) });
  const { access_token: token } = (await asked.json()) as { access_token: string };
  const response = await fetch(`${url}/ws/rest/Port?filter=portName(EQ)Rotterdam`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return response.text();
}

/** The statuses of the script and the style sheet that a page names. */
async function assetsOf(pageUrl: string): Promise<Record<'script' | 'style', number>> {
  const page = await (await fetch(pageUrl)).text();
  const statusOf = async (pattern: RegExp) => (await fetch(new URL(pattern.exec(page)![1]!, pageUrl))).status;
  return { script: await statusOf(/ src="([^"]+\.js)"/), style: await statusOf(/ href="([^"]+\.css)"/) };
}
