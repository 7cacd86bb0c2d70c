// The sandbox benchmark: what the isolation of scripts and stylesheets costs, and whether it holds.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Benchmark, BenchmarkOptions } from '../harness/benchmark.ts';
import { Ledger } from '../harness/ledger.ts';
import { loadNow, readMachineFacts } from '../harness/machine-facts.ts';
import { measureEngines } from './engines.ts';
import { measureNeighbours } from './neighbours.ts';
import { introduction, type SandboxMeasurements, sectionsOf, verdictsOf } from './sandbox-report.ts';
import { measureScriptedBacklog } from './scripted-backlog.ts';
import { makeScriptedWorld, planEngines, type ScriptedWorld } from './scripted-world.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';

export const sandboxBenchmark: Benchmark = async (options) => {
  const sizes = options.isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    options.tell('making the voyages');
    const world = await makeScriptedWorld(database.url, folder, sizes.voyages);
    const run: Run = { ...options, sizes, world, ledger: new Ledger() };
    const measurements = await measureAll(run);
    return {
      title: 'Sandbox: scripts and stylesheets of others',
      introduction: introduction(options.isQuick),
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
  world: ScriptedWorld;
  ledger: Ledger;
}

const partNames = ['engines', 'backlog', 'neighbours'] as const;
type PartName = (typeof partNames)[number];

async function measureAll(run: Run): Promise<SandboxMeasurements> {
  const { sizes, tell, world } = run;
  const strange = run.parts.find((part) => !partNames.includes(part as PartName));
  if (strange !== undefined) throw new Error(`Unknown part: ${strange}. The parts are ${partNames.join(', ')}.`);
  const measure = async <T>(part: PartName, what: string, work: () => Promise<T>): Promise<T | undefined> => {
    if (run.parts.length > 0 && !run.parts.includes(part)) return undefined;
    tell(`${part}: ${what}; load of the machine ${loadNow()}`);
    return await work();
  };
  const plan = await planEngines(world);
  return {
    objectBytes: Buffer.byteLength(plan.changes[0]!.svcObject),
    xmlBytes: Buffer.byteLength(plan.changes[0]!.xml),
    engines: await measure('engines', 'in turns with the engines alone', () =>
      measureEngines({ ...run, plan, sizes: sizes.engines }),
    ),
    backlog: await measure('backlog', 'in turns with the engine alone', () =>
      measureScriptedBacklog({ ...run, plan, sizes: sizes.backlog }),
    ),
    neighbours: await measure('neighbours', 'beside hostile ones, in turns with none', () =>
      measureNeighbours({ ...run, sizes: sizes.neighbours }),
    ),
  };
}
