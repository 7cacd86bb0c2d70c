// The results of the matching benchmark, as verdicts and tables.

import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { Backlog } from './backlog.ts';
import type { EvaluationCost } from './evaluate-cost.ts';
import type { Growth, GrowthRound } from './growth.ts';
import { matchesPerEvent } from './planned-subscriptions.ts';
import type { SetMemory } from './set-memory.ts';

export interface MatchingMeasurements {
  evaluation: EvaluationCost;
  memory: SetMemory;
  growth: Growth[];
  /** Microseconds per event, by area. */
  spending: Map<string, number>;
  backlog: Backlog;
}

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

export function introduction(isQuick: boolean): string {
  return (
    `${isQuick ? smokeNotice : ''}Changes are made by SQL to bunker orders; the service, in a process of its own ` +
    `with the role \`worker\`, matches them. It runs on an embedded PostgreSQL with its default, durable settings ` +
    'on the same machine. Every notification is checked: which there must be is worked out by SQL from events and ' +
    'subscriptions.'
  );
}

export function verdictsOf({ evaluation, memory, growth, backlog }: MatchingMeasurements): Verdict[] {
  const [smallest, largest] = [growth[0]!, growth.at(-1)!];
  const what =
    `with ${renderNumber(largest.subscriptions)} subscriptions, of that with ` +
    `${renderNumber(smallest.subscriptions)}`;
  const atMost = (measure: string, cost: Cost) =>
    judge({ what: `${measure} ${what}`, kind: 'atMost', value: 1.3 }, costRatio(largest, smallest, cost).median);
  return [
    atMost('time for an event', timeUs),
    atMost("the worker's processor time for an event", ({ workerUs }) => workerUs),
    judge(
      { what: 'a typical expression, of the same condition as a function', kind: 'atLeast', value: 0.3 },
      ratios(evaluation.expression, evaluation.plain).median,
    ),
    judge(
      { what: 'memory of a subscription', kind: 'atMost', value: 2, unit: 'KB' },
      memory.usedBytes / memory.subscriptions / 1024,
    ),
    judge(
      { what: 'the slowest tenth of the backlog, of the fastest', kind: 'atLeast', value: 0.5 },
      Math.min(...backlog.tenths) / Math.max(...backlog.tenths),
    ),
    judge(
      { what: 'most memory while the backlog is worked off', kind: 'atMost', value: 300, unit: 'MB' },
      backlog.peakMemoryMb.at(-1)!,
    ),
  ];
}

export function sectionsOf(measurements: MatchingMeasurements): Report['sections'] {
  const { growth, spending, evaluation, memory, backlog } = measurements;
  return [
    growthSection(growth),
    spendingSection(spending, growth.at(-1)!),
    evaluationSection(evaluation),
    memorySection(memory),
    backlogSection(backlog),
  ];
}

type Cost = (round: GrowthRound) => number;

const timeUs: Cost = ({ eventsPerSecond }) => 1_000_000 / eventsPerSecond;

function costRatio(one: Growth, other: Growth, cost: Cost) {
  return ratios(one.rounds.map(cost), other.rounds.map(cost));
}

