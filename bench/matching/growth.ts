// What matching an event costs as the number of subscriptions grows while ten of them match: one database and one
// worker per number, with the same changes, in turns.

import type { Ledger } from '../harness/ledger.ts';
import { peakMemoryMb } from '../harness/process-usage.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { changeOrders, copyDatabase, insertSubscriptions } from './matching-table.ts';
import { hasWildcard, matchesPerEvent, planGrowth } from './planned-subscriptions.ts';
import type { Sizes } from './sizes.ts';
import { type Changes, keepBooks, type MatchingRound, measureRound, type Stand, standOf } from './stand.ts';
import { startWorker } from './worker.ts';
import type { World } from './world.ts';

export interface Growth {
  subscriptions: number;
  /** How many of them have a wildcard. */
  wildcards: number;
  rounds: MatchingRound[];
  peakMemoryMb: number | undefined;
}

export interface GrowthRun {
  world: World;
  sizes: Sizes['growth'];
  ledger: Ledger;
}

interface GrowthStand extends Stand {
  subscriptions: number;
  wildcards: number;
}

export async function measureGrowth(run: GrowthRun): Promise<Growth[]> {
  const stands: GrowthStand[] = [];
  const changes = changesOf(run);
  try {
    for (const subscriptions of run.sizes.subscriptions) stands.push(await openStand(run, subscriptions));
    const measured = await measureInRounds(
      stands.map((stand) => ({ name: stand.name, measure: () => measureRound(stand, changes) })),
      // A round is a number of events, not a duration.
      { rounds: run.sizes.rounds, durationMs: 0, warmUpMs: 0 },
    );
    for (const stand of stands) keepBooks(run.ledger, stand);
    return await Promise.all(
      stands.map(async ({ name, subscriptions, wildcards, worker }) => ({
        subscriptions,
        wildcards,
        rounds: measured.get(name)!,
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

async function openStand({ world, sizes }: GrowthRun, subscriptions: number): Promise<GrowthStand> {
  const databaseUrl = await copyDatabase(world.url, growthDatabase(subscriptions));
  const planned = planGrowth(subscriptions, splitOrders(world, sizes));
  await insertSubscriptions(databaseUrl, world.userKey, planned);
  const stand = standOf(`${subscriptions} subscriptions`, await startWorker(databaseUrl), matchesPerEvent);
  return { ...stand, subscriptions, wildcards: planned.filter(hasWildcard).length };
}

export function splitOrders({ orderKeys }: World, { changedOrders }: { changedOrders: number }) {
  return { changed: orderKeys.slice(0, changedOrders), others: orderKeys.slice(changedOrders) };
}

function changesOf({ world, sizes }: GrowthRun): Changes {
  const { changed } = splitOrders(world, sizes);
  return {
    events: sizes.changedOrders * sizes.changes,
    prepare: async (databaseUrl) => () => changeOrders(databaseUrl, changed, sizes.changes),
  };
}
