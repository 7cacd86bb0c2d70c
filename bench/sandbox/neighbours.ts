// Whether a script or stylesheet that never ends, or allocates without limit, delays other subscriptions to the same
// changes: from the change by SQL to the receivers, at a fixed rate, with and without a hostile one, in turns. Each
// round has its own process.

import type { ChangePlan, ChangeResult } from '../delivery/change-generator.ts';
import { forgetPending, selectMarks } from '../delivery/delivery-table.ts';
import { type LatencyRound, latenciesOf, summarise } from '../delivery/latencies.ts';
import { changeVoyage, startGenerator } from '../delivery/latency.ts';
import { startService } from '../delivery/servers.ts';
import type { Received } from '../delivery/sink.ts';
import { Sink } from '../delivery/sink-process.ts';
import type { Ledger } from '../harness/ledger.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { hostileScripts, hostileStylesheets } from './hostile.ts';
import { forgetDecisions, forgetUnprepared } from './sandbox-table.ts';
import {
  openScriptedStand,
  type ScriptedStand,
  type ScriptedSubscription,
  type ScriptedWorld,
} from './scripted-world.ts';
import type { Sizes } from './sizes.ts';
import {
  endlessStylesheet,
  greedyScript,
  greedyStylesheet,
  loopingScript,
  typicalScript,
  typicalStylesheet,
} from './typical.ts';

export const hearers = ['plain', 'scripted', 'with a stylesheet'] as const;
export type Hearer = (typeof hearers)[number];

const all: readonly Hostile[] = [
  ...Object.values(hostileScripts).map((script) => ({ script })),
  ...Object.values(hostileStylesheets).map((stylesheet) => ({ stylesheet })),
];

const hostile: Record<string, readonly Hostile[]> = {
  none: [],
  'a script that loops': [{ script: loopingScript }],
  'a script that wants all memory': [{ script: greedyScript }],
  'a stylesheet that does not end': [{ stylesheet: endlessStylesheet }],
  'a stylesheet that wants all memory': [{ stylesheet: greedyStylesheet }],
  [`${all.length} hostile ones of different kinds`]: all,
};

type Hostile = Pick<ScriptedSubscription, 'script' | 'stylesheet'>;

export type NeighbourRound = Record<Hearer, LatencyRound>;

export interface Neighbours {
  sizes: Sizes['neighbours'];
  /** By name of the hostile neighbour. The round without one comes first. */
  rounds: Map<string, NeighbourRound[]>;
}

export interface NeighboursRun {
  world: ScriptedWorld;
  sizes: Sizes['neighbours'];
  ledger: Ledger;
  tell: (line: string) => void;
}

interface Field extends NeighboursRun {
  sink: Sink;
  generator: NodeProgram;
}

export async function measureNeighbours(run: NeighboursRun): Promise<Neighbours> {
  const { sizes } = run;
  const sink = await Sink.start([...hearers, 'the hostile one'].map(() => ({ kind: 'prompt' })));
  const generator = startGenerator();
  try {
    const stands = new Map<string, ScriptedStand>();
    for (const [n, name] of Object.keys(hostile).entries())
      stands.set(name, await openScriptedStand(run.world, `neighbours_${n}`, plannedFor(run, name, sink.urls)));
    const contenders = [...stands].map(([name, stand]) => ({
      name,
      measure: (durationMs: number) => measureRound({ ...run, sink, generator }, name, stand, durationMs),
    }));
    return { sizes, rounds: await measureInRounds(contenders, sizes) };
  } finally {
    await generator.stop();
    await sink.stop();
  }
}

/** Many hostile ones subscribe to one voyage each: together about as many changes as one that subscribes to all. */
function plannedFor({ world }: NeighboursRun, name: string, urls: readonly string[]): ScriptedSubscription[] {
  const good = [{}, { script: typicalScript(0) }, { stylesheet: typicalStylesheet }];
  const planned = good.map((each, n) => ({ eventType: 'Voyage.U', url: urls[n]!, ...each }));
  const some = hostile[name]!;
  const bad = some.map((each, n) => ({
    eventType: some.length === 1 ? 'Voyage.U' : `Voyage.U.${world.voyageKeys[n]}`,
    url: urls[hearers.length]!,
    ...each,
  }));
  return [...planned, ...bad];
}

async function measureRound(
  field: Field,
  name: string,
  stand: ScriptedStand,
  durationMs: number,
): Promise<NeighbourRound> {
  const { sizes, ledger, tell } = field;
  const { program } = await startService({ ...stand, roles: 'worker' });
  try {
    await change(field, stand, sizes.warmUpMs);
    const { latencies, count, received } = await change(field, stand, durationMs);
    const rounds = latencies.map(summarise);
    tell(`  ${name}: p99 ${rounds.map(({ p99 }) => `${p99.toFixed(1)} ms`).join(', ')}`);
    ledger.expect(
      `neighbours, ${name}: changes, received by each, each once; by the hostile`,
      [...hearers.map(() => `${count} ${count}`), 0].join('; '),
      [...latencies.map((each, n) => `${received[n]} ${each.length}`), received[hearers.length]].join('; '),
    );
    return Object.fromEntries(hearers.map((hearer, n) => [hearer, rounds[n]!])) as NeighbourRound;
  } finally {
    // The queue of the hostile one would take long.
    await program.kill();
    await forgetPending(stand.databaseUrl);
    await forgetUnprepared(stand.databaseUrl);
    await forgetDecisions(stand.databaseUrl);
  }
}

let changes = 0;

async function change({ sink, generator, sizes, world }: Field, { databaseUrl }: ScriptedStand, durationMs: number) {
  changes += 1;
  const plan: ChangePlan = {
    by: { kind: 'sql', databaseUrl, statement: changeVoyage, places: world.voyageKeys.slice(0, sizes.voyages) },
    perSecond: sizes.perSecond,
    count: Math.round((sizes.perSecond * durationMs) / 1000),
    mark: `n${changes}`,
  };
  await sink.begin();
  const made = await generator.ask<ChangeResult>(plan);
  await sink.wait(plan.count * hearers.length, patienceMs);
  const all = await sink.take();
  const marks = await selectMarks(databaseUrl);
  const ofReceivers = [...hearers, 'the hostile one'].map((_, receiver) => ofReceiver(all, receiver));
  const latencies = ofReceivers
    .slice(0, hearers.length)
    .map((received) => latenciesOf(plan, made, received, (id) => marks.get(id) ?? id));
  return { latencies, count: plan.count, received: ofReceivers.map(({ ids }) => ids.length) };
}

const patienceMs = 15_000;

function ofReceiver({ ids, atMs, receivers }: Received, wanted: number): Pick<Received, 'ids' | 'atMs'> {
  const isWanted = (_: unknown, n: number) => receivers[n] === wanted;
  return { ids: ids.filter(isWanted), atMs: atMs.filter(isWanted) };
}
