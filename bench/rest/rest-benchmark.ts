// The REST benchmark: the service compared with a hand-written program that runs the same SQL, on one embedded
// database; how the difference is spent; what a change pays for queueing its event; and how lists behave with a million
// objects.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { LoadDriver } from '../harness/drive-load.ts';
import { Ledger } from '../harness/ledger.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import type { Report } from '../harness/report.ts';
import { clientId } from '../harness/service-client.ts';
import { checkAgreement } from './agreement.ts';
import { type Comparison, type ComparisonContext, compare, measureAlone } from './comparison.ts';
import { fillFleet, selectUserKey, selectVoyageKeys } from './fleet-table.ts';
import { type PeerPlan, planPeer } from './peer-plan.ts';
import { measureQueueing, type QueueingCost } from './queueing.ts';
import { type RestMeasurements, sectionsOf, verdictsOf } from './rest-report.ts';
import { measureScale, type ScaleResult, startScaleServers } from './scale.ts';
import { type Scenario, scenariosOf } from './scenarios.ts';
import { baseUrl, type Server, startBareFastify, startBareHttp, startOurs, startPeer } from './servers.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';
import { profiledArgs, profileSpending, type Spending } from './spending.ts';

export const restBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const driver = new LoadDriver();
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    const run: Run = { sizes, tell, driver, ledger: new Ledger(), databaseUrl: database.url };
    const measurements = await measureAll(run);
    return reportOf(measurements, run.ledger, facts, isQuick);
  } finally {
    await driver.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

interface Run {
  sizes: Sizes;
  tell: (line: string) => void;
  driver: LoadDriver;
  ledger: Ledger;
  databaseUrl: string;
}

const ports = 50;

async function measureAll(run: Run): Promise<RestMeasurements> {
  const { sizes, tell, databaseUrl } = run;
  tell('filling the database');
  const ours = await startOurs({ databaseUrl, databaseConnections: sizes.databaseConnections });
  const peer = await startPeer(await planPeerOf(run));
  await fillFleet(databaseUrl, {
    voyages: sizes.voyages,
    ports,
    voyagesOfFirstPort: Math.max(100, sizes.voyages / ports),
    hasSubObjects: true,
  });
  const scenarios = scenariosOf(await selectVoyageKeys(databaseUrl, 1_000), ports);
  return {
    sizes,
    comparisons: await stopping([ours, peer], () => compareAll(run, scenarios, ours, peer)),
    orientation: await orient(run, scenarios[0]!),
    spendings: await profileAll(run, scenarios),
    queueing: await compareQueueing(run),
    scale: await scaleUp(run),
  };
}

async function planPeerOf({ databaseUrl, sizes }: Run): Promise<PeerPlan> {
  const userKey = await selectUserKey(databaseUrl, clientId);
  return planPeer({ databaseUrl, baseUrl, connections: sizes.databaseConnections, userKey });
}

async function compareAll(run: Run, scenarios: Scenario[], ours: Server, peer: Server): Promise<Comparison[]> {
  await checkAgreement(scenarios, ours, peer, run.ledger);
  const comparisons: Comparison[] = [];
  for (const scenario of scenarios) {
    run.tell(`comparing: ${scenario.name}`);
    const context = contextOf(run, run.sizes.comparison, run.sizes.connections);
    comparisons.push(await compare(context, scenario, [ours, peer], run.databaseUrl));
  }
  return comparisons;
}

async function orient(run: Run, scenario: Scenario): Promise<RestMeasurements['orientation']> {
  run.tell('for orientation: bare node:http and fastify');
  const servers = [await startBareHttp(), await startBareFastify()];
  const context = contextOf(run, run.sizes.orientation, run.sizes.connections);
  return await stopping(servers, () => measureAlone(context, scenario, servers));
}

async function profileAll(run: Run, scenarios: Scenario[]): Promise<Spending[]> {
  const { sizes, databaseUrl, driver, tell } = run;
  tell('profiling what the time is spent on');
  const ours = await startOurs({
    databaseUrl,
    databaseConnections: sizes.databaseConnections,
    nodeArgs: profiledArgs,
  });
  const peer = await startPeer(await planPeerOf(run), profiledArgs);
  return await stopping([ours, peer], async () => {
    const spendings: Spending[] = [];
    const load = { connections: sizes.connections, durationMs: sizes.profileMs };
    for (const scenario of scenarios) spendings.push(await profileSpending(driver, scenario, [ours, peer], load));
    return spendings;
  });
}

function compareQueueing({ databaseUrl, ...run }: Run): Promise<QueueingCost[]> {
  run.tell('comparing triggers that queue events');
  return measureQueueing({ ...run, serverUrl: databaseUrl });
}

async function scaleUp(run: Run): Promise<ScaleResult[]> {
  const { sizes, databaseUrl, tell } = run;
  tell(`loading ${sizes.scale.small} and ${sizes.scale.large} objects`);
  const servers = await startScaleServers(databaseUrl, sizes);
  return await stopping(Object.values(servers), () => {
    tell('measuring the first page of a list on both');
    return measureScale(contextOf(run, sizes.scale, 1), servers, sizes.scale.matches);
  });
}

function contextOf(run: Run, rounds: ComparisonContext['rounds'], connections: number): ComparisonContext {
  return { driver: run.driver, ledger: run.ledger, rounds, connections };
}

async function stopping<T>(servers: Server[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const { program } of servers) await program.stop();
  }
}

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

function reportOf(measurements: RestMeasurements, ledger: Ledger, facts: Report['facts'], isQuick: boolean): Report {
  return {
    title: 'REST: the service against a hand-written program',
    introduction:
      `${isQuick ? smokeNotice : ''}The peer is \`bench/rest/peer.ts\`: \`node:http\` and \`pg\` without a ` +
      'framework, with the SQL that the service itself compiles, the same pool, named statements, pipelined ' +
      'transactions and ETags. It lets everybody in: requests to the service carry a token, those to the peer ' +
      'none. Both run as processes of their own on one embedded PostgreSQL with its default, durable settings; so ' +
      'does the load generator, all on the same machine.',
    verdicts: verdictsOf(measurements),
    ledger: ledger.entries,
    facts,
    sections: sectionsOf(measurements),
  };
}
