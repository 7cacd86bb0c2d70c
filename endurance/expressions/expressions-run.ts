// Random expressions compared with real Java (EXP-28), and random bytes in valid expressions (EXP-29): far more of both
// than a test has time for.

import { setImmediate } from 'node:timers/promises';
import { type MachineFacts, readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { type Comparison, compareWithJava } from '../../packages/expressions/test/differential/compare-with-java.ts';
import { Dice } from '../../packages/expressions/test/differential/dice.ts';
import { examine, mutate } from '../../packages/expressions/test/differential/examine.ts';
import { hasJdk } from '../../packages/expressions/test/differential/java-program.ts';
import { randomExpression, randomExpressions } from '../../packages/expressions/test/differential/random-expression.ts';
import { randomPair } from '../../packages/expressions/test/differential/random-objects.ts';
import type { Finding } from '../finding.ts';

export interface ExpressionsPlan {
  expressions: number;
  mutations: number;
  seed: number;
  tell: (line: string) => void;
}

export interface ExpressionsResult {
  plan: ExpressionsPlan;
  /** One per program compiled by Java; none without a JDK. */
  comparisons: readonly Comparison[];
  elapsedSeconds: number;
  findings: Finding[];
  facts: MachineFacts;
}

export async function runExpressions(plan: ExpressionsPlan): Promise<ExpressionsResult> {
  const facts = readMachineFacts('not used');
  const startedAt = performance.now();
  const dice = new Dice(plan.seed);
  const comparisons = hasJdk() ? compareAll(plan, dice) : [];
  if (comparisons.length === 0) plan.tell('No javac was found, so nothing is compared with Java.');
  const differences = comparisons.flatMap((comparison) => comparison.differences);
  const findings: Finding[] = [
    ...differences.map((text) => ({ kind: 'other meaning than in Java' as const, text })),
    ...(await examineAll(plan, dice)),
  ];
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  return { plan, comparisons, elapsedSeconds, findings, facts };
}

// As many as javac compiles quickly, with different objects each time.
const perProgram = 2500;

function compareAll({ expressions, tell }: ExpressionsPlan, dice: Dice): Comparison[] {
  const comparisons: Comparison[] = [];
  for (let done = 0; done < expressions; done += perProgram) {
    const pairs = Array.from({ length: 6 }, () => randomPair(dice));
    const comparison = compareWithJava(randomExpressions(dice, Math.min(perProgram, expressions - done)), pairs);
    comparisons.push(comparison);
    tell(`${done + comparison.expressionCount} expressions, ${comparison.differences.length} differences`);
  }
  return comparisons;
}

// The bound of EXP-29.
const msMax = 10;

async function examineAll({ mutations, tell }: ExpressionsPlan, dice: Dice): Promise<Finding[]> {
  const findings: Finding[] = [];
  let isRight = '';
  for (let count = 0; count < mutations; count++) {
    if (count % 20 === 0) isRight = dice.isLucky(0.2) ? dice.pick(shortForms) : randomExpression(dice).ours;
    // Otherwise no signal could stop the run.
    if (count % 1000 === 0) await setImmediate();
    const text = mutate(dice, isRight);
    const problem = examine(text, msMax);
    if (problem !== undefined) {
      findings.push({ kind: 'expression taken badly', text: `${JSON.stringify(text)}: ${problem}` });
      tell(findings.at(-1)!.text);
    }
    if ((count + 1) % 100_000 === 0) tell(`${count + 1} changed texts, ${findings.length} findings`);
  }
  return findings;
}

const shortForms = [
  '.voyageStatus = NOM && old.voyageStatus = EST',
  'voyageStatus = "NOM" AND prev.daysLoading < daysLoading',
  "NOT (isTc OR vessel.vesselName <> 'x') AND -daysTotal * 1.5 <= old.daysTotal - 2",
  'estimatedVoyageStartDate >= "2026-01-01" AND ballastPort = NLRTM AND comments != null',
];
