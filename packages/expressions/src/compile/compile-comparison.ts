// Compiles comparisons. A null operand causes a NullPointerException in Java, and gives false in a short form.

import type { ComparisonOperator } from '../syntax/syntax-tree.ts';
import { nullFailure, type Operand, type Run } from './frame.ts';

/** Compares two numbers, booleans, texts or dates. JavaScript compares two values of one kind as Java does. */
export function compileComparison(
  operator: ComparisonOperator,
  left: Operand<number>,
  right: Operand<number>,
  isNullSafe: boolean,
): Run<boolean> {
  if (isNullSafe) return compareSafely(comparisons[operator], left.run, right.run);
  return compareAny(comparisons[operator], left, right);
}

type Comparison = (left: number, right: number) => boolean;

export const comparisons: Readonly<Record<ComparisonOperator, Comparison>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

function compareAny(compare: Comparison, left: Operand<number>, right: Operand<number>): Run<boolean> {
  const [runLeft, runRight] = [left.run, right.run];
  return (frame) => {
    const first = runLeft(frame);
    if (first === null) throw nullFailure(left, 'a value');
    const second = runRight(frame);
    if (second === null) throw nullFailure(right, 'a value');
    return compare(first, second);
  };
}

function compareSafely(compare: Comparison, left: Run<number | null>, right: Run<number | null>): Run<boolean> {
  return (frame) => {
    const first = left(frame);
    if (first === null) return false;
    const second = right(frame);
    return second !== null && compare(first, second);
  };
}
