// Renders a result as Markdown: first the verdicts, then the data behind them.

import type { LedgerEntry } from './ledger.ts';
import { isBalanced } from './ledger.ts';
import { loadNow, type MachineFacts } from './machine-facts.ts';
import { roundsSoFar, stolenMax } from './rounds.ts';
import type { Spread } from './statistics.ts';
import { readProcessorTimes, stolenShare } from './stolen-time.ts';
import { renderVerdict, type Verdict } from './verdict.ts';

export interface Report {
  title: string;
  /** What was measured and how, in a few sentences. */
  introduction: string;
  verdicts: Verdict[];
  ledger: readonly LedgerEntry[];
  facts: MachineFacts;
  sections: Section[];
}

export interface Section {
  heading: string;
  text?: string;
  table?: Table;
}

export interface Table {
  columns: string[];
  rows: string[][];
}

export function isVoid(report: Report): boolean {
  return !report.ledger.every(isBalanced);
}

export function renderReport(report: Report): string {
  const parts = [
    `# ${report.title}`,
    report.introduction,
    '## Verdicts',
    renderVerdicts(report),
    ...report.sections.flatMap(renderSection),
    '## Ledger',
    'What was counted on one side must be found on the other; a line that does not balance voids the run.',
    renderTable({
      columns: ['What', 'Expected', 'Found', ''],
      rows: report.ledger.map((entry) => [
        entry.what,
        shorten(entry.expected),
        shorten(entry.found),
        isBalanced(entry) ? 'balances' : '**DOES NOT BALANCE**',
      ]),
    }),
    '## Machine',
    renderFacts(report.facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function renderTable({ columns, rows }: Table): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** `5,120 (4,980–5,230)`: the median and the quartiles of the rounds. */
export function renderSpread({ median, lower, upper }: Spread, digits = 0): string {
  return `${renderNumber(median, digits)} (${renderNumber(lower, digits)}–${renderNumber(upper, digits)})`;
}

export function renderRange({ min, max }: Spread, digits = 0): string {
  return `${renderNumber(min, digits)}–${renderNumber(max, digits)}`;
}

export function renderNumber(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function renderPercent(share: number): string {
  return `${renderNumber(share * 100, 1)} %`;
}

function renderVerdicts(report: Report): string {
  if (isVoid(report)) return '**VOID: the ledger does not balance, so the numbers below mean nothing.**';
  return report.verdicts.map((verdict) => `- ${renderVerdict(verdict)}`).join('\n');
}

function renderSection({ heading, text, table }: Section): string[] {
  return [`## ${heading}`, ...(text === undefined ? [] : [text]), ...(table ? [renderTable(table)] : [])];
}

function renderFacts(facts: MachineFacts): string {
  return [
    `- ${facts.processor}, ${facts.cores} cores, ${facts.memoryGb} GB, ${facts.system}`,
    `- Node ${facts.node}, PostgreSQL ${facts.postgres}`,
    `- ${facts.date}; load of the machine ${facts.loadBefore} before, ${loadNow()} after`,
    `- ${renderPercent(stolenShare(facts.timesBefore, readProcessorTimes()))} of the processor time that was ` +
      `wanted went to other machines on the same hardware. Of ${roundsSoFar.counted} rounds ${roundsSoFar.again} ` +
      `were measured again, since it was more than ${renderPercent(stolenMax)}, and the quieter one counts; in ` +
      `${roundsSoFar.disturbed} it was more all the same`,
  ].join('\n');
}

function shorten(text: string): string {
  const oneLine = text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return oneLine.length > 60 ? `${oneLine.slice(0, 57)}…` : oneLine;
}
