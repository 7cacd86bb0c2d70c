// `npx flaghoist serve` in a project with the installed packages: what it has printed, and its end.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';
import { environment } from './packed-packages.ts';

export interface User {
  uid?: number;
  gid?: number;
}

export class ServedByNpx {
  readonly #npx: ChildProcess;
  readonly #ended: Promise<unknown>;
  #printed = '';

  /** `home`: for the settings of npm, and with the folder `data` for the data of the service. */
  constructor(project: string, home: string, user: User) {
    const settings = { HOME: home, FLAGHOIST_DATA_DIR: join(home, 'data'), FLAGHOIST_PORT: '0' };
    this.#npx = spawn('npx', ['flaghoist', 'serve'], {
      cwd: project,
      env: { ...environment(), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which ends with the test even if it fails.
      detached: true,
      ...user,
    });
    this.#ended = once(this.#npx, 'exit');
    for (const output of [this.#npx.stdout!, this.#npx.stderr!])
      output.on('data', (chunk: Buffer) => {
        this.#printed += chunk;
      });
  }

  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    return vi.waitFor(
      () => {
        const match = pattern.exec(this.#printed);
        if (!match) throw new Error(`${pattern} was not printed, but:\n${this.#printed}`);
        return match;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  async stop(): Promise<void> {
    this.#npx.kill('SIGTERM');
    await this.#ended;
  }

  kill(): void {
    try {
      process.kill(-this.#npx.pid!, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  }
}
