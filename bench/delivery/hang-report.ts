// The report of the part with a receiver that hangs.

import { renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { Hang } from './hang.ts';
import type { LatencyRound } from './latencies.ts';

const p99Of = ({ p99 }: LatencyRound) => p99;

export function hangVerdicts({ sizes, byWorkers }: Hang): Verdict[] {
  return byWorkers.map(({ workers, ...hang }) => {
    const hanging = `one of ${sizes.receivers} receivers hangs`;
    const what = `${inWords(workers)}: ${hanging}, p99 of the others as part of that without`;
    return judge({ what, kind: 'atMost', value: 1.5 }, ratios(hang.with.map(p99Of), hang.without.map(p99Of)).median);
  });
}

export function hangSection({ sizes, byWorkers }: Hang): Section {
  const cells = (rounds: LatencyRound[]) =>
    (['p50', 'p95', 'p99', 'max'] as const).map((name) => renderSpread(spreadOf(rounds.map((each) => each[name])), 1));
  return {
    heading: 'One receiver hangs',
    text:
      `${renderNumber(sizes.perSecond)} changes a second by SQL for ${sizes.receivers} receivers in turn, one of ` +
      `which answers nothing for ${sizes.hangMs / 1000} s, each time. Milliseconds from the moment that a change ` +
      `was due until one of the other receivers had it. Median of ${sizes.rounds} rounds of ` +
      `${sizes.durationMs / 1000} s, each with processes of its own, in turns.`,
    table: {
      columns: ['', '', 'p50', 'p95', 'p99', 'max'],
      rows: byWorkers.flatMap(({ workers, ...hang }) => [
        [inWords(workers), 'none hangs', ...cells(hang.without)],
        [inWords(workers), 'one hangs', ...cells(hang.with)],
      ]),
    },
  };
}

function inWords(workers: number): string {
  return workers === 1 ? 'one worker' : `${workers} workers`;
}
