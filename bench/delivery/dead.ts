// Whether dead receivers slow down the others: a backlog for all receivers, some of which refuse connections and some
// of which never respond, in turns with the same backlog for the healthy ones alone. Each round has its own process.

import type { Ledger } from '../harness/ledger.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { forgetPending, insertBacklog, reserveKeys } from './delivery-table.ts';
import type { Subscribed } from './planned-notifications.ts';
import { startService } from './servers.ts';
import type { Behaviour } from './sink.ts';
import { Sink } from './sink-process.ts';
import type { Sizes } from './sizes.ts';
import { openStand, type Stand, type World } from './world.ts';

export interface Dead {
  sizes: Sizes['dead'];
  /** Notifications per second to the healthy receivers. */
  without: number[];
  with: number[];
}

export interface DeadRun {
  world: World;
  sizes: Sizes['dead'];
  ledger: Ledger;
  tell: (line: string) => void;
}

interface Field extends DeadRun {
  sink: Sink;
  stand: Stand;
}

export async function measureDead(run: DeadRun): Promise<Dead> {
  const { world, sizes } = run;
  const sink = await Sink.start(Array.from({ length: sizes.receivers }, (_, n) => behaviourOf(n, sizes)));
  try {
    const field: Field = { ...run, sink, stand: await openStand(world, 'dead', sink.urls) };
    const contender = (name: 'without' | 'with') => ({
      name,
      measure: () => measureRound(field, name === 'with'),
    });
    // A round is a number of notifications, not a duration.
    const plan = { rounds: sizes.rounds, durationMs: 1 };
    const measured = await measureInRounds([contender('without'), contender('with')], plan);
    return { sizes, without: measured.get('without')!, with: measured.get('with')! };
  } finally {
    await sink.stop();
  }
}

/** One receiver in this many is dead; they alternate between refusing and never responding. */
function behaviourOf(n: number, { receivers, dead }: Sizes['dead']): Behaviour {
  if (!isDead(n, { receivers, dead })) return { kind: 'prompt' };
  return { kind: ((n * dead) / receivers) % 2 === 0 ? 'refusing' : 'silent' };
}

function isDead(n: number, { receivers, dead }: Pick<Sizes['dead'], 'receivers' | 'dead'>): boolean {
  return n % (receivers / dead) === 0;
}

async function measureRound(field: Field, withDead: boolean): Promise<number> {
  const { sink, stand, sizes, ledger, tell } = field;
  const well = stand.subscribed.filter((_, n) => !isDead(n, sizes));
  const { program } = await startService({ ...stand, roles: 'worker' });
  try {
    await deliver(field, well, sizes.warmUp);
    const each = sizes.notifications / sizes.receivers;
    const subscribed = withDead ? stand.subscribed : well;
    const perSecond = await deliver(field, subscribed, each * subscribed.length, each * well.length);
    const { ids, receivers } = await sink.take();
    const arrived = ids.filter((_, n) => !isDead(receivers[n]!, sizes));
    const name = withDead ? 'some are dead' : 'none is dead';
    ledger.expect(
      `${name}: for those that are well: received, distinct`,
      [each * well.length, each * well.length].join(),
      [arrived.length, new Set(arrived).size].join(),
    );
    tell(`  ${name}: ${perSecond.toFixed(0)}/s to those that are well`);
    return perSecond;
  } finally {
    // Otherwise a hanging request would take until its deadline.
    await program.kill();
    await forgetPending(stand.databaseUrl);
  }
}

/** Notifications per second to healthy receivers, from the first to the last. */
async function deliver(
  { sink, stand, sizes }: Field,
  subscribed: readonly Subscribed[],
  count: number,
  expected = count,
): Promise<number> {
  const { databaseUrl, template } = stand;
  await sink.begin();
  await insertBacklog(databaseUrl, {
    template,
    subscribed,
    count,
    firstKey: await reserveKeys(databaseUrl, count),
  });
  await sink.wait(expected);
  const { atMs, receivers } = await sink.take();
  const times = atMs.filter((_, n) => !isDead(receivers[n]!, sizes));
  return ((times.length - 1) * 1000) / (times.at(-1)! - times[0]!);
}
