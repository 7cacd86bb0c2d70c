// Runs one of PostgreSQL's programs to its end and keeps what it printed last.

import { once } from 'node:events';
import { followLines } from './follow-lines.ts';
import { type RunAs, spawnAs } from './run-as.ts';

export interface ProgramResult {
  readonly isSuccess: boolean;
  readonly lines: readonly string[];
}

export async function runProgram(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  { secret, input = '' }: { secret: string; input?: string },
): Promise<ProgramResult> {
  const child = spawnAs(runAs, program, args, 'pipe');
  const lines = followLines([child.stdout, child.stderr], secret);
  // The program may end without reading; its exit code says so better than EPIPE.
  child.stdin?.on('error', () => {}).end(input);
  try {
    const [code] = await once(child, 'close');
    return { isSuccess: code === 0, lines: lines.recent };
  } catch (error) {
    return { isSuccess: false, lines: [String(error)] };
  }
}
