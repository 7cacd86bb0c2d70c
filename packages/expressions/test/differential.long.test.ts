// Compares random expressions over the same objects with real Java: the results or the failures must be the same. More
// of them are compared by `npm run endurance expressions`.

import { describe, expect, test } from 'vitest';
import { compileExpression } from '../src/compile-expression.ts';
import { type Comparison, compareWithJava, renderComparison } from './differential/compare-with-java.ts';
import { Dice } from './differential/dice.ts';
import { hasJdk } from './differential/java-program.ts';
import { randomExpressions } from './differential/random-expression.ts';
import { randomPair } from './differential/random-objects.ts';
import { randomPatternUse } from './differential/random-pattern.ts';
import { typeOf } from './expression-fixture.ts';

const seed = 20260115;

describe.runIf(hasJdk())('compared with Java', { timeout: 600_000 }, () => {
  test('EXP-28: 3,000 random expressions, with every method in the tables, have the same results in Java', () => {
    const dice = new Dice(seed);
    const pairs = Array.from({ length: 4 }, () => randomPair(dice));
    const comparison = compareWithJava(randomExpressions(dice, 3000), pairs);
    expect(report('expressions', comparison).slice(0, 20)).toEqual([]);
    expect(comparison.limitCount).toBeLessThan(100);
  });

  test('a thousand random patterns match the same texts in Java', () => {
    const dice = new Dice(seed);
    const uses = Array.from({ length: 1600 }, () => randomPatternUse(dice)).filter(isAccepted);
    expect(uses.length).toBeGreaterThan(1000);
    const both = uses.map((use) => ({ ours: use, java: use }));
    expect(report('patterns', compareWithJava(both, [{ row: { key: 1 }, old: null }]))).toEqual([]);
  });
});

test.runIf(!hasJdk())('the comparison with Java is skipped, because there is no JDK', () => {
  process.stdout.write('No javac was found, so expressions were not compared with Java.\n');
});

/** Some patterns use features that the engine lacks. */
function isAccepted(text: string): boolean {
  return compileExpression(text, typeOf('Voyage')).kind === 'compiled';
}

function report(what: string, comparison: Comparison): readonly string[] {
  process.stdout.write(`Seed ${seed}: ${renderComparison(what, comparison)}\n`);
  return comparison.differences;
}
