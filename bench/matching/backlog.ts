// How fast a worker matches a long queue that gathered while no worker was running: the rate in each tenth, and the
// memory.

import type { Ledger } from '../harness/ledger.ts';
import { changeOrders, copyDatabase, insertSubscriptions, selectFound, selectLastEventId } from './matching-table.ts';
import { planBacklog } from './planned-subscriptions.ts';
import type { Sizes } from './sizes.ts';
import { type Progress, rateOf, type Sample, startWorker, watchProgress } from './worker.ts';
import type { World } from './world.ts';

export interface Backlog {
  events: number;
  subscriptions: number;
  eventsPerSecond: number;
  /** Events per second in each tenth, from the first to the last. */
  tenths: number[];
  /** The peak up to the end of each tenth; NaN if the system does not report it. */
  peakMemoryMb: number[];
}

export interface BacklogRun {
  world: World;
  sizes: Sizes['backlog'];
  ledger: Ledger;
}

export async function measureBacklog({ world, sizes, ledger }: BacklogRun): Promise<Backlog> {
  const { events, subscriptions } = sizes;
  const databaseUrl = await copyDatabase(world.url, 'bench_backlog');
  const changed = world.orderKeys.slice(0, world.orderKeys.length / 2);
  const others = world.orderKeys.slice(changed.length);
  await insertSubscriptions(databaseUrl, world.userKey, planBacklog(subscriptions, { changed, others }));
  const lastEventId = await selectLastEventId(databaseUrl);
  for (let made = 0; made < events; made += changed.length) await changeOrders(databaseUrl, changed, 1);
  const worker = await startWorker(databaseUrl);
  try {
    const samples = await watchProgress(worker, events);
    await worker.program.stop();
    const found = await selectFound(databaseUrl, lastEventId);
    ledger.expect(
      'the backlog: events; notifications',
      `${events}; ${events}`,
      `${found.events}; ${found.notifications}`,
    );
    ledger.expect(
      'the backlog: unmatched, missing, uncalled for, double',
      '0, 0, 0, 0',
      [found.unmatched, found.missing, found.uncalledFor, found.double].join(', '),
    );
    return {
      events,
      subscriptions,
      eventsPerSecond: rateOf(samples),
      tenths: tenthsOf(samples),
      peakMemoryMb: peaksOf(samples),
    };
  } finally {
    await worker.program.stop();
  }
}

/** From the first observed progress, interpolated between two observations. */
export function tenthsOf(samples: readonly Progress[]): number[] {
  const begun = Math.max(0, samples.findIndex(({ matched }) => matched > samples[0]!.matched) - 1);
  const [from, to] = [samples[begun]!, samples.at(-1)!];
  const bounds = Array.from({ length: 11 }, (_, n) => from.matched + ((to.matched - from.matched) * n) / 10);
  const times = bounds.map((bound) => timeAt(samples.slice(begun), bound));
  const each = (to.matched - from.matched) / 10;
  return times.slice(1).map((time, n) => (each * 1000) / (time - times[n]!));
}

function timeAt(samples: readonly Progress[], matched: number): number {
  const index = samples.findIndex((sample) => sample.matched >= matched);
  const [before, after] = [samples[index - 1], samples[index]!];
  if (!before) return after.atMs;
  const part = (matched - before.matched) / (after.matched - before.matched);
  return before.atMs + part * (after.atMs - before.atMs);
}

function peaksOf(samples: readonly Sample[]): number[] {
  const events = samples.at(-1)!.matched;
  return Array.from({ length: 10 }, (_, n) => {
    const reached = samples.find(({ matched }) => matched >= (events * (n + 1)) / 10);
    return reached?.peakMemoryMb ?? Number.NaN;
  });
}
