// Runs one of PostgreSQL's programs to its end and keeps the last lines of its output, with a secret masked in them.

import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type RunAs, spawnAs } from './run-as.ts';

export interface ProgramResult {
  readonly isSuccess: boolean;
  readonly lines: readonly string[];
}

export interface ProgramOptions {
  /** Masked in all lines. */
  secret?: string;
  input?: string;
  cwd?: string;
  /** An open file, which the program gets as descriptor 3. */
  file?: number;
}

export async function runProgram(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  { secret, input = '', cwd, file }: ProgramOptions = {},
): Promise<ProgramResult> {
  const stdio: SpawnOptions['stdio'] = ['pipe', 'pipe', 'pipe', ...(file === undefined ? [] : [file])];
  const child = spawnAs(runAs, program, args, { stdio, ...(cwd === undefined ? {} : { cwd }) });
  const lines = followLines([child.stdout, child.stderr], secret);
  // The program may end without reading its input; its exit code explains more than EPIPE.
  child.stdin?.on('error', () => {}).end(input);
  try {
    const [code] = await once(child, 'close');
    return { isSuccess: code === 0, lines: lines.recent };
  } catch (error) {
    return { isSuccess: false, lines: [String(error)] };
  }
}

export interface FollowedLines {
  /** The last 20. */
  readonly recent: readonly string[];
  /** When the last line came, or when following began, as `performance.now()` counts. */
  readonly lastAt: number;
}

/** Splits the output of a program into lines. */
export function followLines(
  streams: readonly (Readable | null)[],
  secret: string | undefined,
  onLine: (line: string) => void = () => {},
): FollowedLines {
  const followed = { recent: [] as string[], lastAt: performance.now() };
  const take = (line: string) => {
    const text = secret === undefined ? line : line.replaceAll(secret, '***');
    followed.recent = [...followed.recent, text].slice(-20);
    followed.lastAt = performance.now();
    onLine(text);
  };
  for (const stream of streams) {
    if (stream !== null) createInterface({ input: stream }).on('line', take);
  }
  return followed;
}
