// The end-to-end benchmark: what a change over REST costs until its receiver has it, compared with the least program
// that does the same work, on one embedded database.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { ByRest, BySql } from '../delivery/change-generator.ts';
import type { LatencyRound } from '../delivery/latencies.ts';
import { startGenerator } from '../delivery/latency.ts';
import { Sink } from '../delivery/sink-process.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { LoadDriver } from '../harness/drive-load.ts';
import { Ledger } from '../harness/ledger.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { spreadOf } from '../harness/statistics.ts';
import { type Contender, changeBody, type Method, startBare, startOurs, vesselBody } from './contenders.ts';
import { endToEndReport, type Foreign, type Measured } from './end-to-end-report.ts';
import { statementStatistics } from './end-to-end-table.ts';
import { measureLatency } from './measure-latency.ts';
import { measureRate, type RateRound } from './measure-rate.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';
import { profileSpending, type Spending } from './spending.ts';

interface Run {
  sizes: Sizes;
  serverUrl: string;
  folder: string;
  driver: LoadDriver;
  generator: NodeProgram;
  sink: Sink;
  ledger: Ledger;
  profiles: string | undefined;
  tell: (line: string) => void;
}

const partNames = ['rate', 'foreign', 'profile'] as const;
type PartName = (typeof partNames)[number];

export const endToEndBenchmark: Benchmark = async ({ isQuick, parts, profiles, tell }) => {
  const strange = parts.find((part) => !partNames.includes(part as PartName));
  if (strange !== undefined) throw new Error(`Unknown part: ${strange}. The parts are ${partNames.join(', ')}.`);
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const settings = { shared_preload_libraries: statementStatistics };
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined, settings });
  const driver = new LoadDriver();
  const generator = startGenerator();
  const sink = await Sink.start(Array.from({ length: sizes.receivers + 1 }, () => ({ kind: 'prompt' })));
  const ledger = new Ledger();
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    const run = { sizes, serverUrl: database.url, folder, driver, generator, sink, ledger, profiles, tell };
    const isWanted = (part: PartName) => parts.length === 0 || parts.includes(part);
    return endToEndReport(
      {
        sizes,
        ...(isWanted('rate') || isWanted('foreign') ? await measureInTurns(run, isWanted) : {}),
        spendings: isWanted('profile') ? await profileAll(run) : [],
      },
      { ledger: ledger.entries, facts },
    );
  } finally {
    for (const program of [driver, generator, sink]) await program.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

async function measureInTurns(run: Run, isWanted: (part: PartName) => boolean) {
  const ours = await startOurs({ ...run, isProfiled: false });
  const bare = await startBare({ ...run, isProfiled: false });
  try {
    const methods: Measured[] = [];
    for (const method of isWanted('rate') ? (['POST', 'PUT'] as const) : [])
      methods.push(await measureMethod(run, [ours, bare], method));
    return { methods, ...(isWanted('foreign') ? { foreign: await measureForeign(run, [ours, bare]) } : {}) };
  } finally {
    await ours.program.stop();
    await bare.program.stop();
  }
}

/** The latency is measured at half of the rate that the service sustains, for both. */
async function measureMethod(run: Run, contenders: [Contender, Contender], method: Method): Promise<Measured> {
  const { sizes, tell } = run;
  const rates = await inTurns<RateRound>(run, contenders, sizes, async (contender, durationMs) => {
    const round = await measureRate({ ...run, connections: sizes.connections }, contender, method, durationMs);
    const { perSecond, programUs, databaseUs } = round;
    tell(
      `  ${method} ${contender.name}: ${perSecond.toFixed(0)}/s, ${programUs.toFixed(0)} + ${databaseUs.toFixed(0)} µs`,
    );
    return round;
  });
  const half = spreadOf(rates.ours.map(({ perSecond }) => perSecond)).median / 2;
  const latencies = await inTurns<LatencyRound>(run, contenders, sizes.latency, async (contender, durationMs) => {
    const by = byRest(contender, method);
    const round = await measureLatency(run, contender, { by, perSecond: half, durationMs });
    tell(
      `  ${method} ${half.toFixed(0)}/s ${contender.name}: p50 ${round.p50.toFixed(1)}, p99 ${round.p99.toFixed(1)}`,
    );
    return round;
  });
  return { method, rates, half, latencies };
}

function byRest({ origin, headers, paths }: Contender, method: Method): ByRest {
  const body = method === 'POST' ? vesselBody('{text}') : changeBody('{text}');
  return { kind: 'rest', origin, headers, paths: paths[method], method, body };
}

/** A row changed by SQL that knows nothing of the service; for the bare program, with a NOTIFY in the statement. */
async function measureForeign(run: Run, contenders: [Contender, Contender]): Promise<Foreign> {
  const { sizes, tell } = run;
  const { perSecond } = sizes.foreign;
  return {
    perSecond,
    latencies: await inTurns<LatencyRound>(run, contenders, sizes.foreign, async (contender, durationMs) => {
      const { databaseUrl, foreignStatement: statement, keys } = contender;
      const by: BySql = { kind: 'sql', databaseUrl, statement, places: [...keys], isForeign: true };
      const round = await measureLatency(run, contender, { by, perSecond, durationMs });
      tell(`  SQL ${perSecond}/s ${contender.name}: p50 ${round.p50.toFixed(1)}, p99 ${round.p99.toFixed(1)}`);
      return round;
    }),
  };
}

async function inTurns<Round>(
  { sizes }: Run,
  contenders: readonly Contender[],
  { rounds, durationMs }: { rounds: number; durationMs: number },
  measure: (contender: Contender, durationMs: number) => Promise<Round>,
): Promise<Record<'ours' | 'bare', Round[]>> {
  const measured = await measureInRounds(
    contenders.map((contender) => ({ name: contender.name, measure: (ms: number) => measure(contender, ms) })),
    { rounds, durationMs, warmUpMs: sizes.warmUpMs },
  );
  return { ours: measured.get('ours')!, bare: measured.get('bare')! };
}

async function profileAll(run: Run): Promise<Spending[]> {
  const spendings: Spending[] = [];
  for (const start of [startOurs, startBare]) {
    const contender = await start({ ...run, isProfiled: true });
    try {
      for (const method of ['POST', 'PUT'] as const) {
        run.tell(`profile: ${method} ${contender.name}`);
        spendings.push(await profileSpending(run, contender, method));
      }
    } finally {
      await contender.program.stop();
    }
  }
  return spendings;
}
