// Secrets in files, as containers and systemd hand them over: `DATABASE_URL_FILE` names a file with the value of
// `DATABASE_URL`.

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

export function fileVariableOf(variable: string): string {
  return `${variable}_FILE`;
}

const bytesMax = 65_536;

/** Without the line break at its end. No error shows the content, or the path: it may be the secret itself, by mistake. */
export function readSecretFile(path: string): string {
  const text = readText(path).replace(/\r?\n$/, '');
  if (text === '') throw new Error('names a file that is empty');
  return text;
}

function readText(path: string): string {
  const file = open(path);
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw new Error('names a folder: name the file in it');
    if (!stat.isFile()) throw new Error('names something that is not an ordinary file');
    if (stat.size > bytesMax) throw new Error(`names a file with more than ${bytesMax} bytes`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    // A pipe without a writer would keep the service from starting.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`names a file that cannot be read (${code}). Check the path, and who may read it`);
  }
}