function growthSection(growth: Growth[]): Section {
  const row = (name: string, cost: Cost, digits = 0) => [
    name,
    ...growth.map(({ rounds }) => renderSpread(spreadOf(rounds.map(cost)), digits)),
  ];
  const ratioRow = (name: string, cost: Cost) => [
    name,
    ...growth.map((one) => renderSpread(costRatio(one, growth[0]!, cost), 2)),
  ];
  return {
    heading: `Events matched, ${matchesPerEvent} subscriptions each`,
    text:
      `Median of ${growth[0]!.rounds.length} rounds, in turns, each after the same changes to the same orders; in ` +
      'parentheses between which values the middle half of them lay. Of the ten that match, with few subscriptions ' +
      'all match every order; with many, eight match one order each, with conditions and selections of their ' +
      'own. The rest match other orders, operations and types.',
    table: {
      columns: ['Subscriptions', ...growth.map(({ subscriptions }) => renderNumber(subscriptions))],
      rows: [
        row('events per second', ({ eventsPerSecond }) => eventsPerSecond),
        row('notifications per second', ({ eventsPerSecond }) => eventsPerSecond * matchesPerEvent),
        row('processor time of the worker for an event, µs', ({ workerUs }) => workerUs),
        row('processor time of PostgreSQL for an event, µs', ({ databaseUs }) => databaseUs),
        ratioRow('time for an event, of that with the fewest', timeUs),
        ratioRow("worker's processor time, of that with the fewest", ({ workerUs }) => workerUs),
        [
          'most memory of the worker, MB',
          ...growth.map(({ peakMemoryMb }) => renderNumber(peakMemoryMb ?? Number.NaN)),
        ],
      ],
    },
  };
}

function spendingSection(spending: Map<string, number>, { subscriptions }: Growth): Section {
  const whole = [...spending.values()].reduce((sum, time) => sum + time, 0);
  const rows = [...spending].sort(([, a], [, b]) => b - a);
  return {
    heading: "What the worker's processor time is spent on",
    text:
      `Self time for an event with ${renderNumber(subscriptions)} subscriptions, by part of the program, from a ` +
      'profile of a run of its own.',
    table: {
      columns: ['Area', 'µs', '%'],
      rows: rows.map(([area, time]) => [area, renderNumber(time, 1), renderNumber((time / whole) * 100, 1)]),
    },
  };
}

function evaluationSection({ text, expression, plain, overRows }: EvaluationCost): Section {
  const millions = (rates: number[]) => renderSpread(spreadOf(rates.map((rate) => rate / 1_000_000)), 2);
  return {
    heading: 'A typical expression',
    text:
      `\`${text}\`, over a thousand changed voyages, in turns with the same condition as a JavaScript function ` +
      'over the same readers, in one process. Millions of evaluations a second.',
    table: {
      columns: ['', 'Median (middle half)'],
      rows: [
        ['the expression', millions(expression)],
        ['a function over the same readers', millions(plain)],
        ['ratio', renderSpread(ratios(expression, plain), 2)],
        ['for orientation: a function over the rows themselves', millions(overRows)],
      ],
    },
  };
}

function memorySection({ subscriptions, conditions, selections, loadMs, loadedBytes, usedBytes }: SetMemory): Section {
  const each = (bytes: number) => renderNumber(bytes / subscriptions);
  return {
    heading: 'Subscriptions in memory',
    text:
      `${renderNumber(subscriptions)} subscriptions, each with a condition and a selection, of which ` +
      `${renderNumber(conditions)} and ${renderNumber(selections)} are distinct, and each created by a transaction ` +
      'of its own. The heap after garbage collection, less what it was before.',
    table: {
      columns: ['', ''],
      rows: [
        ['loading all of them, ms', renderNumber(loadMs)],
        ['bytes for each, once loaded', each(loadedBytes)],
        ['bytes for each, once all were used', each(usedBytes)],
        ['all of them, MB', renderNumber(usedBytes / 2 ** 20)],
      ],
    },
  };
}

function backlogSection({ events, subscriptions, eventsPerSecond, tenths, peakMemoryMb }: Backlog): Section {
  return {
    heading: 'A backlog',
    text:
      `${renderNumber(events)} events that had gathered while no worker was running, one notification each, with ` +
      `${renderNumber(subscriptions)} subscriptions: ${renderNumber(eventsPerSecond)} events a second. By tenths ` +
      'of the backlog:',
    table: {
      columns: ['Tenth', ...tenths.map((_, n) => String(n + 1))],
      rows: [
        ['events per second', ...tenths.map((rate) => renderNumber(rate))],
        ['most memory so far, MB', ...peakMemoryMb.map((peak) => renderNumber(peak))],
      ],
    },
  };
}
