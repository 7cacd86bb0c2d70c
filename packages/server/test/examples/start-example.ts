// Runs programs of examples/ as a reader would, and sees what they print.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';

export interface Example {
  /** Everything so far, errors too. */
  printed(): string;
  /** Waits until it has printed this. */
  says(expected: string | RegExp): Promise<void>;
  /** Resolves when it has ended, to its exit code: null if a signal ended it. */
  kill(signal?: NodeJS.Signals): Promise<ChildProcess['exitCode']>;
  /** The same for one that ends by itself. */
  end(): Promise<ChildProcess['exitCode']>;
}

/** `startExample('delay-board/delay-board.mjs', [], { … })`. It has no other environment. Ends with the test. */
export function startExample(
  program: string,
  args: string[],
  environment: Record<string, string>,
  interpreter = process.execPath,
): Example {
  const child = spawn(interpreter, [`examples/${program}`, ...args], {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    env: { PATH: process.env.PATH, ...environment },
  });
  const ended = once(child, 'close');
  const end = async () => {
    await ended;
    return child.exitCode;
  };
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let text = '';
  const add = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return {
    printed: () => text,
    says: async (expected) => {
      await expect.poll(() => text, { timeout: 20_000, interval: 20 }).toMatch(expected);
    },
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return end();
    },
    end,
  };
}
