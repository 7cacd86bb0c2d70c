// How fast changes are matched and shaped if each has a hundred subscriptions with their own scripts: the service, in
// turns with the engine alone calling the same scripts.

import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { awaitRecorded, selectOutcomes } from '../delivery/delivery-table.ts';
import { type Service, startService } from '../delivery/servers.ts';
import { Sink } from '../delivery/sink-process.ts';
import type { Ledger } from '../harness/ledger.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import { processorMs } from '../harness/process-usage.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { selectLastEventId } from '../matching/matching-table.ts';
import { type Progress, rateOf } from '../matching/worker.ts';
import { selectBackendPids } from '../rest/fleet-table.ts';
import type { EnginePlan, EngineRequest, EngineResult } from './engine-work.ts';
import { startEngines } from './engines.ts';
import { changeVoyages, type Decided, forgetDecisions, selectDecided } from './sandbox-table.ts';
import { openScriptedStand, type ScriptedStand, type ScriptedWorld } from './scripted-world.ts';
import type { Sizes } from './sizes.ts';
import { scriptsAtOnce, scriptsTrue, typicalScript } from './typical.ts';

export interface BacklogRound {
  eventsPerSecond: number;
  /** Per event; NaN for the bare engine. */
  workerUs: number;
  databaseUs: number;
}

export interface ScriptedBacklog {
  sizes: Sizes['backlog'];
  ours: BacklogRound[];
  /** Calls per second divided by a hundred. */
  bare: BacklogRound[];
}

export interface BacklogRun {
  world: ScriptedWorld;
  plan: EnginePlan;
  sizes: Sizes['backlog'];
  ledger: Ledger;
  tell: (line: string) => void;
}

interface Field extends BacklogRun {
  stand: ScriptedStand;
  sink: Sink;
  service: Service;
}

export async function measureScriptedBacklog(run: BacklogRun): Promise<ScriptedBacklog> {
  const sink = await Sink.start(Array.from({ length: scriptsTrue }, () => ({ kind: 'prompt' })));
  const bare = startEngines('bare');
  try {
    await bare.ask(run.plan);
    const planned = Array.from({ length: scriptsAtOnce }, (_, n) => ({
      eventType: 'Voyage.U',
      url: sink.urls[n % scriptsTrue]!,
      script: typicalScript(n),
    }));
    const stand = await openScriptedStand(run.world, 'scripted', planned);
    const service = await startService({ ...stand, roles: 'worker' });
    try {
      return await compare({ ...run, stand, sink, service }, bare);
    } finally {
      await service.program.stop();
    }
  } finally {
    await bare.stop();
    await sink.stop();
  }
}

async function compare(field: Field, bare: NodeProgram): Promise<ScriptedBacklog> {
  const { sizes, tell } = field;
  const contender = (name: 'ours' | 'bare', measure: () => Promise<BacklogRound>) => ({
    name,
    measure: async () => {
      const round = await measure();
      tell(`  ${name}: ${round.eventsPerSecond.toFixed(1)} events/s`);
      return round;
    },
  });
  const measured = await measureInRounds(
    [contender('ours', () => workOff(field)), contender('bare', () => callBare(bare, sizes.bareMs))],
    // A round is a number of events, not a duration.
    { rounds: sizes.rounds, durationMs: 0, warmUpMs: 0 },
  );
  return { sizes, ours: measured.get('ours')!, bare: measured.get('bare')! };
}

async function callBare(bare: NodeProgram, durationMs: number): Promise<BacklogRound> {
  const request: EngineRequest = { kind: 'measure', work: 'hundred scripts', durationMs };
  const { perSecond } = await bare.ask<EngineResult>(request);
  return { eventsPerSecond: perSecond / scriptsAtOnce, workerUs: Number.NaN, databaseUs: Number.NaN };
}

const recordPatienceMs = 20_000;
let rounds = 0;

async function workOff({ world, sizes, stand, sink, service, ledger }: Field): Promise<BacklogRound> {
  const { databaseUrl } = stand;
  const { events } = sizes;
  const lastEventId = await selectLastEventId(databaseUrl);
  const preparedBefore = await countPrepared(service.origin);
  const used = await startMeter([service.program.pid]);
  const usedByDatabase = await startMeter(await selectBackendPids(databaseUrl));
  await sink.begin();
  rounds += 1;
  await changeVoyages(databaseUrl, world.voyageKeys.slice(0, events), `change ${rounds}`);
  const samples = await watchPrepared(service, preparedBefore, events);
  const [workerMs, databaseMs] = [await used(), await usedByDatabase()];
  await sink.wait(events * scriptsTrue);
  await awaitRecorded(databaseUrl, recordPatienceMs);
  const { ids } = await sink.take();
  keepBooks(ledger, events, await selectDecided(databaseUrl, lastEventId));
  const { delivered, other, pending } = await selectOutcomes(databaseUrl);
  ledger.expect(
    'a hundred scripts: received; different ones; recorded as delivered; anything else',
    [events * scriptsTrue, events * scriptsTrue, events * scriptsTrue, 0].join('; '),
    [ids.length, new Set(ids).size, delivered, other + pending].join('; '),
  );
  await forgetDecisions(databaseUrl);
  return {
    eventsPerSecond: rateOf(samples),
    workerUs: (workerMs * 1000) / events,
    databaseUs: (databaseMs * 1000) / events,
  };
}

function keepBooks(ledger: Ledger, events: number, found: Decided): void {
  const pairs = events * scriptsAtOnce;
  const notifications = events * scriptsTrue;
  ledger.expect(
    'a hundred scripts: events; pairs; notifications; held back',
    [events, pairs, notifications, pairs - notifications].join('; '),
    [found.events, found.pairs, found.notifications, found.suppressed].join('; '),
  );
  ledger.expect(
    'a hundred scripts: missing, double, left',
    '0, 0, 0',
    [found.missing, found.double, found.left].join(', '),
  );
}

const lookedEveryMs = 50;
const patienceMs = 60_000;

/** Observes how many events are completely decided, until all are. */
async function watchPrepared({ origin, program }: Service, before: number, events: number): Promise<Progress[]> {
  const samples: Progress[] = [];
  let progressedAt = performance.now();
  for (;;) {
    const matched = ((await countPrepared(origin)) - before) / scriptsAtOnce;
    const atMs = performance.now();
    if (matched !== samples.at(-1)?.matched) progressedAt = atMs;
    samples.push({ atMs, matched });
    if (matched >= events) return samples;
    if (program.hasExited || atMs - progressedAt > patienceMs)
      throw new Error(`The worker has stopped at ${matched} of ${events} events:\n${program.output}`);
    await sleep(lookedEveryMs);
  }
}

async function countPrepared(origin: string): Promise<number> {
  const { body } = await request(`${origin}/metrics`);
  return Number(/^flaghoist_shaped_total (\d+)$/m.exec(await body.text())?.[1] ?? 0);
}

/** Processor time of these processes from now on; NaN if the system does not report it. */
async function startMeter(pids: number[]): Promise<() => Promise<number>> {
  const read = () => Promise.all(pids.map((pid) => processorMs(pid)));
  const before = await read();
  return async () => {
    const after = await read();
    return pids.reduce((sum, _, n) => sum + (after[n] ?? before[n] ?? Number.NaN) - (before[n] ?? Number.NaN), 0);
  };
}
