// Compiles arithmetic and comparisons, in the type in which Java computes them. Ints and longs wrap around and fail on
// division by zero; floats are rounded after each operation. An operand is null only in a short form.

import { JavaFailure } from '../run/java-failure.ts';
import { addLong, divideLong, type Long, multiplyLong, remainderLong, subtractLong } from '../run/java-number.ts';
import type { ArithmeticOperator, ComparisonOperator, LogicalOperator } from '../syntax/syntax-tree.ts';
import type { ComputedName } from '../typing/java-type.ts';
import type { Run } from './frame.ts';

interface Operands<V> {
  readonly left: Run<V | null>;
  readonly right: Run<V | null>;
}

export function compileArithmetic(
  { operator, as, at }: { operator: ArithmeticOperator; as: ComputedName; at: number },
  { left, right }: Operands<Long>,
): Run<Long | null> {
  const compute = computations[as][operator] as (left: Long, right: Long) => Long;
  const failsOnZero = (as === 'int' || as === 'long') && (operator === '/' || operator === '%');
  return (frame) => {
    const first = left(frame);
    const second = right(frame);
    if (second === 0 && failsOnZero) throw new JavaFailure('ArithmeticException', 'division by zero', at);
    return first === null || second === null ? null : compute(first, second);
  };
}

type Computation = (left: number, right: number) => number;

const onDoubles: Readonly<Record<ArithmeticOperator, Computation>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

const rounded = (operator: ArithmeticOperator): Computation => {
  const compute = onDoubles[operator];
  return (left, right) => Math.fround(compute(left, right));
};

const computations = {
  int: {
    '+': (left: number, right: number) => (left + right) | 0,
    '-': (left: number, right: number) => (left - right) | 0,
    '*': Math.imul,
    '/': (left: number, right: number) => (left / right) | 0,
    '%': (left: number, right: number) => (left % right) | 0,
  },
  long: { '+': addLong, '-': subtractLong, '*': multiplyLong, '/': divideLong, '%': remainderLong },
  float: { '+': rounded('+'), '-': rounded('-'), '*': rounded('*'), '/': rounded('/'), '%': rounded('%') },
  double: onDoubles,
};

/** Compares two numbers, booleans, texts or dates. JavaScript compares two values of one kind as Java does. */
export function compileComparison(operator: ComparisonOperator, { left, right }: Operands<number>): Run<boolean> {
  const compare = comparisons[operator];
  return (frame) => {
    const first = left(frame);
    if (first === null) return false;
    const second = right(frame);
    return second !== null && compare(first, second);
  };
}

export const comparisons: Readonly<Record<ComparisonOperator, (left: number, right: number) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

/** Evaluates both sides, whatever the first one is. */
export function compileLogical(
  operator: LogicalOperator,
  { left, right }: { left: Run<boolean>; right: Run<boolean> },
): Run<boolean> {
  const combine = combinations[operator];
  return (frame) => {
    const first = left(frame);
    return combine(first, right(frame));
  };
}

const combinations: Readonly<Record<LogicalOperator, (left: boolean, right: boolean) => boolean>> = {
  '&': (left, right) => left && right,
  '^': (left, right) => left !== right,
  '|': (left, right) => left || right,
};
