// Evaluates the same expressions over the same objects here and in Java, and lists the differences.

import type { ObjectReader, TypedReader } from '../../src/input/object-shape.ts';
import { compiled, readerOf } from '../expression-fixture.ts';
import { runJava } from './java-program.ts';
import type { Twofold } from './random-expression.ts';
import type { ObjectPair } from './random-objects.ts';

export interface Comparison {
  readonly expressionCount: number;
  readonly pairCount: number;
  /** One sentence for each difference. */
  readonly differences: readonly string[];
  /** The number of evaluations that ended at our limits, which Java does not have. */
  readonly limitCount: number;
  /** The results in Java, with their number. */
  readonly answers: ReadonlyMap<string, number>;
}

export function compareWithJava(expressions: readonly Twofold[], pairs: readonly ObjectPair[]): Comparison {
  const inJava = runJava(
    expressions.map(({ java }) => java),
    pairs,
  );
  if (inJava.length !== expressions.length) throw new Error('Java did not evaluate every expression.');
  const compared = expressions.flatMap((expression, index) => compare(expression, inJava[index]!, pairs));
  const answers = new Map<string, number>();
  for (const answer of inJava.flat()) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  return {
    expressionCount: expressions.length,
    pairCount: pairs.length,
    differences: compared.filter(({ kind }) => kind === 'different').map(({ text }) => text),
    limitCount: compared.filter(({ kind }) => kind === 'limited').length,
    answers,
  };
}

export function renderComparison(what: string, { expressionCount, pairCount, ...found }: Comparison): string {
  const answers = [...found.answers].map(([answer, count]) => `${count} ${answer}`).join(', ');
  const limits = found.limitCount === 0 ? '' : ` ${found.limitCount} evaluations reached our limits.`;
  return (
    `${expressionCount} ${what} over ${pairCount} pairs of objects: ${found.differences.length} differences from ` +
    `Java.${limits} Results in Java: ${answers}.`
  );
}

interface Compared {
  kind: 'same' | 'different' | 'limited';
  text: string;
}

function compare({ ours, java }: Twofold, answers: readonly string[], pairs: readonly ObjectPair[]): Compared[] {
  const { evaluate } = compiled(ours);
  return pairs.map(({ row, old }, index) => {
    const [svcObject, oldSvcObject] = [readerOf(row), old && readerOf(old)];
    const changed = { changedObject: asVoyage(svcObject), oldChangedObject: oldSvcObject && asVoyage(oldSvcObject) };
    const outcome = evaluate({ svcObject, oldSvcObject, changed, nowMs: 0 });
    const answer = outcome.kind === 'error' ? outcome.exception : String(outcome.value);
    const text = `${ours}: ${answer}, in Java ${answers[index]} (${java})`;
    if (answer === 'LimitExceeded') return { kind: 'limited', text };
    return { kind: failureKind(answer) === failureKind(answers[index]!) ? 'same' : 'different', text };
  });
}

function asVoyage({ key, get }: ObjectReader): TypedReader {
  return { typeName: 'Voyage', key, get };
}

/** Treats the exceptions of lists, arrays and texts for an invalid index as one. */
function failureKind(answer: string): string {
  return answer.endsWith('IndexOutOfBoundsException') ? 'IndexOutOfBoundsException' : answer;
}
