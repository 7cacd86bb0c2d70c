// The file of a backup. It gets its name when it is complete and on the disk, so an interrupted backup never looks like
// a whole one, and never replaces one.

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { OperatorError } from '../errors.ts';

/** The name for standard input and output. */
export const standardStream = '-';

export async function writeWhole<T>(file: string, write: (output: Writable) => Promise<T>): Promise<T> {
  if (file === standardStream) return await writeTo(file, process.stdout, write);
  await requireReplaceable(file);
  const partial = `${file}.partial-${process.pid}-${randomBytes(4).toString('hex')}`;
  const handle = await open(partial, 'wx', 0o600).catch((error) => fail(file, error));
  const output = handle.createWriteStream();
  try {
    const result = await writeTo(file, output, write);
    await finish(partial, file).catch((error) => fail(file, error));
    return result;
  } finally {
    output.destroy();
    await rm(partial, { force: true });
  }
}

/** A device or a pipe must not be replaced by a file. */
async function requireReplaceable(file: string): Promise<void> {
  const present = await lstat(file).catch(() => undefined);
  if (present && !present.isFile())
    throw new OperatorError(`${file} is not a file. To write the backup to it, use: flaghoist backup - > ${file}`);
}

async function writeTo<T>(file: string, output: Writable, write: (output: Writable) => Promise<T>): Promise<T> {
  try {
    return await write(output);
  } catch (error) {
    if (output.errored === error) fail(file, error);
    throw error;
  }
}

async function finish(partial: string, file: string): Promise<void> {
  await sync(partial);
  await rename(partial, file);
  await sync(dirname(resolve(file)));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

function fail(file: string, error: unknown): never {
  const where = file === standardStream ? 'standard output' : file;
  throw new OperatorError(`The backup cannot be written to ${where}: ${(error as Error).message}.`, { cause: error });
}

export function readFrom(file: string): Readable {
  return file === standardStream ? process.stdin : createReadStream(file, { highWaterMark: 262_144 });
}
