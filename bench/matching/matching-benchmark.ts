// The matching benchmark: what an event costs as subscriptions grow, what a condition costs, how much memory
// subscriptions take, what snapshots cost, and how fast a long backlog is matched.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Benchmark, BenchmarkOptions } from '../harness/benchmark.ts';
import { Ledger } from '../harness/ledger.ts';
import { loadNow, readMachineFacts } from '../harness/machine-facts.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { measureBacklog } from './backlog.ts';
import type { EvaluationCost } from './evaluate-cost.ts';
import { growthDatabase, measureGrowth, splitOrders } from './growth.ts';
import { introduction, type MatchingMeasurements, sectionsOf, verdictsOf } from './matching-report.ts';
import { copyDatabase, insertSubscriptions } from './matching-table.ts';
import { type MemoryForm, planMemory } from './planned-subscriptions.ts';
import type { SetMemory } from './set-memory.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';
import { measureSnapshotCost } from './snapshot-cost.ts';
import { profileMatching } from './spending.ts';
import { makeWorld, type World } from './world.ts';

export const matchingBenchmark: Benchmark = async (options) => {
  const { isQuick, tell } = options;
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    tell('making the orders');
    const world = await makeWorld(database.url, sizes.orders);
    const run: Run = { ...options, sizes, world, ledger: new Ledger() };
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

interface Run extends BenchmarkOptions {
  sizes: Sizes;
  ledger: Ledger;
  world: World;
}

const partNames = ['evaluation', 'memory', 'growth', 'snapshots', 'backlog'] as const;
type PartName = (typeof partNames)[number];

async function measureAll(run: Run): Promise<MatchingMeasurements> {
  const { sizes } = run;
  const strange = run.parts.find((part) => !partNames.includes(part as PartName));
  if (strange !== undefined) throw new Error(`Unknown part: ${strange}. The parts are ${partNames.join(', ')}.`);
  const measure = async <T>(part: PartName, what: string, work: () => Promise<T>): Promise<T | undefined> => {
    if (run.parts.length > 0 && !run.parts.includes(part)) return undefined;
    run.tell(`${part}: ${what}; load of the machine ${loadNow()}`);
    return await work();
  };
  return {
    evaluation: await measure('evaluation', 'an expression, in turns with a function', () => measureEvaluation(run)),
    memory: await measure('memory', 'loading subscriptions', () => measureMemories(run)),
    growth: await measure('growth', `${sizes.growth.subscriptions.join(', ')} subscriptions, in turns`, () =>
      measureGrowthAndSpending(run),
    ),
    snapshots: await measure('snapshots', 'in turns with a worker without them', () =>
      measureSnapshotCost({ ...run, sizes: sizes.snapshots }),
    ),
    backlog: await measure('backlog', `${sizes.backlog.events} events`, () =>
      measureBacklog({ ...run, sizes: sizes.backlog }),
    ),
  };
}

async function measureEvaluation({ sizes, ledger }: Run): Promise<EvaluationCost> {
  const cost = await askProgram<EvaluationCost>('./evaluate-cost.js', sizes.evaluation);
  const [expression, ...others] = cost.shares;
  for (const share of others) ledger.expect('share of objects that the condition holds for', expression, share);
  return cost;
}

async function measureMemories(run: Run): Promise<MatchingMeasurements['memory']> {
  return {
    'one event type': await measureMemory(run, 'one event type'),
    'three event types': await measureMemory(run, 'three event types'),
    'a wildcard': await measureMemory(run, 'a wildcard'),
  };
}

async function measureMemory({ sizes, ledger, world }: Run, form: MemoryForm): Promise<SetMemory> {
  const { subscriptions, distinct } = sizes.memory;
  const databaseUrl = await copyDatabase(world.url, `bench memory ${form}`);
  await insertSubscriptions(databaseUrl, world.userKey, planMemory(subscriptions, distinct, form));
  const plan = { databaseUrl, keysMax: subscriptions };
  const memory = await askProgram<SetMemory>('./set-memory.js', plan, ['--expose-gc']);
  ledger.expect(
    `in memory, with ${form}: subscriptions; distinct conditions; distinct selections`,
    [subscriptions, distinct, distinct].join('; '),
    [memory.subscriptions, memory.conditions, memory.selections].join('; '),
  );
  return memory;
}

async function measureGrowthAndSpending(run: Run): Promise<MatchingMeasurements['growth']> {
  const growth = await measureGrowth({ ...run, sizes: run.sizes.growth });
  run.tell('profiling what the time is spent on');
  return { growth, spending: await profileLargest(run) };
}

function profileLargest({ sizes, world }: Run): Promise<Map<string, number>> {
  const databaseUrl = new URL(world.url);
  databaseUrl.pathname = `/${growthDatabase(sizes.growth.subscriptions.at(-1)!)}`;
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
