// A `flaghoist` that runs until a test stops it: what it has printed so far, and its end.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import type { Environment } from '../../src/config/load-settings.ts';
import { spawnFlaghoist } from '../support/run-compiled.ts';

export class RunningProgram {
  /** Everything, on both outputs, in the order in which it came. */
  printed = '';
  readonly ended: Promise<unknown>;
  readonly #child: ChildProcess;

  constructor(args: string[], environment: Environment) {
    this.#child = spawnFlaghoist(args, environment);
    this.ended = once(this.#child, 'close');
    for (const output of [this.#child.stdout!, this.#child.stderr!])
      output.on('data', (chunk: Buffer) => {
        this.printed += chunk;
      });
  }

  /** The match, once it has been printed. */
  async sees(pattern: RegExp): Promise<RegExpExecArray> {
    return vi.waitFor(
      () => {
        const match = pattern.exec(this.printed);
        if (!match) throw new Error(`${pattern} was not printed, but:\n${this.printed}`);
        return match;
      },
      { timeout: 30_000, interval: 20 },
    );
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.ended;
  }
}

/** The URL of a service that has been started with `serve`, once all that it says at the start has been said. */
export async function servedUrl(program: RunningProgram): Promise<string> {
  const [, url] = await program.sees(
    /Flaghoist is ready\.[\s\S]*?API +(\S+)\/ws\/rest\n[\s\S]*\n(?:curl -s|npx flaghoist) .*\n\n$/,
  );
  return url!;
}
