// What a change pays for the number of its event and for its snapshot, as a table.

import { renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import type { QueueingCost, QueueingRound } from './queueing.ts';
import type { Sizes } from './sizes.ts';

export function queueingSection({ queueing, sizes }: { queueing: QueueingCost[]; sizes: Sizes }): Section {
  const rowsOf = ({ change, atCommit, plain }: QueueingCost) =>
    measures.map(({ name, value }) => [
      change,
      name,
      renderSpread(spreadOf(atCommit.map(value))),
      renderSpread(spreadOf(plain.map(value))),
      renderSpread(ratios(atCommit.map(value), plain.map(value)), 2),
    ]);
  return {
    heading: 'What a change pays for its number and its snapshot',
    text:
      'One attribute of one voyage is changed in a transaction of its own. The service queues the event at COMMIT: ' +
      'it locks the hierarchy, makes sure that no event there has a higher number, and stores the snapshot. The ' +
      'plain trigger only adds the event and a snapshot to the queue, without locks and without an order. Each has a ' +
      `database and a service of its own, with the role \`api\` only. ${sizes.queueing.rounds} interleaved rounds ` +
      `of ${sizes.queueing.durationMs / 1000} s; over REST with ${sizes.connections} connections.`,
    table: {
      columns: ['Change', '', 'Queued at COMMIT', 'Plain trigger', 'Ratio'],
      rows: queueing.flatMap(rowsOf),
    },
  };
}

const measures: readonly { name: string; value: (round: QueueingRound) => number }[] = [
  { name: 'changes a second', value: ({ perSecond }) => perSecond },
  { name: 'processor time of PostgreSQL for a change, µs', value: ({ databaseUs }) => databaseUs },
];
