// Makes sure that the OS user who runs the PostgreSQL programs can reach them. Where they lie under a folder that is closed to
// this user (root's home), they are copied once to a folder that is open to everyone and belongs to root alone.

import { createHash, randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { linkLibraries } from './link-libraries.ts';
import type { PostgresBinaries } from './locate-binaries.ts';
import { removeTree } from './remove-leftovers.ts';
import type { RunAs } from './run-as.ts';
import { runProgram } from './run-program.ts';
import { hasErrorCode } from './system-error.ts';

/** Not a temporary folder first: some systems clear those while the server runs. */
const usualPlaces = ['/var/cache', tmpdir()];

export async function shareBinaries(
  binaries: PostgresBinaries,
  runAs: RunAs,
  places = usualPlaces,
): Promise<PostgresBinaries> {
  if (runAs.user === undefined || (await canRun(runAs, binaries))) return binaries;
  for (const place of places) {
    const shared = await copyTo(place, binaries).catch(unlessNotWritable);
    if (shared !== undefined && (await canRun(runAs, shared))) return shared;
  }
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and the user ${runAs.user.uid} can run neither ${binaries.postgres} nor a copy in ` +
      `${places.join(' or ')}. Remove flaghoist-postgres-* there to have it copied again, run Flaghoist as an ordinary ` +
      'user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Really runs it: the program may be within reach, and its libraries not. */
async function canRun(runAs: RunAs, { postgres }: PostgresBinaries): Promise<boolean> {
  return (await runProgram(runAs, postgres, ['--version'])).isSuccess;
}

async function copyTo(place: string, binaries: PostgresBinaries): Promise<PostgresBinaries> {
  const { packageDir, postgres } = binaries;
  const { size, mtimeMs } = await stat(postgres);
  const hash = createHash('sha256').update(`${packageDir}\n${size}\n${mtimeMs}`).digest('hex').slice(0, 16);
  const copy = join(place, `flaghoist-postgres-${hash}`);
  if (!(await isOurs(copy))) await makeCopy(packageDir, copy);
  const moved = (path: string) => join(copy, relative(packageDir, path));
  const { initdb, pgCtl } = binaries;
  return { ...binaries, packageDir: copy, initdb: moved(initdb), postgres: moved(postgres), pgCtl: moved(pgCtl) };
}

/** In a folder where everyone may write, somebody else may have put something under this name. */
async function isOurs(copy: string): Promise<boolean> {
  try {
    const facts = await lstat(copy);
    if (facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0) return true;
    throw new OperatorError(`${copy} is not a folder of the user who runs Flaghoist alone. Remove it.`);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Made aside and moved into place when it is complete. Another process may do the same at this moment. */
async function makeCopy(packageDir: string, copy: string): Promise<void> {
  const draft = `${copy}.new-${randomUUID()}`;
  try {
    await mkdir(draft, { mode: 0o700 });
    await cp(packageDir, draft, { recursive: true, verbatimSymlinks: true });
    await linkLibraries({ packageDir: draft }, draft);
    await openToAll(draft);
    await rename(draft, copy);
  } catch (error) {
    await removeTree(draft);
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST') || !(await isOurs(copy))) throw error;
  }
}

/** To read and to run, not to write. */
async function openToAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
  await chmod(folder, 0o755);
}

function unlessNotWritable(error: unknown): undefined {
  if (!hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOSPC', 'EDQUOT')) throw error;
}
