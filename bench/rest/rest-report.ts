// The results of the REST benchmark: targets with verdicts, and a table per part.

import type { DrivenLoad } from '../harness/drive-load.ts';
import { perSecond } from '../harness/load.ts';
import { renderNumber, renderRange, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { Comparison } from './comparison.ts';
import type { QueueingCost } from './queueing.ts';
import { queueingSection } from './queueing-report.ts';
import type { ScaleResult } from './scale.ts';
import type { Sizes } from './sizes.ts';
import type { Spending } from './spending.ts';

export interface RestMeasurements {
  sizes: Sizes;
  comparisons: Comparison[];
  orientation: Map<string, DrivenLoad[]>;
  spendings: Spending[];
  queueing: QueueingCost[];
  scale: ScaleResult[];
}

export function verdictsOf({ comparisons, scale }: RestMeasurements): Verdict[] {
  const memoryMb = comparisons.at(-1)?.peakMemoryMb.ours;
  return [
    ...comparisons.map(({ scenario, ours, peer }) =>
      judge(
        { what: `${scenario.name}, throughput as part of the peer's`, kind: 'atLeast', value: scenario.target },
        ratios(ours.map(perSecond), peer.map(perSecond)).median,
      ),
    ),
    ...scale
      .filter(({ list }) => list.hasTarget)
      .map(({ counting, small, large }) =>
        judge(
          {
            what: `First page at the large number of objects, ${counting}, times the small`,
            kind: 'atMost',
            value: 1.5,
          },
          ratios(large.map(latency), small.map(latency)).median,
        ),
      ),
    ...(memoryMb === undefined
      ? []
      : [judge({ what: 'Memory of the service at its highest', kind: 'atMost', value: 200, unit: 'MB' }, memoryMb)]),
  ];
}

export function sectionsOf(measurements: RestMeasurements): Section[] {
  return [
    throughputSection(measurements),
    latencySection(measurements),
    memorySection(measurements),
    ...measurements.spendings.map(spendingSection),
    orientationSection(measurements),
    queueingSection(measurements),
    scaleSection(measurements),
  ];
}

function throughputSection({ comparisons, sizes }: RestMeasurements): Section {
  const { rounds, durationMs } = sizes.comparison;
  return {
    heading: 'Throughput',
    text:
      `Requests a second, ${sizes.connections} connections, ${rounds} interleaved rounds of ${durationMs / 1000} ` +
      's: the median, and in parentheses the middle half of the rounds. The ratio is taken round by round. ' +
      'Processor time is that of the serving process alone (microseconds a request), which other work on the ' +
      'machine disturbs less.',
    table: {
      columns: ['Scenario', 'Ours', 'Peer', 'Ratio', 'Ratio min–max', 'Ours µs CPU', 'Peer µs CPU', 'Generator busy'],
      rows: comparisons.map(({ scenario, ours, peer }) => {
        const ratio = ratios(ours.map(perSecond), peer.map(perSecond));
        return [
          scenario.short,
          renderSpread(spreadOf(ours.map(perSecond))),
          renderSpread(spreadOf(peer.map(perSecond))),
          renderSpread(ratio, 2),
          renderRange(ratio, 2),
          renderProcessor(ours),
          renderProcessor(peer),
          renderNumber(spreadOf([...ours, ...peer].map(({ generatorBusy }) => generatorBusy)).median, 2),
        ];
      }),
    },
  };
}

function latencySection({ comparisons, sizes }: RestMeasurements): Section {
  return {
    heading: 'Latency under that load',
    text:
      `Milliseconds from the sending of a request to the end of its answer, of every request; ${sizes.connections} ` +
      'are under way at any time. The median of the rounds.',
    table: {
      columns: ['Scenario', 'Contender', 'p50', 'p95', 'p99'],
      rows: comparisons.flatMap(({ scenario, ours, peer }) => [
        [scenario.short, 'ours', ...renderLatencies(ours)],
        [scenario.short, 'peer', ...renderLatencies(peer)],
      ]),
    },
  };
}

function memorySection({ comparisons }: RestMeasurements): Section {
  const render = (memoryMb: number | undefined) => (memoryMb === undefined ? 'unknown' : renderNumber(memoryMb));
  return {
    heading: 'Memory',
    text: 'The most that each process ever had, in MB, from its start to the end of the scenario.',
    table: {
      columns: ['Up to and with', 'Ours', 'Peer'],
      rows: comparisons.map(({ scenario, peakMemoryMb }) => [
        scenario.short,
        render(peakMemoryMb.ours),
        render(peakMemoryMb.peer),
      ]),
    },
  };
}

function spendingSection({ scenario, ours, peer }: Spending): Section {
  const areas = [...new Set([...ours.keys(), ...peer.keys()])].map((area) => ({
    area,
    ours: ours.get(area) ?? 0,
    peer: peer.get(area) ?? 0,
  }));
  const shown = areas.filter((row) => Math.max(row.ours, row.peer) >= 0.5).sort((a, b) => b.ours - a.ours);
  const total = (side: 'ours' | 'peer') => areas.reduce((sum, row) => sum + row[side], 0);
  const rows = [...shown, { area: 'all', ours: total('ours'), peer: total('peer') }];
  return {
    heading: `What a ${scenario.short} is spent on`,
    text:
      'Microseconds of processor time a request: the shares come from a CPU profile (self time), taken in a run of ' +
      'its own, because profiling costs time.',
    table: {
      columns: ['Area', 'Ours', 'Peer', 'More than the peer'],
      rows: rows.map((row) => [
        row.area,
        renderNumber(row.ours, 1),
        renderNumber(row.peer, 1),
        renderNumber(row.ours - row.peer, 1),
      ]),
    },
  };
}

function orientationSection({ orientation }: RestMeasurements): Section {
  return {
    heading: 'For orientation',
    text: 'The least that is possible on this machine: an answer of 17 bytes and no database.',
    table: {
      columns: ['Program', 'Requests a second', 'µs CPU'],
      rows: [...orientation].map(([name, loads]) => [
        name,
        renderSpread(spreadOf(loads.map(perSecond))),
        renderProcessor(loads),
      ]),
    },
  };
}

function scaleSection({ scale, sizes }: RestMeasurements): Section {
  const { small, large, matches } = sizes.scale;
  return {
    heading: `The first page at ${renderNumber(small)} and at ${renderNumber(large)} objects`,
    text:
      `Median milliseconds of a list of 100 out of ${renderNumber(matches)} matches, one request at a time, on two ` +
      'databases in interleaved rounds. The rows were loaded without triggers (no events), then vacuumed and ' +
      'analysed.',
    table: {
      columns: ['List', '', renderNumber(small), renderNumber(large), 'Ratio', 'Ratio min–max'],
      rows: scale.map((result) => {
        const ratio = ratios(result.large.map(latency), result.small.map(latency));
        return [
          result.list.name,
          result.counting,
          renderSpread(spreadOf(result.small.map(latency)), 2),
          renderSpread(spreadOf(result.large.map(latency)), 2),
          renderSpread(ratio, 2),
          renderRange(ratio, 2),
        ];
      }),
    },
  };
}

function latency({ latencyMs }: DrivenLoad): number {
  return latencyMs.p50;
}

function renderLatencies(loads: DrivenLoad[]): string[] {
  return (['p50', 'p95', 'p99'] as const).map((point) =>
    renderNumber(spreadOf(loads.map(({ latencyMs }) => latencyMs[point])).median, 1),
  );
}

function renderProcessor(loads: DrivenLoad[]): string {
  const known = loads.flatMap(({ processorUs }) => processorUs ?? []);
  return known.length === 0 ? 'unknown' : renderNumber(spreadOf(known).median);
}
