// The report of the console benchmark.

import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import { plainList } from './console-lists.ts';
import type { MeasuredList } from './measure-lists.ts';
import type { Sizes } from './sizes.ts';
import type { WriteCost, WriteRound } from './write-cost.ts';

export interface ConsoleMeasurements {
  sizes: Sizes;
  lists: MeasuredList[];
  writes: WriteCost;
}

const medianMs = ({ rounds }: MeasuredList) => rounds.map(({ latencyMs }) => latencyMs.p50);

export function introductionOf({ log }: Sizes): string {
  return (
    `A log of ${renderNumber(log.notifications)} notifications over ${log.days} days, of ` +
    `${renderNumber(log.subscriptions)} subscriptions of ${log.users} users. The lists are those of the console, ` +
    'with the attributes that it shows: 100 notifications, newest first, without the count; 100 subscriptions with ' +
    'the count, and their health. An administrator asks, one request at a time. The service runs as a process of its own on an ' +
    'embedded PostgreSQL with its default settings.'
  );
}

export function verdictsOf({ lists, writes }: ConsoleMeasurements): Verdict[] {
  const medians = lists.map((list) => ({ name: list.list.name, ms: spreadOf(medianMs(list)).median }));
  const slowest = medians.reduce((one, other) => (other.ms > one.ms ? other : one));
  return [
    judge({ what: `the slowest (${slowest.name})`, kind: 'atMost', value: 300, unit: 'ms' }, slowest.ms),
    judge(
      {
        what: 'processor time of a delivered notification with the indexes of the lists, of that without',
        kind: 'atMost',
        value: 1.03,
      },
      ratios(writes.with.map(totalUs), writes.without.map(totalUs)).median,
    ),
  ];
}

const totalUs = ({ workerUs, databaseUs }: WriteRound) => workerUs + databaseUs;

export function sectionsOf({ sizes, lists, writes }: ConsoleMeasurements): Section[] {
  const plain = medianMs(lists.find(({ list }) => list.name === plainList)!);
  const row = (name: string, measure: (round: WriteRound) => number) => [
    name,
    renderSpread(spreadOf(writes.with.map(measure)), 1),
    renderSpread(spreadOf(writes.without.map(measure)), 1),
    renderSpread(ratios(writes.with.map(measure), writes.without.map(measure)), 3),
  ];
  return [
    {
      heading: 'Lists and objects',
      text:
        `Milliseconds: the median of ${sizes.lists.rounds} interleaved rounds, of which each counts the median of its ` +
        'requests. The ratio to the list without a filter is taken round by round.',
      table: {
        columns: ['What', 'Objects', 'ms', 'Ratio', 'CPU µs of the service'],
        rows: lists.map((measured) => [
          measured.list.name,
          String(measured.list.rows ?? 1),
          renderSpread(spreadOf(medianMs(measured)), 1),
          renderSpread(ratios(medianMs(measured), plain), 2),
          renderNumber(spreadOf(measured.rounds.map(({ processorUs }) => processorUs ?? Number.NaN)).median),
        ]),
      },
    },
    {
      heading: 'What the indexes cost',
      text:
        `${renderNumber(sizes.writes.changes)} changes for ${sizes.writes.receivers} receivers each, from the commit ` +
        'to the record of their deliveries, on the filled log and on a copy without the indexes that only lists need. ' +
        'Microseconds of processor time for each notification.',
      table: {
        columns: ['', 'With', 'Without', 'Ratio'],
        rows: [
          row('worker', ({ workerUs }) => workerUs),
          row('PostgreSQL', ({ databaseUs }) => databaseUs),
          row('both', totalUs),
        ],
      },
    },
  ];
}

export function reportOf(measurements: ConsoleMeasurements, rest: Pick<Report, 'ledger' | 'facts'>): Report {
  return {
    title: 'Console: lists over a million notifications',
    introduction: introductionOf(measurements.sizes),
    verdicts: verdictsOf(measurements),
    sections: sectionsOf(measurements),
    ...rest,
  };
}
