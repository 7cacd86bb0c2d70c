// The report of the end-to-end benchmark.

import type { LatencyRound } from '../delivery/latencies.ts';
import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { Method } from './contenders.ts';
import type { RateRound } from './measure-rate.ts';
import type { Sizes } from './sizes.ts';
import type { Spending } from './spending.ts';

type Both<Round> = Record<'ours' | 'bare', Round[]>;

export interface Measured {
  method: Method;
  rates: Both<RateRound>;
  /** Changes per second, for the latencies. */
  half: number;
  latencies: Both<LatencyRound>;
}

export interface Foreign {
  perSecond: number;
  latencies: Both<LatencyRound>;
}

export interface EndToEndMeasurements {
  sizes: Sizes;
  methods?: Measured[];
  foreign?: Foreign;
  spendings: Spending[];
}

export function endToEndReport(
  { sizes, methods = [], foreign, spendings }: EndToEndMeasurements,
  rest: Pick<Report, 'ledger' | 'facts'>,
): Report {
  return {
    title: 'End to end: from a change over REST to its receiver',
    introduction:
      'One process of the service that does everything, on an embedded PostgreSQL with its default, durable ' +
      `settings, in turns with the bare program. ${sizes.connections} connections create vessels of about 700 bytes ` +
      '(POST), or ' +
      `change one attribute of ${sizes.receivers} vessels (PUT); each change has one notification. New vessels have ` +
      'one receiver, each changed vessel has its own. Load generator and receivers share the machine. Medians of ' +
      `${sizes.rounds} rounds of ${sizes.durationMs / 1000} s after ${sizes.warmUpMs / 1000} s; in parentheses the ` +
      'middle half of the rounds.',
    verdicts: [...methods.flatMap(verdictsOf), ...(foreign ? foreignVerdicts(foreign) : [])],
    sections: [
      ...(methods.length > 0 ? [rateSection(methods), latencySection(methods)] : []),
      ...(foreign ? [foreignSection(foreign)] : []),
      ...(['POST', 'PUT'] as const).flatMap((method) => spendingSections(spendings, method)),
    ],
    ...rest,
  };
}

function verdictsOf({ method, rates, latencies }: Measured): Verdict[] {
  return [
    judge(
      { what: `${method}, changes per second as part of the bare program's`, kind: 'atLeast', value: 0.6 },
      ratioOf(rates, ({ perSecond }) => perSecond).median,
    ),
    judge(
      { what: `${method}, p99 at half of the sustained rate, times the bare program's`, kind: 'atMost', value: 2 },
      ratioOf(latencies, ({ p99 }) => p99).median,
    ),
  ];
}

function foreignVerdicts({ perSecond, latencies }: Foreign): Verdict[] {
  const verdict = (name: 'p50' | 'p99', value: number) =>
    judge(
      { what: `a change by foreign SQL at ${perSecond}/s, ${name}`, kind: 'atMost', value, unit: 'ms' },
      spreadOf(latencies.ours.map((round) => round[name])).median,
    );
  return [verdict('p50', 10), verdict('p99', 30)];
}

function ratioOf<Round>({ ours, bare }: Both<Round>, value: (round: Round) => number) {
  return ratios(ours.map(value), bare.map(value));
}

function rateSection(methods: readonly Measured[]): Section {
  const row = (name: string, rates: Both<RateRound>, value: (round: RateRound) => number) => [
    name,
    renderSpread(spreadOf(rates.ours.map(value))),
    renderSpread(spreadOf(rates.bare.map(value))),
    renderSpread(ratioOf(rates, value), 2),
  ];
  return {
    heading: 'Sustained rate',
    text: 'Changes per second until all were received, and processor time of a change until its outcome was recorded.',
    table: {
      columns: ['', 'Ours', 'Bare program', 'Ratio'],
      rows: methods.flatMap(({ method, rates }) => [
        row(`${method}: changes per second`, rates, ({ perSecond }) => perSecond),
        row(`${method}: processor time of the program, µs`, rates, ({ programUs }) => programUs),
        row(`${method}: processor time of PostgreSQL, µs`, rates, ({ databaseUs }) => databaseUs),
        row(`${method}: of both, µs`, rates, ({ programUs, databaseUs }) => programUs + databaseUs),
      ]),
    },
  };
}

function latencySection(methods: readonly Measured[]): Section {
  return {
    heading: 'Latency at half of that rate',
    text:
      'Milliseconds from the moment that a change was due, by a schedule that waits for nobody, until its receiver ' +
      'had it. Both at half of the rate that the service sustains.',
    table: {
      columns: ['Changes', 'Rate', '', 'p50', 'p95', 'p99', 'max'],
      rows: methods.flatMap(({ method, half, latencies }) => latencyRows(method, half, latencies)),
    },
  };
}

function foreignSection({ perSecond, latencies }: Foreign): Section {
  return {
    heading: 'Foreign SQL',
    text:
      'The same for vessels that a program changes by SQL that knows nothing of the service. For the bare program, ' +
      'it writes to the outbox with a NOTIFY.',
    table: {
      columns: ['Changes', 'Rate', '', 'p50', 'p95', 'p99', 'max'],
      rows: latencyRows('UPDATE', perSecond, latencies),
    },
  };
}

function latencyRows(what: string, perSecond: number, latencies: Both<LatencyRound>): string[][] {
  return (['ours', 'bare'] as const).map((name) => [
    what,
    `${renderNumber(perSecond)}/s`,
    name,
    ...(['p50', 'p95', 'p99', 'max'] as const).map((value) =>
      renderSpread(spreadOf(latencies[name].map((round) => round[value])), 1),
    ),
  ]);
}

function spendingSections(spendings: readonly Spending[], method: Method): Section[] {
  const of = (name: string) => spendings.find((each) => each.method === method && each.name === name);
  const [ours, bare] = [of('ours'), of('bare')];
  if (!ours || !bare) return [];
  return [partsSection(method, ours, bare), statementsSection(method, ours), statementsSection(method, bare)];
}

function partsSection(method: Method, ours: Spending, bare: Spending): Section {
  const parts = [...new Set([...ours.parts.keys(), ...bare.parts.keys()])];
  const us = ({ parts: times }: Spending, part: string) => times.get(part) ?? 0;
  return {
    heading: `Where the time of the program goes, ${method}`,
    text: 'Microseconds of processor time for each change: self time by part, from a profile of a run of its own.',
    table: {
      columns: ['', 'Ours', 'Bare program'],
      rows: [
        ...parts
          .sort((one, other) => us(ours, other) - us(ours, one))
          .map((part) => [part, renderNumber(us(ours, part)), renderNumber(us(bare, part))]),
        ['together', renderNumber(ours.round.programUs), renderNumber(bare.round.programUs)],
        ['PostgreSQL', renderNumber(ours.round.databaseUs), renderNumber(bare.round.databaseUs)],
      ],
    },
  };
}

function statementsSection(method: Method, { name, statements, round }: Spending): Section {
  return {
    heading: `Statements, ${method}, ${name === 'ours' ? 'ours' : 'bare program'}`,
    text: 'Time in the server for each change, with planning (pg_stat_statements).',
    table: {
      columns: ['Statement', 'Calls per change', 'µs per change'],
      rows: statements.map(({ statement, calls, ms }) => [
        shorten(statement),
        renderNumber(calls / round.changes, 2),
        renderNumber((ms * 1000) / round.changes),
      ]),
    },
  };
}

function shorten(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  return line.length > 110 ? `${line.slice(0, 109)}…` : line;
}
