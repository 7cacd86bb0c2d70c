// What matching an event costs as the number of subscriptions grows while ten of them match: one database and one
// worker per number, with the same changes, in turns.

import type { Ledger } from '../harness/ledger.ts';
import { peakMemoryMb, processorMs } from '../harness/process-usage.ts';
import { measureInRounds } from '../harness/rounds.ts';
import {
  changeOrders,
  copyDatabase,
  type Found,
  forgetNotifications,
  insertSubscriptions,
  selectBackendPids,
  selectFound,
  selectLastEventId,
} from './matching-table.ts';
import { matchesPerEvent, planGrowth } from './planned-subscriptions.ts';
import type { Sizes } from './sizes.ts';
import { countMatched, rateOf, startWorker, type Worker, watchProgress } from './worker.ts';
import type { World } from './world.ts';

export interface GrowthRound {
  eventsPerSecond: number;
  /** Per event, of the worker and of its PostgreSQL processes; unknown if the system does not report it. */
  workerUs: number;
  databaseUs: number;
}

export interface Growth {
  subscriptions: number;
  rounds: GrowthRound[];
  peakMemoryMb: number | undefined;
}

export interface GrowthRun {
  world: World;
  sizes: Sizes['growth'];
  ledger: Ledger;
}

interface Stand {
  subscriptions: number;
  worker: Worker;
  expectedEvents: number;
  /** Round by round. */
  found: Found[];
}

export async function measureGrowth(run: GrowthRun): Promise<Growth[]> {
  const stands: Stand[] = [];
  try {
    for (const subscriptions of run.sizes.subscriptions) stands.push(await openStand(run, subscriptions));
    const measured = await measureInRounds(
      stands.map((stand) => ({ name: String(stand.subscriptions), measure: () => measureRound(run, stand) })),
      // A round is a number of events, not a duration.
      { rounds: run.sizes.rounds, durationMs: 0, warmUpMs: 0 },
    );
    for (const stand of stands) keepBooks(run.ledger, stand);
    return await Promise.all(
      stands.map(async ({ subscriptions, worker }) => ({
        subscriptions,
        rounds: measured.get(String(subscriptions))!,
        peakMemoryMb: await peakMemoryMb(worker.program.pid),
      })),
    );
  } finally {
    for (const { worker } of stands) await worker.program.stop();
  }
}

export function growthDatabase(subscriptions: number): string {
  return `bench_${subscriptions}`;
}

async function openStand({ world, sizes }: GrowthRun, subscriptions: number): Promise<Stand> {
  const databaseUrl = await copyDatabase(world.url, growthDatabase(subscriptions));
  await insertSubscriptions(databaseUrl, world.userKey, planGrowth(subscriptions, splitOrders(world, sizes)));
  return { subscriptions, worker: await startWorker(databaseUrl), expectedEvents: 0, found: [] };
}

export function splitOrders({ orderKeys }: World, { changedOrders }: { changedOrders: number }) {
  return { changed: orderKeys.slice(0, changedOrders), others: orderKeys.slice(changedOrders) };
}

async function measureRound({ world, sizes }: GrowthRun, stand: Stand): Promise<GrowthRound> {
  const { worker } = stand;
  const { databaseUrl, origin, program } = worker;
  const events = sizes.changedOrders * sizes.changes;
  await forgetNotifications(databaseUrl);
  const lastEventId = await selectLastEventId(databaseUrl);
  const matchedBefore = await countMatched(origin);
  const used = await startMeter([program.pid]);
  const usedByDatabase = await startMeter(await selectBackendPids(databaseUrl));
  const [samples] = await Promise.all([
    watchProgress(worker, matchedBefore + events),
    changeOrders(databaseUrl, splitOrders(world, sizes).changed, sizes.changes),
  ]);
  const [workerMs, databaseMs] = [await used(), await usedByDatabase()];
  stand.found.push(await selectFound(databaseUrl, lastEventId));
  stand.expectedEvents += events;
  return {
    eventsPerSecond: rateOf(samples),
    workerUs: (workerMs * 1000) / events,
    databaseUs: (databaseMs * 1000) / events,
  };
}

/** Processor time of these processes from now on, without those that exit; NaN if the system does not report it. */
async function startMeter(pids: number[]): Promise<() => Promise<number>> {
  const read = () => Promise.all(pids.map((pid) => processorMs(pid)));
  const before = await read();
  return async () => {
    const after = await read();
    const used = pids.flatMap((_, n) =>
      before[n] === undefined || after[n] === undefined ? [] : [after[n] - before[n]],
    );
    return used.length === 0 ? Number.NaN : used.reduce((sum, time) => sum + time, 0);
  };
}

/** Over all rounds, including the untimed one. */
function keepBooks(ledger: Ledger, { subscriptions, found, expectedEvents }: Stand): void {
  const sum = (what: keyof Found) => found.reduce((total, round) => total + Number(round[what]), 0);
  ledger.expect(
    `${subscriptions} subscriptions: events; notifications`,
    `${expectedEvents}; ${expectedEvents * matchesPerEvent}`,
    `${sum('events')}; ${sum('notifications')}`,
  );
  ledger.expect(
    `${subscriptions} subscriptions: unmatched, missing, uncalled for, double`,
    '0, 0, 0, 0',
    [sum('unmatched'), sum('missing'), sum('uncalledFor'), sum('double')].join(', '),
  );
}
