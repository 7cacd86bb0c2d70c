// The results of the matching benchmark, as verdicts and tables.

import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { Backlog } from './backlog.ts';
import type { EvaluationCost } from './evaluate-cost.ts';
import type { Growth } from './growth.ts';
import { type MemoryForm, matchesPerEvent } from './planned-subscriptions.ts';
import type { SetMemory } from './set-memory.ts';
import type { SnapshotCost } from './snapshot-cost.ts';
import { snapshotSection, snapshotVerdicts } from './snapshot-cost-report.ts';
import { type Cost, timeUs } from './stand.ts';

/** The requested ones. */
export interface MatchingMeasurements {
  evaluation: EvaluationCost | undefined;
  memory: Record<MemoryForm, SetMemory> | undefined;
  /** `spending`: microseconds per event, by area. */
  growth: { growth: Growth[]; spending: Map<string, number> } | undefined;
  snapshots: SnapshotCost | undefined;
  backlog: Backlog | undefined;
}

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

export function introduction(isQuick: boolean): string {
  return (
    `${isQuick ? smokeNotice : ''}Changes are made by SQL to bunker orders and voyages; the service, in a process of ` +
    'its own with the role `worker`, matches them. It runs on an embedded PostgreSQL with its default, durable ' +
    'settings on the same machine. Every notification is checked: which there must be is worked out by SQL from ' +
    'events and subscriptions.'
  );
}

export function verdictsOf(measurements: MatchingMeasurements): Verdict[] {
  const { evaluation, memory, growth, snapshots, backlog } = measurements;
  return [
    ...(growth ? growthVerdicts(growth.growth) : []),
    ...(evaluation ? [evaluationVerdict(evaluation)] : []),
    ...(memory ? [memoryVerdict(memory['one event type'])] : []),
    ...(snapshots ? snapshotVerdicts(snapshots) : []),
    ...(backlog ? backlogVerdicts(backlog) : []),
  ];
}

function growthVerdicts(growth: Growth[]): Verdict[] {
  const [smallest, largest] = [growth[0]!, growth.at(-1)!];
  const what =
    `with ${renderNumber(largest.subscriptions)} subscriptions, of that with ` +
    `${renderNumber(smallest.subscriptions)}`;
  const atMost = (measure: string, cost: Cost) =>
    judge({ what: `${measure} ${what}`, kind: 'atMost', value: 1.3 }, costRatio(largest, smallest, cost).median);
  return [
    atMost('time for an event', timeUs),
    atMost("the worker's processor time for an event", ({ workerUs }) => workerUs),
  ];
}

function evaluationVerdict({ expression, plain }: EvaluationCost): Verdict {
  const target = {
    what: 'a typical expression, of the same condition as a function',
    kind: 'atLeast',
    value: 0.3,
  } as const;
  return judge(target, ratios(expression, plain).median);
}

function memoryVerdict({ usedBytes, subscriptions }: SetMemory): Verdict {
  const target = { what: 'memory of a subscription', kind: 'atMost', value: 2, unit: 'KB' } as const;
  return judge(target, usedBytes / subscriptions / 1024);
}

function backlogVerdicts({ tenths, peakMemoryMb }: Backlog): Verdict[] {
  return [
    judge(
      { what: 'the slowest tenth of the backlog, of the fastest', kind: 'atLeast', value: 0.5 },
      Math.min(...tenths) / Math.max(...tenths),
    ),
    judge(
      { what: 'most memory while the backlog is worked off', kind: 'atMost', value: 300, unit: 'MB' },
      peakMemoryMb.at(-1)!,
    ),
  ];
}

export function sectionsOf(measurements: MatchingMeasurements): Report['sections'] {
  const { growth, evaluation, memory, snapshots, backlog } = measurements;
  return [
    ...(growth ? [growthSection(growth.growth), spendingSection(growth.spending, growth.growth.at(-1)!)] : []),
    ...(evaluation ? [evaluationSection(evaluation)] : []),
    ...(memory ? [memorySection(memory)] : []),
    ...(snapshots ? [snapshotSection(snapshots)] : []),
    ...(backlog ? [backlogSection(backlog)] : []),
  ];
}

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
      'own. One of the ten is for every type, one for every operation. The rest match other orders, operations and ' +
      'types.',
    table: {
      columns: ['Subscriptions', ...growth.map(({ subscriptions }) => renderNumber(subscriptions))],
      rows: [
        ['of them with a wildcard', ...growth.map(({ wildcards }) => renderNumber(wildcards))],
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

function memorySection(memory: Record<MemoryForm, SetMemory>): Section {
  const { subscriptions, conditions, selections } = memory['one event type'];
  const row = (name: string, value: (measured: SetMemory) => number) => [
    name,
    ...Object.values(memory).map((measured) => renderNumber(value(measured))),
  ];
  return {
    heading: 'Subscriptions in memory',
    text:
      `${renderNumber(subscriptions)} subscriptions, each with a condition and a selection, of which ` +
      `${renderNumber(conditions)} and ${renderNumber(selections)} are distinct, and each created by a transaction ` +
      'of its own. The heap after garbage collection, less what it was before.',
    table: {
      columns: ['Each with', ...Object.keys(memory)],
      rows: [
        row('loading all of them, ms', ({ loadMs }) => loadMs),
        row('bytes for each, once loaded', ({ loadedBytes }) => loadedBytes / subscriptions),
        row('bytes for each, once all were used', ({ usedBytes }) => usedBytes / subscriptions),
        row('all of them, MB', ({ usedBytes }) => usedBytes / 2 ** 20),
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
