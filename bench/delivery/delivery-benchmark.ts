// The delivery benchmark: how fast a backlog is delivered, how soon a change arrives, and how slow or dead receivers
// affect the others.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Benchmark, BenchmarkOptions } from '../harness/benchmark.ts';
import { Ledger } from '../harness/ledger.ts';
import { loadNow, readMachineFacts } from '../harness/machine-facts.ts';
import { measureBacklog } from './backlog.ts';
import { measureClaims } from './claims.ts';
import { measureDead } from './dead.ts';
import { type DeliveryMeasurements, introduction, sectionsOf, verdictsOf } from './delivery-report.ts';
import { measureHang } from './hang.ts';
import { measureLatency } from './latency.ts';
import { measureOrder } from './order.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';
import { makeWorld, type World } from './world.ts';

export const deliveryBenchmark: Benchmark = async (options) => {
  const sizes = options.isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    options.tell('making the voyages');
    const world = await makeWorld(database.url, folder, sizes.voyages);
    const run: Run = { ...options, sizes, world, ledger: new Ledger() };
    const measurements = await measureAll(run);
    return {
      title: 'Delivery: from a change to its receivers',
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
  world: World;
  ledger: Ledger;
}

const partNames = ['backlog', 'latency', 'hang', 'dead', 'order', 'claims'] as const;
type PartName = (typeof partNames)[number];

async function measureAll(run: Run): Promise<DeliveryMeasurements> {
  const { sizes, tell } = run;
  const strange = run.parts.find((part) => !partNames.includes(part as PartName));
  if (strange !== undefined) throw new Error(`Unknown part: ${strange}. The parts are ${partNames.join(', ')}.`);
  const loads: [PartName, string][] = [];
  const measure = async <T>(part: PartName, what: string, work: () => Promise<T>): Promise<T | undefined> => {
    if (run.parts.length > 0 && !run.parts.includes(part)) return undefined;
    tell(`${part}: ${what}; load of the machine ${loadNow()}`);
    loads.push([part, loadNow()]);
    return await work();
  };
  const backlog = await measure('backlog', 'in turns with a bare loop', () =>
    measureBacklog({ ...run, sizes: sizes.backlog }),
  );
  const latency = await measure('latency', 'in turns with a bare program', () =>
    measureLatency({ ...run, sizes: sizes.latency }),
  );
  const hang = await measure('hang', 'with one receiver that hangs, in turns with none', () =>
    measureHang({ ...run, sizes: sizes.hang }),
  );
  const dead = await measure('dead', 'with dead receivers, in turns with none', () =>
    measureDead({ ...run, sizes: sizes.dead }),
  );
  const order = await measure('order', 'an ordered backlog, in turns with one that is not', () =>
    measureOrder({ ...run, sizes: sizes.order }),
  );
  const claims = await measure('claims', 'from a short and a long queue, in turns', () =>
    measureClaims({ ...run, sizes: sizes.claims }),
  );
  return { backlog, latency, hang, dead, order, claims, loads };
}
