// Renders the result of a run of the matching endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { spreadOf } from '../../bench/harness/statistics.ts';
import { transactionIdleMs } from '../../packages/server/src/database/session-settings.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { BookedChange } from './matching-load.ts';

export interface MatchingResult {
  seed: number;
  clients: number;
  subscriptions: number;
  seconds: number;
  kills: Kill[];
  halts: Halt[];
  booked: readonly BookedChange[];
  events: number;
  expected: number;
  notifications: number;
  /** How long the queue took to drain after the last change. */
  settledMs: number;
  findings: Finding[];
  facts: MachineFacts;
}

export interface Kill {
  process: number;
  /** Time until it was ready again; undefined if the next kill came first. */
  recoveryMs: number | undefined;
}

export type Halt =
  | { kind: 'matched'; tries: number; heldEvents: number; takenOverMs: number }
  | { kind: 'left'; events: number }
  | { kind: 'never' };

export function renderMatching(result: MatchingResult): string {
  const { kills, halts, booked, findings, facts } = result;
  const verdict =
    findings.length === 0
      ? `**None missing, none twice**: ${kills.length} kills, ${renderNumber(booked.length)} changes, ` +
        `${renderNumber(result.events)} events, ${renderNumber(result.notifications)} notifications.`
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# Endurance: matching under kill -9',
    verdict,
    `${result.clients} clients wrote for ${renderNumber(result.seconds)} s through two processes that match, and ` +
      `by SQL; seed ${result.seed}. ${result.subscriptions} subscriptions, some created meanwhile: ` +
      `${renderNumber(result.expected)} notifications, derived from the changed rows alone. After the last change ` +
      `the queue was empty in ${renderNumber(result.settledMs)} ms.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Kills',
    renderKills(kills),
    '## Halted in the middle of a batch',
    'SIGSTOP until the other process had matched the claimed events; the lease is ' +
      `${renderNumber(transactionIdleMs)} ms.`,
    renderHalts(halts),
    '## Changes',
    'Unknown: the response was lost with its process. Each such change was applied wholly or not at all, and ' +
      'notified accordingly.',
    renderChanges(booked),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderKills(kills: Kill[]): string {
  const row = (name: string, some: Kill[]) => {
    const times = some.flatMap(({ recoveryMs }) => recoveryMs ?? []);
    const { median, max } = spreadOf(times);
    const shown = [median, max].map((ms) => (Number.isNaN(ms) ? '' : renderNumber(ms)));
    return [name, String(some.length), String(some.length - times.length), ...shown];
  };
  const ofProcess = (index: number) => kills.filter(({ process }) => process === index);
  return renderTable({
    columns: ['Process', 'Times', 'Next kill before recovery', 'Recovered after ms (median)', 'At most'],
    rows: [row('1', ofProcess(0)), row('2', ofProcess(1)), row('both', kills)],
  });
}

function renderHalts(halts: Halt[]): string {
  return renderTable({
    columns: ['Halt', 'Events claimed', 'Matched by the other after ms'],
    rows: halts.map((halt, index) => [
      String(index + 1),
      halt.kind === 'matched' ? String(halt.heldEvents) : '',
      halt.kind === 'matched' ? renderNumber(halt.takenOverMs) : halt.kind,
    ]),
  });
}

const outcomes: BookedChange['outcome'][] = ['accepted', 'not made', 'unknown'];

function renderChanges(booked: readonly BookedChange[]): string {
  const names = [...new Set(booked.map(({ name }) => name))].sort();
  const row = (name: string, some: readonly BookedChange[]) => [
    name,
    ...outcomes.map((wanted) => renderNumber(some.filter(({ outcome }) => outcome === wanted).length)),
  ];
  const rows = names.map((wanted) =>
    row(
      wanted,
      booked.filter(({ name }) => name === wanted),
    ),
  );
  return renderTable({ columns: ['Change', ...outcomes], rows: [...rows, row('all', booked)] });
}
