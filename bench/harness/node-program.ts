// A Node program in its own process: started, listened to, stopped.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface NodeProgramOptions {
  script: string;
  args?: string[];
  nodeArgs?: string[];
  /** A command that runs the node command at its end with `exec`, so that the process id stays the same. */
  prefix?: readonly string[];
  env?: Record<string, string>;
  /** Whether messages can be exchanged with it. */
  hasChannel?: boolean;
  /** A file for its output. Without it, the last lines are kept in memory. Standard error is always kept. */
  outputFile?: string;
}

/** They do not outlive an ordinary end of this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const linesKept = 50;
const patienceMs = 30_000;

export class NodeProgram {
  readonly exited: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #ending: string | undefined;

  constructor(options: NodeProgramOptions) {
    const { script, args = [], nodeArgs = [], prefix = [], env, hasChannel = false, outputFile } = options;
    const output = outputFile === undefined ? 'pipe' : openSync(outputFile, 'a');
    const [file, ...rest] = [...prefix, process.execPath, ...nodeArgs, script, ...args] as [string, ...string[]];
    this.#child = spawn(file, rest, {
      stdio: ['ignore', output, 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
      ...(env ? { env } : {}),
    });
    if (typeof output === 'number') closeSync(output);
    for (const stream of [this.#child.stdout, this.#child.stderr!])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          this.#lines.push(line);
          if (this.#lines.length > linesKept) this.#lines.shift();
        });
    running.add(this.#child);
    this.exited = once(this.#child, 'exit').then(([code, signal]) => {
      this.#ending = signal === null ? `exit code ${code}` : `killed by ${signal}`;
      running.delete(this.#child);
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get hasExited(): boolean {
    return this.#ending !== undefined;
  }

  /** `exit code 0` or `killed by SIGKILL`; undefined while it runs. */
  get ending(): string | undefined {
    return this.#ending;
  }

  /** The last lines that it printed. */
  get output(): string {
    return this.#lines.join('\n');
  }

  /** Sends a message and waits for the next one that comes back. */
  async ask<Answer>(message: object): Promise<Answer> {
    const answered = once(this.#child, 'message').then(([answer]) => answer as Answer);
    this.#child.send(message);
    const ended = this.exited.then(() => {
      throw new Error(`The program ended without an answer:\n${this.output}`);
    });
    return await Promise.race([answered, ended]);
  }

  async stop(): Promise<void> {
    if (this.hasExited) return;
    this.#child.kill('SIGTERM');
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    await this.exited;
    clearTimeout(impatience);
  }

  async kill(): Promise<void> {
    if (!this.hasExited) this.#child.kill('SIGKILL');
    await this.exited;
  }
}
