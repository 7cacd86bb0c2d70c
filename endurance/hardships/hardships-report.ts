// Renders the result of a run of the hardships.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { Change } from '../writes/change-ledger.ts';
import { type AnswerCount, phases } from './answer-books.ts';
import type { Hardship } from './hardship.ts';
import type { StartFacts } from './hardship-service.ts';
import type { HardshipFacts } from './judge-hardship.ts';

export interface HardshipsResult {
  seed: number;
  seconds: number;
  hardships: readonly HardshipResult[];
  findings: Finding[];
  facts: MachineFacts;
}

export type HardshipResult = Endured | { kind: 'skipped'; hardship: Hardship; reason: string };

export interface Endured {
  kind: 'endured';
  hardship: Hardship;
  facts: HardshipFacts;
  changes: readonly Change[];
  /** Requests that the receiver accepted, including repeats. */
  received: number;
  findings: Finding[];
}

export function renderHardships({ seed, seconds, hardships, findings, facts }: HardshipsResult): string {
  const parts = [
    '# Endurance: hardships',
    renderVerdict(hardships, findings),
    [
      `Each lasted ${seconds} s while 4 clients wrote, then once more while the service was restarted.`,
      'After each, when the queues were empty, every change was checked in the database and at the receiver.',
      `A request counts in the phase in which it was sent. Seed ${seed}.`,
    ].join('\n'),
    renderSummary(hardships),
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    ...hardships.flatMap(renderHardship),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderVerdict(hardships: readonly HardshipResult[], findings: readonly Finding[]): string {
  if (findings.length > 0) return `**FAILED: ${findings.length} findings.**`;
  const endured = hardships.filter(({ kind }) => kind === 'endured').length;
  const others = endured === hardships.length ? '' : '; the others were skipped';
  return `**Nothing was lost** in ${endured} of ${hardships.length} hardships${others}.`;
}

function renderSummary(hardships: readonly HardshipResult[]): string {
  return renderTable({
    columns: ['Hardship', 'Changes accepted', 'Rejected', 'Unknown', 'Received', 'Peak memory MB', 'Findings'],
    rows: hardships.map((result) => {
      if (result.kind === 'skipped') return [result.hardship.name, `skipped: ${result.reason}`, '', '', '', '', ''];
      const { hardship, changes, received, facts, findings } = result;
      const counts = (['acknowledged', 'refused', 'unknown'] as const).map((wanted) =>
        renderNumber(changes.filter(({ outcome }) => outcome === wanted).length),
      );
      const last = [received, facts.peakMb, findings.length].map((value) => renderNumber(value));
      return [hardship.name, ...counts, ...last];
    }),
  });
}

function renderHardship(result: HardshipResult): string[] {
  const { name, meaning } = result.hardship;
  if (result.kind === 'skipped') return [`## ${name}`, `Skipped: ${result.reason}.`];
  const { answers, log, stop, start } = result.facts;
  return [
    `## ${name}`,
    meaning,
    renderAnswers(answers),
    `Stopped while it lasted: ${stop.ending} after ${renderNumber(stop.tookMs)} ms.`,
    `Started while it lasted: ${renderStart(start)}`,
    renderLog(log),
  ];
}

/** `201 × 310, 503 × 12 (slowest 5,210 ms)`. */
function renderAnswers(answers: readonly AnswerCount[]): string {
  const cell = (some: AnswerCount[]) => {
    if (some.length === 0) return '';
    const counts = some.map(({ status, count }) => `${status} × ${renderNumber(count)}`).sort();
    const slowestMs = Math.max(...some.map((answer) => answer.slowestMs));
    return `${counts.join(', ')} (slowest ${renderNumber(slowestMs)} ms)`;
  };
  const askers = [...new Set(answers.map(({ asker }) => asker))];
  return renderTable({
    columns: ['Answers', ...askers],
    rows: phases.map((phase) => [
      phase,
      ...askers.map((asker) => cell(answers.filter((answer) => answer.phase === phase && answer.asker === asker))),
    ]),
  });
}

function renderStart({ state, tookMs, output }: StartFacts): string {
  switch (state) {
    case 'ready':
      return `ready after ${renderNumber(tookMs)} ms.`;
    case 'still starting':
      return `not ready within ${renderNumber(tookMs)} ms, but ready after the hardship.`;
    case 'ended':
      return `ended after ${renderNumber(tookMs)} ms. Output:\n\n\`\`\`\n${withoutFolders(output.trim())}\n\`\`\``;
  }
}

/** The first line of each kind of warning and error; of other kinds, only the count. */
function renderLog(log: HardshipFacts['log']): string {
  const rows = log.flatMap(({ phase, counts }) =>
    counts.map(({ level, msg, count, facts }) => {
      const shown = level === 'info' ? '' : withoutFolders(facts).replaceAll('|', '\\|').replace(/\s+/g, ' ');
      return [phase, level, msg, renderNumber(count), shown.slice(0, factsShown)];
    }),
  );
  if (rows.length === 0) return 'Nothing was logged.';
  return renderTable({ columns: ['Logged', '', 'Kind', 'Lines', 'The first'], rows });
}

const factsShown = 120;

/** Paths exist only during the run. */
function withoutFolders(text: string): string {
  return text.replace(/\S*flaghoist-(?:disk|endurance)-\w+/g, '…');
}
