// Renders the result of a run of the stalls endurance.

import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { spreadOf } from '../../bench/harness/statistics.ts';
import { type DeliveryBooks, renderLedger, renderReasons } from '../delivery/delivery-report.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { Line } from './idle-watch.ts';
import { type Stall, stallKinds } from './stalled-worker.ts';

export interface StallsResult extends DeliveryBooks {
  seconds: number;
  stalls: readonly Stall[];
  /** Per worker: how long it did nothing while it was not stalled and the same piece of work was waiting. */
  idleMs: readonly Record<Line, number>[];
}

export function renderStalls(result: StallsResult): string {
  const { findings, stalls, seconds, clients, seed, settledMs, idleMs } = result;
  const verdict =
    findings.length === 0
      ? `**Nothing was lost, and no worker stood idle**: ${stalls.length} stalls, ` +
        `${renderNumber(result.booked.length)} changes, ${renderNumber(result.notifications)} notifications, each ` +
        'delivered or failed with its reason.'
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# Endurance: workers that are stopped or cut off',
    verdict,
    `${clients} clients wrote for ${renderNumber(seconds)} s, while up to two of three workers at a time were ` +
      'stopped (SIGSTOP) or cut off from PostgreSQL, each at a random statement, half of them at a rare ' +
      `one; seed ${seed}. At the end, the queues were empty after ${renderNumber(settledMs)} ms.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Stalls',
    renderKinds(stalls),
    '## Idle',
    'The longest time in which a worker that was not stalled did nothing while the same piece of work was waiting.',
    renderTable({
      columns: ['Worker', 'Matching idle for ms', 'Delivery idle for ms'],
      rows: idleMs.map(({ matching, delivery }, index) => [
        String(index + 1),
        renderNumber(matching),
        renderNumber(delivery),
      ]),
    }),
    '## Ledger',
    renderLedger(result),
    '## Reasons of failed notifications',
    renderReasons(result.balance.failed),
    '## Machine',
    renderMachine(result.facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The leases of a worker and of an idle transaction are shorter. */
const longMs = 10_000;

function renderKinds(stalls: readonly Stall[]): string {
  return renderTable({
    columns: ['Stall', 'Times', 'Longer than every lease', 'For ms (median)', 'At most'],
    rows: stallKinds.map((kind) => {
      const times = stalls.flatMap((stall) => (stall.kind === kind ? [stall.until - stall.from] : []));
      const { median, max } = spreadOf(times);
      const shown = [median, max].map((ms) => (Number.isNaN(ms) ? '' : renderNumber(ms)));
      return [kind, String(times.length), String(times.filter((ms) => ms > longMs).length), ...shown];
    }),
  });
}
