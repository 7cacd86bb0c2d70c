// Makes sure that the OS user who runs the PostgreSQL programs can reach them. If they are in a folder that is closed
// to this user, such as root's home, they are copied once to a folder that everyone can read and only root can write.

import { createHash, randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { EmbeddedServerError, hasErrorCode } from './embedded-server-error.ts';
import { linkLibraries } from './link-libraries.ts';
import type { PostgresBinaries } from './locate-binaries.ts';
import { removeTree } from './remove-leftovers.ts';
import type { RunAs } from './run-as.ts';
import { runProgram } from './run-program.ts';

/** The temporary folder comes last: some systems clear it while the server runs. */
const usualPlaces = ['/var/cache', tmpdir()];
const copyPrefix = 'embedded-postgres-';

export async function shareBinaries(
  binaries: PostgresBinaries,
  runAs: RunAs,
  places = usualPlaces,
): Promise<PostgresBinaries> {
  if (runAs.user === undefined || (await canRun(runAs, binaries))) return binaries;
  for (const place of places) {
    const shared = await copyTo(place, binaries).catch(ignoreNotWritable);
    if (shared !== undefined && (await canRun(runAs, shared))) return shared;
  }
  throw new EmbeddedServerError(
    `PostgreSQL refuses to run as root, and the user ${runAs.user.uid} can run neither ${binaries.postgres} nor a ` +
      `copy in ${places.join(' or ')}. Remove ${copyPrefix}* there to copy it again, run this program as an ordinary ` +
      'user, or use a separate PostgreSQL server.',
  );
}

/** Runs the program, because it may be reachable while its libraries are not. */
async function canRun(runAs: RunAs, { postgres }: PostgresBinaries): Promise<boolean> {
  return (await runProgram(runAs, postgres, ['--version'])).isSuccess;
}

async function copyTo(place: string, binaries: PostgresBinaries): Promise<PostgresBinaries> {
  const { packageDir, postgres } = binaries;
  const { size, mtimeMs } = await stat(postgres);
  const hash = createHash('sha256').update(`${packageDir}\n${size}\n${mtimeMs}`).digest('hex').slice(0, 16);
  const copy = join(place, `${copyPrefix}${hash}`);
  if (!(await isOurs(copy))) await makeCopy(packageDir, copy);
  const moved = (path: string) => join(copy, relative(packageDir, path));
  const { initdb, pgCtl } = binaries;
  return { ...binaries, packageDir: copy, initdb: moved(initdb), postgres: moved(postgres), pgCtl: moved(pgCtl) };
}

/** In a folder where everyone can write, somebody else may have created something under this name. */
async function isOurs(copy: string): Promise<boolean> {
  try {
    const facts = await lstat(copy);
    if (facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0) return true;
    throw new EmbeddedServerError(
      `${copy} is not a folder that belongs to the user who runs this program and is closed to writes of others. ` +
        'Remove it.',
    );
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Created under another name and renamed when it is complete. Another process may be doing the same. */
async function makeCopy(packageDir: string, copy: string): Promise<void> {
  const staging = `${copy}.new-${randomUUID()}`;
  try {
    await mkdir(staging, { mode: 0o700 });
    await cp(packageDir, staging, { recursive: true, verbatimSymlinks: true });
    await linkLibraries({ packageDir: staging }, staging);
    await openToAll(staging);
    await rename(staging, copy);
  } catch (error) {
    await removeTree(staging);
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST') || !(await isOurs(copy))) throw error;
  }
}

/** Everyone can read and run the files; only their owner can write them. */
async function openToAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
  await chmod(folder, 0o755);
}

function ignoreNotWritable(error: unknown): undefined {
  if (!hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOSPC', 'EDQUOT')) throw error;
}
