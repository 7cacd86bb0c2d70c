// Renders the result of a run of the write endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { spreadOf } from '../../bench/harness/statistics.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { Change, Outcome } from './change-ledger.ts';
import type { Victim } from './killed-service.ts';

export interface WritesResult {
  seed: number;
  clients: number;
  seconds: number;
  kills: Kill[];
  changes: readonly Change[];
  events: number;
  objects: number;
  checks: number;
  startsGivenUp: number;
  findings: Finding[];
  facts: MachineFacts;
}

export interface Kill {
  victim: Victim;
  /** Time until the service was ready again; undefined if it was killed again first. */
  recoveryMs: number | undefined;
}

const outcomes: Outcome[] = ['acknowledged', 'refused', 'seen done', 'seen undone', 'unknown'];
export function renderWrites(result: WritesResult): string {
  const { kills, changes, findings, facts } = result;
  const verdict =
    findings.length === 0
      ? `**Nothing was lost**: ${kills.length} kills, ${renderNumber(changes.length)} changes, ` +
        `${renderNumber(result.events)} events.`
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# Endurance: writes under kill -9',
    verdict,
    `${result.clients} clients wrote for ${renderNumber(result.seconds)} s, seed ${result.seed}. ${result.checks} ` +
      'times, at rest, every acknowledged change was checked, and the history of each of ' +
      `${renderNumber(result.objects)} objects (and of those deleted) was compared with the object.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Kills',
    `${result.startsGivenUp} starts failed with a clear message because PostgreSQL was killed during them.`,
    renderKills(kills),
    '## Changes',
    'Refused: the object was still referenced (409). Seen: the response was lost, and the object was read ' +
      'afterwards.',
    renderChanges(changes),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderKills(kills: Kill[]): string {
  const victims = [...new Set(kills.map(({ victim }) => victim))].sort();
  const row = (name: string, some: Kill[]) => {
    const { median, max } = spreadOf(some.flatMap(({ recoveryMs }) => recoveryMs ?? []));
    const interrupted = some.filter(({ recoveryMs }) => recoveryMs === undefined).length;
    return [name, String(some.length), String(interrupted), renderMs(median), renderMs(max)];
  };
  return renderTable({
    columns: ['Killed', 'Times', 'Next kill before recovery', 'Recovered after ms (median)', 'At most'],
    rows: [
      ...victims.map((name) =>
        row(
          name,
          kills.filter(({ victim }) => victim === name),
        ),
      ),
      row('all', kills),
    ],
  });
}

function renderMs(value: number): string {
  return Number.isNaN(value) ? '' : renderNumber(value);
}

function renderChanges(changes: readonly Change[]): string {
  const names = [...new Set(changes.map(({ name }) => name))].sort();
  const row = (name: string, some: readonly Change[]) => [
    name,
    ...outcomes.map((wanted) => renderNumber(some.filter(({ outcome }) => outcome === wanted).length)),
  ];
  return renderTable({
    columns: ['Change', ...outcomes],
    rows: [
      ...names.map((wanted) =>
        row(
          wanted,
          changes.filter(({ name }) => name === wanted),
        ),
      ),
      row('all', changes),
    ],
  });
}
