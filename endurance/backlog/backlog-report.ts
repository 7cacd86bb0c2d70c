// Renders the result of a start with a large backlog.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { Probed } from './api-probe.ts';
import {
  type BacklogBooks,
  type BacklogTimes,
  firstSecondsMax,
  memoryGrowthMbMax,
  type PeakMemory,
  readySecondsMax,
} from './backlog-books.ts';

export interface BacklogResult {
  rows: number;
  receivers: number;
  books: BacklogBooks;
  times: BacklogTimes;
  /** Per second, in each tenth. */
  rates: readonly number[];
  memory: PeakMemory;
  /** During the delivery of the backlog, and after it. */
  busy: readonly Probed[];
  calm: readonly Probed[];
  findings: Finding[];
  facts: MachineFacts;
}

export function renderBacklog(result: BacklogResult): string {
  const { rows, receivers, books, findings, busy, calm, rates, facts } = result;
  const verdict =
    findings.length === 0
      ? `**Passed**: all ${renderNumber(rows)} arrived, each once, and none is left.`
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# Endurance: a start with a large backlog',
    verdict,
    `${renderNumber(rows)} notifications for ${receivers} receivers were due when the service was started, as ` +
      'one process with both roles and the default settings: nine in ten ready, one in ten with a retry that was ' +
      'overdue. The receivers respond at once, on this machine.',
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Course',
    renderTable({ columns: ['What', 'Found', 'Allowed'], rows: courseOf(result) }),
    `Per second, in each tenth of the backlog: ${rates.map((rate) => renderNumber(rate)).join(', ')}.`,
    '## Requests meanwhile',
    'One at a time, to the same process; for comparison, the same after the backlog was delivered.',
    renderTable({
      columns: ['GET', 'When', 'Answers', 'p50 ms', 'p99 ms', 'Slowest ms'],
      rows: [...busy.map((each) => rowOf(each, 'meanwhile')), ...calm.map((each) => rowOf(each, 'afterwards'))],
    }),
    '## Ledger',
    renderTable({ columns: ['What', 'Expected', 'Found'], rows: ledgerOf(books) }),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function courseOf({ rows, times, memory }: BacklogResult): string[][] {
  const seconds = (value: number) => `${renderNumber(value, 1)} s`;
  const megabytes = (value: number | undefined) => (value === undefined ? 'unknown' : `${renderNumber(value)} MB`);
  const rate = rows / (times.recorded - times.firstReceived);
  return [
    ['From the start of the process until it was ready', seconds(times.ready), `${readySecondsMax} s`],
    ['… until the first was received', seconds(times.firstReceived), `${firstSecondsMax} s after that`],
    ['… until the last was received', seconds(times.lastReceived), ''],
    ['… until all were recorded', seconds(times.recorded), ''],
    ['Received and recorded per second', renderNumber(rate), ''],
    ['Peak memory when a tenth was received', megabytes(memory.atTenthMb), ''],
    ['Peak memory at the end', megabytes(memory.atEndMb), `${memoryGrowthMbMax} MB more`],
  ];
}

/** Keys differ from run to run. */
function rowOf({ path, answers, p50Ms, p99Ms, maxMs }: Probed, when: string): string[] {
  const times = [p50Ms, p99Ms, maxMs].map((ms) => renderNumber(ms, 1));
  return [path.replace(/\d+$/, '…'), when, renderNumber(answers), ...times];
}

function ledgerOf(books: BacklogBooks): string[][] {
  const { planned } = books;
  const row = (what: string, expected: number, found: number) => [what, renderNumber(expected), renderNumber(found)];
  return [
    row('Distinct ids received', planned, books.distinct),
    row('Requests received', planned, books.received),
    row('Unplanned ids received', 0, books.strange),
    row('Delivered at the first attempt, according to the log', planned, books.delivered),
    row('Other results in the log', 0, books.other),
    row('Left pending', 0, books.pending),
    row('Left claimed', 0, books.claimed),
  ];
}
