// The matching benchmark: what an event costs as subscriptions grow, what a condition costs, how much memory
// subscriptions take, and how fast a long backlog is matched.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { Ledger } from '../harness/ledger.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { type Backlog, measureBacklog } from './backlog.ts';
import type { EvaluationCost } from './evaluate-cost.ts';
import { type Growth, growthDatabase, measureGrowth, splitOrders } from './growth.ts';
import { introduction, type MatchingMeasurements, sectionsOf, verdictsOf } from './matching-report.ts';
import { copyDatabase, insertSubscriptions } from './matching-table.ts';
import { planMemory } from './planned-subscriptions.ts';
import type { SetMemory } from './set-memory.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';
import { profileMatching } from './spending.ts';
import { makeWorld, type World } from './world.ts';

export const matchingBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    tell('making the orders');
    const run: Run = { sizes, tell, ledger: new Ledger(), world: await makeWorld(database.url, sizes.orders) };
    const measurements = await measureAll(run);
    return {
      title: 'Matching: from events to notifications',
      introduction: introduction(isQuick),
      verdicts: verdictsOf(measurements),
      ledger: run.ledger.entries,
      facts,
      sections: sectionsOf(measurements),
    };
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

interface Run {
  sizes: Sizes;
  tell: (line: string) => void;
  ledger: Ledger;
  world: World;
}

async function measureAll(run: Run): Promise<MatchingMeasurements> {
  const { sizes, tell, world, ledger } = run;
  tell('evaluating an expression, in turns with a function');
  const evaluation = await measureEvaluation(run);
  tell('loading subscriptions, to see how much memory they take');
  const memory = await measureMemory(run);
  tell(`matching with ${sizes.growth.subscriptions.join(', ')} subscriptions, in turns`);
  const growth = await measureGrowth({ world, ledger, sizes: sizes.growth });
  tell('profiling what the time is spent on');
  const spending = await profileLargest(run, growth);
  tell(`working off a backlog of ${sizes.backlog.events} events`);
  const backlog: Backlog = await measureBacklog({ world, ledger, sizes: sizes.backlog });
  return { evaluation, memory, growth, spending, backlog };
}

async function measureEvaluation({ sizes, ledger }: Run): Promise<EvaluationCost> {
  const cost = await askProgram<EvaluationCost>('./evaluate-cost.js', sizes.evaluation);
  const [expression, ...others] = cost.shares;
  for (const share of others) ledger.expect('share of objects that the condition holds for', expression, share);
  return cost;
}

async function measureMemory({ sizes, ledger, world }: Run): Promise<SetMemory> {
  const { subscriptions, distinct } = sizes.memory;
  const databaseUrl = await copyDatabase(world.url, 'bench_memory');
  await insertSubscriptions(databaseUrl, world.userKey, planMemory(subscriptions, distinct));
  const plan = { databaseUrl, keysMax: subscriptions };
  const memory = await askProgram<SetMemory>('./set-memory.js', plan, ['--expose-gc']);
  ledger.expect(
    'in memory: subscriptions; distinct conditions; distinct selections',
    [subscriptions, distinct, distinct].join('; '),
    [memory.subscriptions, memory.conditions, memory.selections].join('; '),
  );
  return memory;
}

function profileLargest({ sizes, world }: Run, growth: Growth[]): Promise<Map<string, number>> {
  const databaseUrl = new URL(world.url);
  databaseUrl.pathname = `/${growthDatabase(growth.at(-1)!.subscriptions)}`;
  const { changed } = splitOrders(world, sizes.growth);
  return profileMatching({ databaseUrl: databaseUrl.href, changed, changes: sizes.growth.changes });
}

async function askProgram<Answer>(script: string, plan: object, nodeArgs: string[] = []): Promise<Answer> {
  const program = new NodeProgram({
    script: fileURLToPath(new URL(script, import.meta.url)),
    nodeArgs,
    hasChannel: true,
  });
  try {
    return await program.ask<Answer>(plan);
  } finally {
    await program.stop();
  }
}
