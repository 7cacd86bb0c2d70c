// The report of the fan-out benchmark: what a notification takes, with shared contents and with whole bodies.

import type { Ledger } from '../harness/ledger.ts';
import type { MachineFacts } from '../harness/machine-facts.ts';
import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { FanOutRound } from './fan-out-round.ts';
import { type Changed, type TableSizes, tables } from './fan-out-table.ts';

export interface FanOut {
  changed: Changed;
  shared: FanOutRound[];
  whole: FanOutRound[];
}

export interface FanOutFacts {
  subscriptions: number;
  changes: number;
  isQuick: boolean;
  ledger: Ledger;
  facts: MachineFacts;
}

type Measure = (round: FanOutRound) => number;

const bytesIn = ({ rows, indexes }: { rows: number; indexes: number }) => rows + indexes;
const storedBytes: Measure = ({ stored: { sizes, notifications } }) =>
  tables.reduce((sum, table) => sum + bytesIn(sizes[table]), 0) / notifications;
const bodyBytes: Measure = ({ stored: { sizes, notifications } }) =>
  (bytesIn(sizes.notification_body) + bytesIn(sizes.notification_content)) / notifications;

const measures: readonly (readonly [name: string, measure: Measure])[] = [
  ['bytes stored for bodies', bodyBytes],
  ['bytes stored in all', storedBytes],
  ['bytes of WAL', ({ logBytes, stored }) => logBytes / stored.notifications],
  ['PostgreSQL, µs', ({ serverMs, stored }) => (serverMs * 1000) / stored.notifications],
  ['service, µs', ({ serviceMs, stored }) => (serviceMs * 1000) / stored.notifications],
  ['elapsed, µs', ({ tookMs, stored }) => (tookMs * 1000) / stored.notifications],
];

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

export function fanOutReport(
  measured: readonly FanOut[],
  { subscriptions, changes, isQuick, ledger, facts }: FanOutFacts,
): Report {
  return {
    title: 'Fan-out: changes that many subscriptions are notified of',
    introduction:
      `${isQuick ? smokeNotice : ''}${changes} changes, each by a transaction of its own, and ${subscriptions} ` +
      'subscriptions that are all notified of each, with the same selection. Everything is stored, sent over HTTP ' +
      'and recorded. The service runs in a process of its own on an embedded PostgreSQL with its default, durable ' +
      'settings: as it is, and in turns edited so that it stores the whole body of each notification ' +
      '(`bench/fan-out/whole-bodies-loader.ts`). Before each round the tables are emptied.',
    verdicts: measured.flatMap(verdictsOf),
    ledger: ledger.entries,
    facts,
    sections: measured.flatMap((each) => [comparison(each), placesOf(each)]),
  };
}

function verdictsOf({ changed, shared, whole }: FanOut): Verdict[] {
  return measures
    .slice(0, 5)
    .map(([name, measure]) =>
      judge(
        { what: `${changed}: ${name}, of that with whole bodies`, kind: 'atMost', value: 0.2 },
        ratios(shared.map(measure), whole.map(measure)).median,
      ),
    );
}

function comparison({ changed, shared, whole }: FanOut): Section {
  return {
    heading: `A ${changed}, with a body of ${renderNumber(shared[0]!.stored.bodyBytes)} bytes`,
    text: `Per notification. Median of ${shared.length} rounds, and the middle half of them.`,
    table: {
      columns: ['', 'Shared contents', 'Whole bodies', 'Ratio'],
      rows: measures.map(([name, measure]) => [
        name,
        renderSpread(spreadOf(shared.map(measure))),
        renderSpread(spreadOf(whole.map(measure))),
        renderSpread(ratios(shared.map(measure), whole.map(measure)), 2),
      ]),
    },
  };
}

function placesOf({ changed, shared, whole }: FanOut): Section {
  const medianOf = (rounds: FanOutRound[], size: (sizes: TableSizes) => number) =>
    renderNumber(spreadOf(rounds.map(({ stored }) => size(stored.sizes) / stored.notifications)).median);
  const cells = (size: (sizes: TableSizes) => number) => [medianOf(shared, size), medianOf(whole, size)];
  return {
    heading: `A ${changed}: where the bytes are`,
    text: 'Per notification, median of the rounds.',
    table: {
      columns: ['Table', 'Shared contents', 'Whole bodies'],
      rows: tables.flatMap((table) => [
        [`\`${table}\``, ...cells((sizes) => sizes[table].rows)],
        [`\`${table}\`, indexes`, ...cells((sizes) => sizes[table].indexes)],
      ]),
    },
  };
}
