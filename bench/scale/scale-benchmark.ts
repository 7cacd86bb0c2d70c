// The scale benchmark: what a change and a notification cost in each part, what more processes on one machine change,
// and whether a queueing model fitted to three points predicts the others.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import { Sink } from '../delivery/sink-process.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { LoadDriver } from '../harness/drive-load.ts';
import { Ledger } from '../harness/ledger.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { createDatabase, fillFleet, selectVoyageKeys } from '../rest/fleet-table.ts';
import { startInstallation, subscribeReceivers } from './installation.ts';
import { type Measured, measurePoint, type Point } from './measure-point.ts';
import { scaleReport } from './scale-report.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';

export interface MeasuredRounds {
  point: Point;
  rounds: Measured[];
}

interface Run {
  sizes: Sizes;
  serverUrl: string;
  folder: string;
  driver: LoadDriver;
  ledger: Ledger;
  tell: (line: string) => void;
}

/** Installations of the same size and number of receivers are started once for all their points. */
interface Group {
  processes: number;
  receivers: number;
  connections: readonly number[];
}

export const scaleBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const settings = { max_connections: '600' };
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined, settings });
  const driver = new LoadDriver();
  const ledger = new Ledger();
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    const measured = await measureGroups({ sizes, serverUrl: database.url, folder, driver, ledger, tell });
    return scaleReport({ sizes, measured }, { ledger: ledger.entries, facts });
  } finally {
    await driver.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

async function measureGroups(run: Run): Promise<MeasuredRounds[]> {
  const { sizes } = run;
  const groups = groupsOf(sizes);
  const places: Place[] = [];
  let measured: Map<string, Measured[][]>;
  try {
    const contenders = [];
    for (const group of groups) {
      run.tell(`preparing ${nameOf(group)}`);
      const place = await prepare(run, group);
      places.push(place);
      contenders.push({ name: nameOf(group), measure: () => measureGroup(run, group, place) });
    }
    measured = await measureInRounds(contenders, { rounds: sizes.rounds, durationMs: sizes.durationMs });
  } finally {
    for (const { sink } of places) await sink.stop();
  }
  return groups.flatMap((group) =>
    group.connections.map((connections, n) => ({
      point: { processes: group.processes, receivers: group.receivers, connections },
      rounds: measured.get(nameOf(group))!.map((round) => round[n]!),
    })),
  );
}

function groupsOf({ processes, connections, receivers }: Sizes): Group[] {
  const most = connections.slice(-1);
  const [few, ...more] = receivers;
  return [
    { processes: 1, receivers: few!, connections },
    ...more.map((count) => ({ processes: 1, receivers: count, connections: most })),
    ...processes.slice(1).map((count) => ({ processes: count, receivers: few!, connections: most })),
  ];
}

function nameOf({ processes, receivers }: Pick<Group, 'processes' | 'receivers'>): string {
  return `${processes} of each role, ${receivers} receivers`;
}

interface Place {
  databaseUrl: string;
  voyageKeys: readonly number[];
  sink: Sink;
}

async function prepare({ serverUrl, sizes, folder }: Run, group: Group): Promise<Place> {
  const databaseUrl = await createDatabase(serverUrl, `bench ${nameOf(group)}`);
  const first = await startInstallation({ databaseUrl, processes: 1, folder });
  const sink = await Sink.start(Array.from({ length: group.receivers }, () => ({ kind: 'prompt' })));
  try {
    const { voyages } = sizes;
    await fillFleet(databaseUrl, { voyages, ports: 50, voyagesOfFirstPort: voyages / 50, hasSubObjects: true });
    await subscribeReceivers(first, sink.urls);
    return { databaseUrl, voyageKeys: await selectVoyageKeys(databaseUrl, voyages), sink };
  } finally {
    await first.stop();
  }
}

/** Started anew for each round, because thirty idle processes would disturb the ones that are measured. */
async function measureGroup(run: Run, group: Group, place: Place): Promise<Measured[]> {
  const { sizes, driver, ledger, tell, folder } = run;
  const { processes, receivers } = group;
  const installation = await startInstallation({ databaseUrl: place.databaseUrl, processes, folder });
  try {
    const measure = (connections: number, durationMs: number) =>
      measurePoint({ installation, driver, ...place }, { processes, receivers, connections }, durationMs);
    for (let warmed = 0; warmed < sizes.warmUpChanges * processes; )
      warmed += (await measure(sizes.connections.at(-1)!, sizes.durationMs)).changes;
    const measured: Measured[] = [];
    for (const connections of group.connections) {
      const result = await measure(connections, sizes.durationMs);
      const what = `${nameOf(group)}, ${connections} connections`;
      ledger.expect(`${what}: failed requests`, 0, result.failures);
      ledger.expect(`${what}: notifications received`, result.changes * receivers, result.notifications);
      tell(`  ${what}: ${result.changesPerSecond.toFixed(0)} changes/s`);
      measured.push(result);
    }
    return measured;
  } finally {
    await installation.stop();
  }
}
