// The stream benchmark: how long a change takes until the consumer of a stream has it, in turns with a receiver over
// HTTP.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { ChangePlan, ChangeResult } from '../delivery/change-generator.ts';
import { awaitRecorded, forgetNotifications, selectMarks, selectOutcomes } from '../delivery/delivery-table.ts';
import { type LatencyRound, latenciesOf, summarise } from '../delivery/latencies.ts';
import { changeVoyage, startGenerator } from '../delivery/latency.ts';
import { makeWorld, type World } from '../delivery/world.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { Ledger } from '../harness/ledger.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import { type Report, renderSpread } from '../harness/report.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge } from '../harness/verdict.ts';
import { type ContenderName, openContender, type StreamContender } from './contenders.ts';

interface Sizes {
  voyages: number;
  perSecond: number;
  rounds: number;
  durationMs: number;
  /** At a higher rate, because V8 compiles what runs often. */
  warmUp: { perSecond: number; durationMs: number };
}

const fullSizes: Sizes = {
  voyages: 200,
  perSecond: 200,
  rounds: 9,
  durationMs: 6_000,
  warmUp: { perSecond: 600, durationMs: 15_000 },
};

const quickSizes: Sizes = {
  voyages: 100,
  perSecond: 100,
  rounds: 1,
  durationMs: 500,
  warmUp: { perSecond: 100, durationMs: 200 },
};

interface Run {
  sizes: Sizes;
  world: World;
  ledger: Ledger;
  generator: NodeProgram;
  tell: (line: string) => void;
}

type Latencies = Map<string, LatencyRound[]>;

export const streamBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const generators = { STREAM: startGenerator(), HTTP: startGenerator() };
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    tell('making the voyages');
    const world = await makeWorld(database.url, folder, sizes.voyages);
    const ledger = new Ledger();
    const latencies = await compare({ sizes, world, ledger, tell }, generators);
    return reportOf(latencies, sizes, isQuick, ledger, facts);
  } finally {
    await Promise.all(Object.values(generators).map((generator) => generator.stop()));
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

async function compare(run: Omit<Run, 'generator'>, generators: Record<ContenderName, NodeProgram>) {
  const { sizes, world, tell } = run;
  const contenders: StreamContender[] = [];
  try {
    for (const name of ['STREAM', 'HTTP'] as const) contenders.push(await openContender(name, world));
    const measure = (contender: StreamContender, perSecond: number, durationMs: number) =>
      measureRound({ ...run, generator: generators[contender.name] }, contender, perSecond, durationMs);
    for (const contender of contenders) await measure(contender, sizes.warmUp.perSecond, sizes.warmUp.durationMs);
    return await measureInRounds(
      contenders.map((contender) => ({
        name: contender.name,
        measure: async (durationMs: number) => {
          const round = await measure(contender, sizes.perSecond, durationMs);
          tell(`  ${contender.name}: p50 ${round.p50.toFixed(1)} ms, p99 ${round.p99.toFixed(1)} ms`);
          return round;
        },
      })),
      { rounds: sizes.rounds, durationMs: sizes.durationMs, warmUpMs: sizes.durationMs },
    );
  } finally {
    for (const contender of contenders) await contender.stop();
  }
}

let rounds = 0;

async function measureRound(
  { generator, world, ledger }: Run,
  { name, databaseUrl, begin, take }: StreamContender,
  perSecond: number,
  durationMs: number,
): Promise<LatencyRound> {
  rounds += 1;
  const count = Math.round((perSecond * durationMs) / 1000);
  const places = [...world.voyageKeys];
  const by = { kind: 'sql', databaseUrl, statement: changeVoyage, places } as const;
  const plan: ChangePlan = { by, perSecond, count, mark: `s${rounds}` };
  await begin();
  const made = await generator.ask<ChangeResult>(plan);
  const received = await take(count);
  await awaitRecorded(databaseUrl, 10_000);
  const marks = await selectMarks(databaseUrl);
  const latencies = latenciesOf(plan, made, received, (id) => marks.get(id) ?? id);
  const { delivered, other, pending } = await selectOutcomes(databaseUrl);
  ledger.expect(
    `${name}, ${perSecond}/s: changes, received, each once, delivered, not delivered, left`,
    [count, count, count, count, 0, 0].join(),
    [made.done, received.ids.length, latencies.length, delivered, other, pending].join(),
  );
  await forgetNotifications(databaseUrl);
  return summarise(latencies);
}

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

function reportOf(
  latencies: Latencies,
  sizes: Sizes,
  isQuick: boolean,
  ledger: Ledger,
  facts: Report['facts'],
): Report {
  const [stream, http] = [latencies.get('STREAM')!, latencies.get('HTTP')!];
  const p99 = (round: LatencyRound) => round.p99;
  const cells = (rounds: LatencyRound[]) =>
    (['p50', 'p95', 'p99', 'max'] as const).map((name) => renderSpread(spreadOf(rounds.map((each) => each[name])), 1));
  return {
    title: 'Streams: from a change to the consumer',
    introduction:
      `${isQuick ? smokeNotice : ''}The service runs in a process of its own on an embedded PostgreSQL with its ` +
      'default, durable settings: one for a subscription with the channel STREAM, and one for a subscription over ' +
      'HTTP, in turns. Another process changes voyages by SQL and tells by NOTIFY, as a process with the role `api` ' +
      'does. The consumer of the stream acknowledges each batch by its keys; the receiver over HTTP answers at once.',
    verdicts: [
      judge(
        {
          what: `from a change to the consumer of a stream at ${sizes.perSecond}/s, p99 as part of that over HTTP`,
          kind: 'atMost',
          value: 1,
        },
        ratios(stream.map(p99), http.map(p99)).median,
      ),
    ],
    ledger: ledger.entries,
    facts,
    sections: [
      {
        heading: 'From a change to its receiver',
        text:
          'Milliseconds from the moment that a change was due, by a schedule that waits for nobody, until the ' +
          `receiver had it. Median of ${stream.length} rounds of ${sizes.durationMs / 1000} s, in turns; in ` +
          'parentheses between which values the middle half of them lay.',
        table: {
          columns: ['Channel', 'p50', 'p95', 'p99', 'max'],
          rows: [
            ['STREAM', ...cells(stream)],
            ['HTTP', ...cells(http)],
          ],
        },
      },
    ],
  };
}
