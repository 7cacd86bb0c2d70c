// Renders the result of a run of schemathesis.

import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { SchemathesisResult } from './schemathesis-run.ts';

export function renderSchemathesis(result: SchemathesisResult): string {
  const { plan, version, casesByPhase, exceptions, elapsedSeconds, findings, facts } = result;
  const cases = [...casesByPhase.values()].reduce((sum, count) => sum + count, 0);
  const parts = [
    '# Endurance: schemathesis',
    findings.length === 0 ? '**No findings.**' : `**FAILED: ${findings.length} findings.**`,
    `schemathesis ${version}, ${renderNumber(cases)} requests made from the API description, at most ` +
      `${plan.examples} random ones per operation and phase. Seed ${plan.seed}; ${renderNumber(elapsedSeconds)} s.`,
    renderTable({
      columns: ['Phase', 'Requests'],
      rows: [...casesByPhase].map(([phase, count]) => [phase, renderNumber(count)]),
    }),
    '## Known exceptions',
    'Reported by schemathesis, and right. docs/how-to/endurance.md has the reason of each.',
    renderTable({
      columns: ['Exception', 'Requests'],
      rows: [...exceptions].sort().map(([name, count]) => [name, renderNumber(count)]),
    }),
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}
