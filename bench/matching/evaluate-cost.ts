// A separate program that evaluates a typical expression, in turns with the same condition as a JavaScript function.
// Both read the same objects through the readers of matching. For comparison, a third reads the rows directly.

import type { ObjectReader } from '@flaghoist/expressions';
import { compileExpression } from '@flaghoist/expressions';
import type { StoredRow } from '../../packages/server/src/events/stored-row.ts';
import { loadModel } from '../../packages/server/src/model/model-file/read-model-file.ts';
import { readerOf } from '../../packages/server/src/snapshots/state-reader.ts';
import { measureInRounds } from '../harness/rounds.ts';

export interface EvaluationPlan {
  rounds: number;
  durationMs: number;
}

export interface EvaluationCost {
  /** Of the expression. */
  text: string;
  /** Evaluations per second, by round. */
  expression: number[];
  plain: number[];
  overRows: number[];
  /** The share of objects for which each was true. */
  shares: number[];
}

const typicalExpression =
  'svcObject.getVoyageStatus().equals("FIN") && oldSvcObject.getVoyageStatus().equals("OPR") && ' +
  'svcObject.getFreight() != null && svcObject.getFreight() > 10000';

process.on('message', async (plan: EvaluationPlan) => {
  process.send!(await measureEvaluation(plan));
});
process.on('disconnect', () => process.exit());

interface Case {
  svcObject: ObjectReader;
  oldSvcObject: ObjectReader;
  row: StoredRow;
  oldRow: StoredRow;
}

type Judge = (change: Case) => boolean;

async function measureEvaluation({ rounds, durationMs }: EvaluationPlan): Promise<EvaluationCost> {
  const type = (await loadModel(undefined)).types.get('Voyage')!;
  const compiled = compileExpression(typicalExpression, type);
  if (compiled.kind === 'mistakes') throw new Error(compiled.mistakes[0]!.message);
  const cases = Array.from({ length: 1_000 }, (_, n): Case => {
    const [row, oldRow] = [voyageRow(n, 'FIN'), voyageRow(n, n % 2 === 0 ? 'OPR' : 'NOM')];
    const readerOver = (shown: StoredRow) =>
      readerOf({ row: () => shown, elements: () => [], isCutOff: () => false }, type, n + 1, { restUrl: '' })!;
    return { row, oldRow, svcObject: readerOver(row), oldSvcObject: readerOver(oldRow) };
  });
  const expression: Judge = (change) => {
    const outcome = compiled.evaluate(change);
    return outcome.kind === 'value' && outcome.value;
  };
  const contenders = Object.entries({ expression, plain, overRows });
  const measured = await measureInRounds(
    contenders.map(([name, judge]) => ({ name, measure: async (ms: number) => evaluateFor(judge, cases, ms) })),
    { rounds, durationMs, warmUpMs: durationMs },
  );
  return {
    text: typicalExpression,
    expression: measured.get('expression')!,
    plain: measured.get('plain')!,
    overRows: measured.get('overRows')!,
    shares: contenders.map(([, judge]) => cases.filter(judge).length / cases.length),
  };
}

const plain: Judge = ({ svcObject, oldSvcObject }) => {
  if (svcObject.get('voyageStatus') !== 'FIN' || oldSvcObject.get('voyageStatus') !== 'OPR') return false;
  const freight = svcObject.get('freight');
  return freight !== null && Number(freight) > 10_000;
};

const overRows: Judge = ({ row, oldRow }) =>
  row.voyage_status === 'FIN' && oldRow.voyage_status === 'OPR' && row.freight !== null && Number(row.freight) > 10_000;

/** The sum is used, so that the engine cannot skip the work. */
function evaluateFor(judge: Judge, cases: readonly Case[], durationMs: number): number {
  const startedAt = performance.now();
  let [evaluated, found] = [0, 0];
  while (performance.now() - startedAt < durationMs) {
    for (let n = 0; n < turnsAtOnce; n += 1) for (const change of cases) if (judge(change)) found += 1;
    evaluated += turnsAtOnce * cases.length;
  }
  if (found > evaluated) throw new Error('More were true than there are.');
  return (evaluated * 1000) / (performance.now() - startedAt);
}

const turnsAtOnce = 10;

function voyageRow(n: number, status: string): StoredRow {
  const freight = n % 3 === 0 ? 9_000 : 812_345.67 + n;
  return JSON.parse(
    `{"key":${n + 1},"voyage_status":"${status}","comments":"voyage ${n}","is_tc":false,"days_total":30.25,` +
      `"freight":${freight},"vessel":17}`,
  ) as StoredRow;
}
