// Creates the links between library names that the PostgreSQL package lists but leaves to its install script, which
// `npm ci --ignore-scripts` and npm 11 do not run. If the package is not writable, the links go to another folder, and
// an environment variable names that folder.

import { access, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { hasErrorCode } from './embedded-server-error.ts';
import type { PostgresBinaries } from './locate-binaries.ts';

/** The environment variables that the programs need to find their libraries; none if the links are in place. */
export async function linkLibraries(
  { packageDir }: Pick<PostgresBinaries, 'packageDir'>,
  fallbackFolder: string,
): Promise<Record<string, string>> {
  const links = await missingLinks(packageDir);
  try {
    for (const { source, target } of links) {
      await linkUnlessThere(relative(dirname(target), source), target);
    }
    return {};
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT')) throw error;
  }
  await mkdir(fallbackFolder, { recursive: true, mode: 0o755 });
  for (const { source, target } of links) await linkUnlessThere(source, join(fallbackFolder, basename(target)));
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  // A library that was found through a link looks for other libraries beside the link: name the real folder as well.
  return { [variable]: `${fallbackFolder}:${join(packageDir, 'native', 'lib')}` };
}

interface Link {
  source: string;
  target: string;
}

async function missingLinks(packageDir: string): Promise<Link[]> {
  const missing: Link[] = [];
  for (const { source, target } of await listedLinks(packageDir)) {
    const link = { source: join(packageDir, source), target: join(packageDir, target) };
    await access(link.target).catch(() => missing.push(link));
  }
  return missing;
}

async function listedLinks(packageDir: string): Promise<Link[]> {
  try {
    return JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

// Another process may be creating the same links.
async function linkUnlessThere(source: string, target: string): Promise<void> {
  try {
    await symlink(source, target);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  }
}
