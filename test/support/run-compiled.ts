// Runs a compiled program of `bench/` or `endurance/` to its end, as `npm run bench` and `npm run endurance` do.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Ending {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runCompiled(program: 'bench/main.js' | 'endurance/main.js', args: string[]): Promise<Ending> {
  const script = fileURLToPath(new URL(`../../dist-bench/${program}`, import.meta.url));
  if (!existsSync(script)) throw new Error(`${script} is missing: npx tsc -p tsconfig.bench.json makes it.`);
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk;
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...texts };
}
