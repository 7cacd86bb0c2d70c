// Compiles arithmetic in the type in which Java computes it. Ints and longs wrap around and fail on division by zero;
// floats are rounded after each operation.

import { JavaFailure } from '../run/java-failure.ts';
import {
  addLong,
  divideLong,
  type Long,
  multiplyLong,
  negateLong,
  remainderLong,
  subtractLong,
} from '../run/long-arithmetic.ts';
import type { ArithmeticOperator } from '../syntax/syntax-tree.ts';
import type { ComputedName } from '../typing/java-type.ts';
import { nullFailure, type Operand, type Run } from './frame.ts';

type Compute = (left: Long, right: Long) => Long;

export function compileArithmetic(
  operator: ArithmeticOperator,
  as: ComputedName,
  left: Operand<Long>,
  right: Operand<Long>,
  { isNullSafe, at }: { isNullSafe: boolean; at: number },
): Run<Long | null> {
  const compute = computations[as](operator);
  const [runLeft, runRight] = [left.run, right.run];
  const refusesZero = (as === 'int' || as === 'long') && (operator === '/' || operator === '%');
  return (frame) => {
    const first = runLeft(frame);
    if (first === null && !isNullSafe) throw nullFailure(left, 'a number');
    const second = runRight(frame);
    if (second === null && !isNullSafe) throw nullFailure(right, 'a number');
    if (second === 0 && refusesZero) throw new JavaFailure('ArithmeticException', 'division by zero', at);
    return first === null || second === null ? null : compute(first, second);
  };
}

export function compileNegation(as: ComputedName, operand: Operand<Long>, isNullSafe: boolean): Run<Long | null> {
  const { run } = operand;
  const negate = negations[as];
  return (frame) => {
    const value = run(frame);
    if (value !== null) return negate(value);
    if (isNullSafe) return null;
    throw nullFailure(operand, 'a number');
  };
}

const negations: Readonly<Record<ComputedName, (value: Long) => Long>> = {
  int: (value) => -(value as number) | 0,
  long: negateLong,
  float: (value) => -value,
  double: (value) => -value,
};

const computations: Readonly<Record<ComputedName, (operator: ArithmeticOperator) => Compute>> = {
  int: (operator) => onNumbers(intComputations[operator]),
  long: (operator) => longComputations[operator],
  float: (operator) => onNumbers((left, right) => Math.fround(doubleComputations[operator](left, right))),
  double: (operator) => onNumbers(doubleComputations[operator]),
};

type OnNumbers = (left: number, right: number) => number;

function onNumbers(compute: OnNumbers): Compute {
  return compute as Compute;
}

const intComputations: Readonly<Record<ArithmeticOperator, OnNumbers>> = {
  '+': (left, right) => (left + right) | 0,
  '-': (left, right) => (left - right) | 0,
  '*': Math.imul,
  '/': (left, right) => (left / right) | 0,
  '%': (left, right) => (left % right) | 0,
};

const longComputations: Readonly<Record<ArithmeticOperator, Compute>> = {
  '+': addLong,
  '-': subtractLong,
  '*': multiplyLong,
  '/': divideLong,
  '%': remainderLong,
};

const doubleComputations: Readonly<Record<ArithmeticOperator, OnNumbers>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};
