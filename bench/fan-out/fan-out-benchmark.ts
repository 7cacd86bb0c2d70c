// The fan-out benchmark: changes that a thousand subscriptions with the same selection are notified of. The service as
// it is, in turns with one that stores the whole body of each notification (`whole-bodies.ts`).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import { Sink } from '../delivery/sink-process.ts';
import { makeWorld, type World } from '../delivery/world.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { Ledger } from '../harness/ledger.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { type FanOut, fanOutReport } from './fan-out-report.ts';
import { measureFanOut } from './fan-out-round.ts';
import type { Changed } from './fan-out-table.ts';
import { openContenders } from './fan-out-world.ts';

interface Sizes {
  voyages: number;
  receivers: number;
  subscriptions: number;
  changes: number;
  rounds: number;
}

const fullSizes: Sizes = { voyages: 100, receivers: 20, subscriptions: 1_000, changes: 200, rounds: 3 };
const quickSizes: Sizes = { voyages: 50, receivers: 5, subscriptions: 20, changes: 10, rounds: 1 };

interface Run {
  sizes: Sizes;
  world: World;
  sink: Sink;
  ledger: Ledger;
  tell: (line: string) => void;
}

export const fanOutBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const sink = await Sink.start(Array.from({ length: sizes.receivers }, () => ({ kind: 'prompt' as const })));
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    tell('making the objects');
    const world = await makeWorld(database.url, folder, sizes.voyages);
    const ledger = new Ledger();
    const measured: FanOut[] = [];
    for (const changed of ['vessel', 'voyage'] as const)
      measured.push(await compare({ sizes, world, sink, ledger, tell }, changed));
    return fanOutReport(measured, { ...sizes, isQuick, ledger, facts });
  } finally {
    await sink.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** A warm-up with a tenth of the changes, then the rounds. */
async function compare({ sizes, world, sink, ledger, tell }: Run, changed: Changed): Promise<FanOut> {
  const { subscriptions, changes, rounds } = sizes;
  tell(`${changed}: making ${subscriptions} subscriptions`);
  const contenders = await openContenders(world, changed, subscriptions, sink.urls);
  try {
    const plan = { subscriptions, sink, ledger };
    for (const contender of contenders) await measureFanOut(contender, { ...plan, changes: Math.ceil(changes / 10) });
    const measured = await measureInRounds(
      contenders.map((contender) => ({
        name: contender.name,
        measure: async () => {
          const round = await measureFanOut(contender, { ...plan, changes });
          tell(`  ${changed}, ${contender.name}: ${(round.tookMs / 1000).toFixed(1)} s`);
          return round;
        },
      })),
      { rounds, durationMs: 0 },
    );
    return { changed, shared: measured.get('shared contents')!, whole: measured.get('whole bodies')! };
  } finally {
    for (const { program } of contenders) await program.stop();
  }
}
