// Runs compiled programs to their end: those of `bench/` and `endurance/`, as `npm run bench` and `npm run endurance`
// do, and the service's own commands.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../src/config/load-settings.ts';

export interface Ending {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runCompiled(program: 'bench/main.js' | 'endurance/main.js', args: string[]): Promise<Ending> {
  return ending(spawnCompiled(`dist-bench/${program}`, args));
}

/** `flaghoist …`, with these settings and no others. */
export async function runFlaghoist(args: string[], environment: Environment, program?: string): Promise<Ending> {
  return ending(spawnFlaghoist(args, environment, program));
}

/** `program`: another one than that of this version. `stdin`: nothing, unless a test writes to it. */
export function spawnFlaghoist(
  args: string[],
  environment: Environment,
  program = 'packages/server/dist/main.js',
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawnCompiled(program, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: [stdin, 'pipe', 'pipe'],
  });
}

function spawnCompiled(program: string, args: string[], options: SpawnOptions = {}): ChildProcess {
  const script = resolve(fileURLToPath(new URL('../../../../', import.meta.url)), program);
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

async function ending(child: ChildProcess): Promise<Ending> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.on('data', (chunk: Buffer) => {
      texts[name] += chunk;
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...texts };
}
