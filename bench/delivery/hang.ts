// Whether one hanging receiver delays the others: changes at a fixed rate to all receivers, with and without a hanging
// one, in turns, with one worker and with several. Each round has its own processes.

import type { Ledger } from '../harness/ledger.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import { measureInRounds } from '../harness/rounds.ts';
import type { ChangePlan, ChangeResult } from './change-generator.ts';
import { forgetPending, selectMarks } from './delivery-table.ts';
import { type LatencyRound, latenciesOf, summarise } from './latencies.ts';
import { changeVoyage, startGenerator } from './latency.ts';
import { type Service, startService } from './servers.ts';
import { Sink } from './sink-process.ts';
import type { Sizes } from './sizes.ts';
import { openStand, type Stand, type World } from './world.ts';

export interface Hang {
  sizes: Sizes['hang'];
  byWorkers: HangOfWorkers[];
}

/** Of the receivers that do not hang. */
export interface HangOfWorkers {
  workers: number;
  without: LatencyRound[];
  with: LatencyRound[];
}

export interface HangRun {
  world: World;
  sizes: Sizes['hang'];
  ledger: Ledger;
  tell: (line: string) => void;
}

interface Field extends HangRun {
  sink: Sink;
  stand: Stand;
  generator: NodeProgram;
}

export async function measureHang(run: HangRun): Promise<Hang> {
  const { world, sizes } = run;
  const sink = await Sink.start(Array.from({ length: sizes.receivers }, () => ({ kind: 'prompt' })));
  const generator = startGenerator();
  try {
    const field: Field = { ...run, sink, generator, stand: await openStand(world, 'hang', sink.urls) };
    const contender = (kind: 'without' | 'with', workers: number) => ({
      name: `${kind} ${workers}`,
      measure: (durationMs: number) => measureRound(field, { isHanging: kind === 'with', workers }, durationMs),
    });
    const contenders = sizes.workers.flatMap((count) => [contender('without', count), contender('with', count)]);
    const measured = await measureInRounds(contenders, { rounds: sizes.rounds, durationMs: sizes.durationMs });
    const byWorkers = sizes.workers.map((workers) => ({
      workers,
      without: measured.get(`without ${workers}`)!,
      with: measured.get(`with ${workers}`)!,
    }));
    return { sizes, byWorkers };
  } finally {
    await generator.stop();
    await sink.stop();
  }
}

const hanging = 0;
let rounds = 0;

async function measureRound(
  field: Field,
  { isHanging, workers }: { isHanging: boolean; workers: number },
  durationMs: number,
): Promise<LatencyRound> {
  const { sink, stand, sizes, ledger, tell } = field;
  const { hangMs, warmUpMs } = sizes;
  await sink.behave(hanging, isHanging ? { kind: 'late', delayMs: hangMs } : { kind: 'prompt' });
  const services: Service[] = [];
  try {
    for (let n = 0; n < workers; n += 1) services.push(await startService({ ...stand, roles: 'worker' }));
    await change(field, warmUpMs);
    const { latencies, expected, received } = await change(field, durationMs);
    const name = `${workers} workers, ${isHanging ? 'one hangs' : 'none hangs'}`;
    const round = summarise(latencies);
    tell(`  ${name}: p50 ${round.p50.toFixed(1)} ms, p99 ${round.p99.toFixed(1)} ms`);
    ledger.expect(
      `${name}: changes for the other receivers, received, each once`,
      [expected, expected, expected].join(),
      [expected, received, latencies.length].join(),
    );
    return round;
  } finally {
    // Otherwise a hanging request would take until its deadline.
    for (const { program } of services) await program.kill();
    await forgetPending(stand.databaseUrl);
  }
}

/** Makes changes for all receivers. Returns the results of all but the one that may hang. */
async function change({ sink, stand, generator, sizes }: Field, durationMs: number) {
  const { databaseUrl, subscribed } = stand;
  rounds += 1;
  const places = subscribed.map(({ objectKey }) => objectKey);
  const plan: ChangePlan = {
    by: { kind: 'sql', databaseUrl, statement: changeVoyage, places },
    perSecond: sizes.perSecond,
    count: Math.round((sizes.perSecond * durationMs) / 1000),
    mark: `h${rounds}`,
  };
  const isOther = (n: number) => n % places.length !== hanging;
  const expected = Array.from({ length: plan.count }, (_, n) => n).filter(isOther).length;
  await sink.begin();
  const made = await generator.ask<ChangeResult>(plan);
  // The first receiver is the one that may hang, so its notifications are not waited for.
  await sink.wait(expected, 5_000);
  await sink.wait(plan.count, 500);
  const all = await sink.take();
  const marks = await selectMarks(databaseUrl);
  const kept = all.receivers.map((receiver) => receiver !== hanging);
  const others = {
    ...all,
    ids: all.ids.filter((_, n) => kept[n]),
    atMs: all.atMs.filter((_, n) => kept[n]),
  };
  const latencies = latenciesOf(plan, made, others, (id) => marks.get(id) ?? id);
  return { latencies, expected, received: others.ids.length };
}
