// A worker in a process of its own, compiled and set up as operators do it: for tests that kill and halt one.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Environment } from '../../src/config/load-settings.ts';
import { administratorSettings } from '../support/access.ts';
import { spawnFlaghoist } from '../support/run-compiled.ts';

export interface WorkerProcess {
  pid: number;
  /** Where it saves mail. */
  dataDir: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for its end. */
  stop(): Promise<void>;
  /** It does nothing from now on, and does not know it. */
  halt(): void;
  goOn(): void;
  signal(signal: NodeJS.Signals): void;
  /** What it has printed so far. */
  output(): string;
}

/** Gone with the test that started it, at the latest. `program`: that of another version. */
export async function startWorker(
  databaseUrl: string,
  environment: Environment = {},
  program?: string,
): Promise<WorkerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'flaghoist-worker-'));
  const settings = {
    FLAGHOIST_PORT: '0',
    FLAGHOIST_ROLES: 'worker',
    FLAGHOIST_DATA_DIR: dataDir,
    FLAGHOIST_REFERENCE_DATA: 'skip',
    DATABASE_URL: databaseUrl,
    ...administratorSettings,
    ...environment,
  };
  const child = spawnFlaghoist(['serve'], settings, program);
  let printed = '';
  for (const output of [child.stdout!, child.stderr!])
    output.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  });
  await vi.waitUntil(() => isReady(child, printed), { timeout: 60_000, interval: 20 });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    pid: child.pid!,
    dataDir,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    halt: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    signal: (signal) => void child.kill(signal),
    output: () => printed,
  };
}

function isReady(child: ChildProcess, printed: string): boolean {
  if (child.exitCode !== null) throw new Error(`The worker has ended:\n${printed}`);
  return printed.includes('service.started');
}
