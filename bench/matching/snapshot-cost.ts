// What it costs to show objects as their transactions left them, where nothing has changed since: the worker as it is,
// in turns with one that takes every row as it stands (`without-snapshots.ts`). Both match the same changes, each in
// its own database.

import type { Ledger } from '../harness/ledger.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { selectVoyageKeys } from '../rest/fleet-table.ts';
import { copyDatabase, insertSubscriptions } from './matching-table.ts';
import type { PlannedSubscription } from './planned-subscriptions.ts';
import type { Sizes } from './sizes.ts';
import {
  type ChangedObjects,
  changeOneByOne,
  createChanging,
  holdMatching,
  selectBodyDigest,
  selectLookups,
} from './snapshot-cost-table.ts';
import { type Changes, keepBooks, type MatchingRound, measureRound, type Stand, standOf } from './stand.ts';
import { startWorker } from './worker.ts';
import type { World } from './world.ts';

export interface SnapshotCost {
  /** In a round. */
  events: number;
  withSnapshots: MatchingRound[];
  without: MatchingRound[];
}

export interface SnapshotCostRun {
  world: World;
  sizes: Sizes['snapshots'];
  ledger: Ledger;
}

const names = { withSnapshots: 'with snapshots', without: 'without snapshots' };

export async function measureSnapshotCost(run: SnapshotCostRun): Promise<SnapshotCost> {
  const { world, sizes, ledger } = run;
  const changes = changesOf({
    voyageKeys: await selectVoyageKeys(world.url, sizes.changedOfType),
    // The orders of other voyages, because the body of an order may show its voyage.
    orderKeys: world.orderKeys.slice(-sizes.changedOfType),
  });
  const stands = await openStands(world);
  const measured = await measureInRounds(
    stands.map((stand) => ({ name: stand.name, measure: () => measureRound(stand, changes) })),
    { rounds: sizes.rounds, durationMs: 0, warmUpMs: 0 },
  ).finally(() => stopAll(stands));
  for (const stand of stands) keepBooks(ledger, stand);
  await compareStands(ledger, stands);
  return {
    events: changes.events,
    withSnapshots: measured.get(names.withSnapshots)!,
    without: measured.get(names.without)!,
  };
}

type Stands = [withSnapshots: Stand, without: Stand];

async function openStands(world: World): Promise<Stands> {
  const withSnapshots = await openStand(world, names.withSnapshots, []);
  try {
    return [withSnapshots, await openStand(world, names.without, [`--import=${withoutSnapshots}`])];
  } catch (error) {
    await stopAll([withSnapshots]);
    throw error;
  }
}

const withoutSnapshots = new URL('./without-snapshots.js', import.meta.url).href;

async function openStand({ url, userKey }: World, name: string, nodeArgs: string[]): Promise<Stand> {
  const databaseUrl = await copyDatabase(url, `bench ${name}`);
  await insertSubscriptions(databaseUrl, userKey, planned);
  await createChanging(databaseUrl);
  return standOf(name, await startWorker(databaseUrl, nodeArgs), planned.length / 2);
}

async function stopAll(stands: readonly Stand[]): Promise<void> {
  for (const { worker } of stands) await worker.program.stop();
}

function changesOf(changed: ChangedObjects): Changes {
  return {
    events: changed.voyageKeys.length + changed.orderKeys.length,
    prepare: async (databaseUrl) => {
      const release = await holdMatching(databaseUrl);
      await changeOneByOne(databaseUrl, changed);
      return release;
    },
  };
}

/** After the workers have exited, because only then are their lookups counted completely. */
async function compareStands(ledger: Ledger, [withSnapshots, without]: Stands): Promise<void> {
  const digest = await selectBodyDigest(withSnapshots.worker.databaseUrl);
  const digestWithout = await selectBodyDigest(without.worker.databaseUrl);
  ledger.expect(`${names.without}: bodies of the last round as ${names.withSnapshots}`, digest, digestWithout);
  for (const { name, worker } of [withSnapshots, without]) {
    const { left, past } = await selectLookups(worker.databaseUrl);
    ledger.expect(
      `${name}: asks whether rows have left; earlier rows looked up`,
      `${name === names.withSnapshots}; 0`,
      `${left > 0}; ${past}`,
    );
  }
}

const unrestricted = { operation: 'U', objectKey: null, isRaw: false, selection: null } as const;

/** Two for each type: the whole object, and a condition on it before and after the change. */
const planned: readonly PlannedSubscription[] = [
  { ...unrestricted, objectType: 'Voyage', expression: null },
  {
    ...unrestricted,
    objectType: 'Voyage',
    expression:
      'svcObject.getFreight() > oldSvcObject.getFreight() && ' +
      'svcObject.getPortCalls().size() == oldSvcObject.getPortCalls().size() && ' +
      'svcObject.getCargos().stream().anyMatch(cargo -> cargo.getQuantity() > 0)',
  },
  { ...unrestricted, objectType: 'BunkerOrder', expression: null },
  {
    ...unrestricted,
    objectType: 'BunkerOrder',
    expression:
      'svcObject.getExtraCost() > oldSvcObject.getExtraCost() && ' +
      'svcObject.getBunkerOrderLines().size() == oldSvcObject.getBunkerOrderLines().size() && ' +
      'svcObject.getVessel().getDwtSummer() > 0',
  },
];
