// A process that runs the embedded server (see `embedded-fixture.mjs`), as the tests see it: its output and its end.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { vi } from 'vitest';
import { inspectProcess } from '../src/process-facts.ts';

export interface Line {
  kind: string;
  url?: string;
  postmaster?: number;
  message?: string;
  reason?: string;
}

export interface ChildOptions {
  installation: string;
  dataDir: string;
  user?: { uid: number; gid: number } | undefined;
  mode?: 'server' | 'watchdog';
}

export class EmbeddedChild {
  readonly lines: Line[] = [];
  readonly exited: Promise<unknown>;
  readonly #child: ChildProcess;

  constructor({ installation, dataDir, user, mode = 'server' }: ChildOptions) {
    const args = [join(installation, 'fixture.mjs'), mode, dataDir];
    this.#child = spawn(user === undefined ? process.execPath : copyOfNode(installation), args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
      ...user,
    });
    this.exited = once(this.#child, 'exit');
    createInterface({ input: this.#child.stdout! }).on('line', (line) => this.lines.push(JSON.parse(line) as Line));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async printed(kind: string): Promise<Line> {
    return await waitFor(
      () => this.lines.find((line) => line.kind === kind),
      () => JSON.stringify(this.lines),
    );
  }

  /** Resolves to the URL and the process id of its server, once that runs. */
  async started(): Promise<{ url: string; postmaster: number }> {
    const outcome = await waitFor(
      () => this.lines.find(({ kind }) => kind === 'fixture.started' || kind === 'fixture.failed'),
      () => JSON.stringify(this.lines),
    );
    if (outcome.kind === 'fixture.failed') throw new Error(outcome.message);
    const { url, postmaster } = outcome;
    return { url: url!, postmaster: postmaster! };
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    await this.exited;
  }
}

/** Another user may not be able to enter the folder in which Node.js is installed, for example the home of root. */
function copyOfNode(installation: string): string {
  const copy = join(installation, 'node');
  if (!existsSync(copy)) copyFileSync(process.execPath, copy);
  return copy;
}

export async function waitFor<T>(look: () => T | undefined | Promise<T | undefined>, explain = () => ''): Promise<T> {
  return await vi.waitFor(
    async () => {
      const found = await look();
      if (found === undefined) throw new Error(`not seen in time: ${look} ${explain()}`);
      return found;
    },
    { timeout: 20_000, interval: 20 },
  );
}

export async function gone(pid: number): Promise<void> {
  await waitFor(async () => ((await inspectProcess(pid)) === undefined ? true : undefined));
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
