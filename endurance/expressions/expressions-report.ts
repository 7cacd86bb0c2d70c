// Renders the result of a run of the expression endurance.

import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { ExpressionsResult } from './expressions-run.ts';

export function renderExpressions({ plan, comparisons, elapsedSeconds, findings, facts }: ExpressionsResult): string {
  const compared = comparisons.reduce((sum, { expressionCount }) => sum + expressionCount, 0);
  const evaluated = comparisons.reduce((sum, { expressionCount, pairCount }) => sum + expressionCount * pairCount, 0);
  const limited = comparisons.reduce((sum, { limitCount }) => sum + limitCount, 0);
  const differences = comparisons.reduce((sum, comparison) => sum + comparison.differences.length, 0);
  const taken = findings.filter(({ kind }) => kind === 'expression taken badly').length;
  const java =
    compared === 0
      ? 'Nothing was compared with Java, because no JDK was found.'
      : `${renderNumber(compared)} random expressions over random objects, ${renderNumber(evaluated)} evaluations: ` +
        `**${differences} differences from Java**. ${renderNumber(limited)} evaluations hit our limits, which Java ` +
        'does not have.';
  const parts = [
    '# Endurance: expressions',
    findings.length === 0 ? '**No findings.**' : `**FAILED: ${findings.length} findings.**`,
    java,
    `${renderNumber(plan.mutations)} texts, each an expression with a few bytes changed. Each must be compiled, ` +
      `or rejected with mistakes that point into it, and evaluated to a value, in at most 10 ms: **${taken} were ` +
      'not**.',
    `Seed ${plan.seed}; ${renderNumber(elapsedSeconds)} s.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    ...(compared === 0 ? [] : ['## What Java answered', renderAnswers(comparisons)]),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderAnswers(comparisons: ExpressionsResult['comparisons']): string {
  const answers = new Map<string, number>();
  for (const comparison of comparisons)
    for (const [answer, count] of comparison.answers) answers.set(answer, (answers.get(answer) ?? 0) + count);
  const rows = [...answers].sort(([, left], [, right]) => right - left);
  return renderTable({
    columns: ['Answer', 'Evaluations'],
    rows: rows.map(([answer, count]) => [answer, renderNumber(count)]),
  });
}
