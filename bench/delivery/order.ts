// How fast a worker delivers a backlog in the order of each object, compared with the same backlog in any order. The
// two take turns, in one process.

import type { Ledger } from '../harness/ledger.ts';
import { renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import { type BacklogRound, deliverBacklog } from './backlog.ts';
import { Tally } from './backlog-tally.ts';
import { startService } from './servers.ts';
import { Sink } from './sink-process.ts';
import type { Sizes } from './sizes.ts';
import { openStand, type World } from './world.ts';

export interface Order {
  sizes: Sizes['order'];
  ordered: BacklogRound[];
  unordered: BacklogRound[];
}

interface OrderRun {
  world: World;
  sizes: Sizes['order'];
  ledger: Ledger;
  tell: (line: string) => void;
}

export async function measureOrder({ world, sizes, ledger, tell }: OrderRun): Promise<Order> {
  const sink = await Sink.start(Array.from({ length: sizes.receivers }, () => ({ kind: 'prompt' })));
  const stand = await openStand(world, 'order', sink.urls);
  const service = await startService({ ...stand, roles: 'worker' });
  const field = { stand, sink, ours: new Tally() };
  const contender = (name: 'ordered' | 'unordered', objects: number) => ({
    name,
    measure: async (durationMs: number) => {
      const count = durationMs === 0 ? sizes.warmUp : sizes.notifications;
      const { round } = await deliverBacklog(field, service, count, objects);
      tell(`  ${name}: ${round.perSecond.toFixed(0)}/s, ${round.databaseUs.toFixed(0)} µs of PostgreSQL each`);
      return round;
    },
  });
  try {
    const measured = await measureInRounds([contender('ordered', sizes.objects), contender('unordered', 0)], {
      rounds: sizes.rounds,
      durationMs: 1,
      warmUpMs: 0,
    });
    field.ours.keepBooks(ledger, 'backlog, ordered and not');
    return { sizes, ordered: measured.get('ordered')!, unordered: measured.get('unordered')! };
  } finally {
    await service.program.stop();
    await sink.stop();
  }
}

const rate = ({ perSecond }: BacklogRound) => perSecond;

export function orderVerdict({ sizes, ordered, unordered }: Order): Verdict {
  const what = `ordered, ${renderNumber(sizes.objects)} objects, as part of the unordered rate`;
  return judge({ what, kind: 'atLeast', value: 0.8 }, ratios(ordered.map(rate), unordered.map(rate)).median);
}

export function orderSection({ sizes, ordered, unordered }: Order): Section {
  const row = (name: string, measure: (round: BacklogRound) => number) => [
    name,
    renderSpread(spreadOf(ordered.map(measure))),
    renderSpread(spreadOf(unordered.map(measure))),
    renderSpread(ratios(ordered.map(measure), unordered.map(measure)), 2),
  ];
  return {
    heading: 'In order',
    text:
      `${renderNumber(sizes.notifications)} notifications about ${renderNumber(sizes.objects)} objects for ` +
      `${sizes.receivers} receivers, in the order of each object, in turns with the same in any order.`,
    table: {
      columns: ['', 'Ordered', 'Unordered', 'Ratio'],
      rows: [
        row('notifications per second', rate),
        row('processor time of the sender for each, µs', ({ senderUs }) => senderUs),
        row('processor time of PostgreSQL for each, µs', ({ databaseUs }) => databaseUs),
      ],
    },
  };
}
