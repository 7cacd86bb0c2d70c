// The cost of snapshots, as verdicts and a table.

import { renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { SnapshotCost } from './snapshot-cost.ts';
import { type Cost, processorUs, timeUs } from './stand.ts';

export function snapshotVerdicts(cost: SnapshotCost): Verdict[] {
  const atMost = (measure: string, of: Cost) =>
    judge(
      { what: `${measure} with snapshots, of that without`, kind: 'atMost', value: 1.05 },
      ratioOf(cost, of).median,
    );
  return [
    atMost('time for an event', timeUs),
    atMost('processor time of worker and PostgreSQL for an event', processorUs),
  ];
}

export function snapshotSection(cost: SnapshotCost): Section {
  const row = (name: string, of: Cost) => [
    name,
    renderSpread(spreadOf(cost.withSnapshots.map(of))),
    renderSpread(spreadOf(cost.without.map(of))),
    renderSpread(ratioOf(cost, of), 3),
  ];
  return {
    heading: 'Snapshots where nothing has changed since',
    text:
      `Median of ${cost.withSnapshots.length} rounds, in turns. In each, ${renderNumber(cost.events)} voyages and ` +
      'bunker orders change, each in a transaction of its own, while the worker waits. Each change matches two ' +
      'subscriptions: one that shows the whole object, and one with a condition on sub-objects before and after the ' +
      'change. Without snapshots: the same program, but it takes every row as it stands. It selects no snapshots and ' +
      'no `xmin`, and does not ask whether rows have left their owners. The ledger compares the bodies.',
    table: {
      columns: ['', 'With snapshots', 'Without', 'Ratio'],
      rows: [
        row('time for an event, µs', timeUs),
        row('processor time of worker and PostgreSQL for an event, µs', processorUs),
        row('of the worker, µs', ({ workerUs }) => workerUs),
        row('of PostgreSQL, µs', ({ databaseUs }) => databaseUs),
      ],
    },
  };
}

function ratioOf({ withSnapshots, without }: SnapshotCost, of: Cost) {
  return ratios(withSnapshots.map(of), without.map(of));
}
