// `npm run endurance <name>`: runs a campaign of `campaigns.ts`, prints the result and stores it as
// `endurance/results/<name>.md`. Exits with 1 if anything was lost.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../bench/harness/project-root.ts';
import type { Campaign, Tell } from './campaign.ts';
import { campaigns } from './campaigns.ts';

interface Options {
  results: string;
  seed?: number;
}

const program = new Command('endurance').description('Breaks what can break, and looks for what was lost.');
for (const campaign of campaigns) {
  const command = program.command(campaign.name).description(campaign.description);
  for (const option of campaign.options) command.addOption(option);
  command
    .option('--results <folder>', 'where the report is written', join(projectRoot, 'endurance/results'))
    .action((options: Options) => run(campaign, options));
}

// When this process exits, the others are stopped, see `bench/harness/node-program.ts`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await program.parseAsync();

async function run(campaign: Campaign, { results, ...plan }: Options): Promise<void> {
  const tell = startTelling();
  if (plan.seed !== undefined) tell(`seed ${plan.seed}`);
  const { text, findings, name = campaign.name } = await campaign.run({ ...plan, tell });
  await mkdir(results, { recursive: true });
  await writeFile(join(results, `${name}.md`), text);
  console.log(text);
  if (findings.length > 0) process.exitCode = 1;
}

function startTelling(): Tell {
  const startedAt = performance.now();
  return (line) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);
}
