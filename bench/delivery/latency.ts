// How long a change takes from the moment that it is due until its receiver has it, at fixed rates: the service, in
// turns with the bare program. Once over REST with one process that does everything, and once by SQL, as another
// process would write it.

import { fileURLToPath } from 'node:url';
import type { Ledger } from '../harness/ledger.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { authorize } from '../harness/service-client.ts';
import type { BareServicePlan } from './bare-service.ts';
import { bareInsert } from './bare-table.ts';
import type { ByRest, BySql, ChangePlan, ChangeResult } from './change-generator.ts';
import { forgetNotifications, selectMarks } from './delivery-table.ts';
import { type LatencyRound, latenciesOf, summarise } from './latencies.ts';
import { startService } from './servers.ts';
import { Sink } from './sink-process.ts';
import type { Sizes } from './sizes.ts';
import { openStand, type Stand, type World } from './world.ts';

export interface LatencySeries {
  by: 'rest' | 'sql';
  perSecond: number;
  /** How long both ran at this rate before the first round. */
  warmUpMs: number;
  ours: LatencyRound[];
  bare: LatencyRound[];
}

export interface LatencyRun {
  world: World;
  sizes: Sizes['latency'];
  ledger: Ledger;
  tell: (line: string) => void;
}

export async function measureLatency(run: LatencyRun): Promise<LatencySeries[]> {
  const { world, sizes } = run;
  const sink = await Sink.start(Array.from({ length: sizes.receivers }, () => ({ kind: 'prompt' })));
  const generator = startGenerator();
  try {
    const stand = await openStand(world, 'latency', sink.urls);
    const series: LatencySeries[] = [];
    for (const by of ['sql', 'rest'] as const) {
      const contenders = await openContenders(stand, by);
      try {
        for (const perSecond of sizes.perSecond)
          series.push({
            by,
            perSecond,
            warmUpMs: sizes.warmUpMs,
            ...(await compare({ ...run, sink, generator, stand }, contenders, perSecond)),
          });
      } finally {
        for (const { program } of contenders) await program.stop();
      }
    }
    return series;
  } finally {
    await generator.stop();
    await sink.stop();
  }
}

export function startGenerator(): NodeProgram {
  return new NodeProgram({
    script: fileURLToPath(new URL('./change-generator.js', import.meta.url)),
    hasChannel: true,
  });
}

interface Contender {
  name: 'ours' | 'bare';
  program: NodeProgram;
  by: ByRest | BySql;
}

interface Field extends LatencyRun {
  sink: Sink;
  generator: NodeProgram;
  stand: Stand;
}

/** Changes the voyage with this key. */
export const changeVoyage = 'update flaghoist.voyage set comments = $2::text where key = $1::bigint';

async function openContenders(stand: Stand, by: 'rest' | 'sql'): Promise<Contender[]> {
  const { databaseUrl, subscribed, template } = stand;
  const service = await startService({ ...stand, roles: by === 'rest' ? 'api,worker' : 'worker' });
  const bare = new NodeProgram({
    script: fileURLToPath(new URL('./bare-service.js', import.meta.url)),
    hasChannel: true,
  });
  const plan: BareServicePlan = { databaseUrl, subscribed, template };
  const { port } = await bare.ask<{ port: number }>(plan);
  const keys = subscribed.map(({ objectKey }) => objectKey);
  const places = keys.map((_, n) => n);
  if (by === 'sql')
    return [
      {
        name: 'ours',
        program: service.program,
        by: { kind: 'sql', databaseUrl, statement: changeVoyage, places: keys },
      },
      { name: 'bare', program: bare, by: { kind: 'sql', databaseUrl, statement: bareInsert(template.body), places } },
    ];
  const headers = { ...(await authorize(service.origin)), 'content-type': 'application/json' };
  const paths = keys.map((key) => `/ws/rest/Voyage/${key}`);
  const bareOrigin = `http://127.0.0.1:${port}`;
  return [
    { name: 'ours', program: service.program, by: { kind: 'rest', origin: service.origin, headers, paths } },
    {
      name: 'bare',
      program: bare,
      by: { kind: 'rest', origin: bareOrigin, headers, paths: places.map((place) => `/${place}`) },
    },
  ];
}

async function compare(field: Field, contenders: Contender[], perSecond: number) {
  const { sizes, tell } = field;
  const measured = await measureInRounds(
    contenders.map((contender) => ({
      name: contender.name,
      measure: async (durationMs: number) => {
        const round = await measureRound(field, contender, perSecond, durationMs);
        const { p50, p99 } = round;
        tell(
          `  ${contender.by.kind} ${perSecond}/s ${contender.name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        );
        return round;
      },
    })),
    sizes,
  );
  return { ours: measured.get('ours')!, bare: measured.get('bare')! };
}

let rounds = 0;

async function measureRound(
  { sink, generator, stand, ledger }: Field,
  { name, by }: Contender,
  perSecond: number,
  durationMs: number,
): Promise<LatencyRound> {
  rounds += 1;
  const count = Math.round((perSecond * durationMs) / 1000);
  const plan: ChangePlan = { by, perSecond, count, mark: `m${rounds}` };
  await sink.begin();
  const made = await generator.ask<ChangeResult>(plan);
  await sink.wait(count, 10_000);
  const received = await sink.take();
  const marks = name === 'ours' ? await selectMarks(stand.databaseUrl) : undefined;
  const latencies = latenciesOf(plan, made, received, (id) => marks?.get(id) ?? id.replace('-', ' '));
  ledger.expect(
    `${by.kind}, ${perSecond}/s, ${name}: changes, failures, received, each once`,
    [count, '{}', count, count].join(),
    [made.done, JSON.stringify(made.failures), received.ids.length, latencies.length].join(),
  );
  if (name === 'ours') await forgetNotifications(stand.databaseUrl);
  return summarise(latencies);
}
