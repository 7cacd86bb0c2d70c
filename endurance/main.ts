// `npm run endurance <name>`: runs an endurance test, prints what it came to and keeps it as
// `endurance/results/<name>.md`. Ends with 1 if anything was lost.

import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { projectRoot } from '../bench/harness/project-root.ts';
import { renderWrites } from './writes/writes-report.ts';
import { runWrites } from './writes/writes-run.ts';

interface Options {
  kills: number;
  clients: number;
  checkEvery: number;
  seed: number;
  results: string;
}

const program = new Command('endurance').description('Breaks what can break, and looks for what was lost.');

program
  .command('writes')
  .description('kill -9 of node or PostgreSQL while clients write')
  .option('--kills <count>', 'how many times', parseCount, 200)
  .option('--clients <count>', 'how many write at once', parseCount, 8)
  .option('--check-every <kills>', 'how often everything is checked', parseCount, 40)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option('--results <folder>', 'where the report is written', join(projectRoot, 'endurance/results'))
  .action(writes);

// The ordinary end of this process ends the others, see `bench/harness/node-program.ts`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await program.parseAsync();

async function writes({ results, ...plan }: Options): Promise<void> {
  const startedAt = performance.now();
  const tell = (line: string) =>
    console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  tell(`seed ${plan.seed}`);
  const result = await runWrites({ ...plan, tell });
  const text = renderWrites(result);
  await mkdir(results, { recursive: true });
  await writeFile(join(results, 'writes.md'), text);
  console.log(text);
  if (result.findings.length > 0) process.exitCode = 1;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A positive whole number was expected.');
  return Number(text);
}
