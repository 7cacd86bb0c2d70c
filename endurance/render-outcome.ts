// The end of every endurance report: the findings, and the machine.

import { loadNow, type MachineFacts } from '../bench/harness/machine-facts.ts';
import type { Finding } from './finding.ts';

const findingsShown = 20;

export function renderFindings(findings: Finding[]): string {
  const shown = findings.slice(0, findingsShown).map(({ kind, text }) => `- ${kind}: ${text.slice(0, 2000)}`);
  const more = findings.length > findingsShown ? [`- and ${findings.length - findingsShown} more`] : [];
  return [...shown, ...more].join('\n');
}

export function renderMachine(facts: MachineFacts): string {
  return (
    `- ${facts.processor}, ${facts.cores} cores, ${facts.memoryGb} GB, ${facts.system}\n- Node ${facts.node}, ` +
    `PostgreSQL ${facts.postgres}\n- ${facts.date}; load of the machine ${facts.loadBefore} before, ${loadNow()} ` +
    'after'
  );
}
