// Java's numbers in JavaScript: arithmetic of longs, conversions between primitives, and comparisons.
// A long is a number if it is a safe integer, otherwise a bigint. Each value has exactly one of the two forms, so `===`
// and `<` also work between a number and a bigint. Ordinary numbers stay fast.

import type { ComputedName, PrimitiveName } from '../typing/java-type.ts';

export type Long = number | bigint;

export function wrapLong(value: bigint): Long {
  const wrapped = BigInt.asIntN(64, value);
  return wrapped >= -maxSafe && wrapped <= maxSafe ? Number(wrapped) : wrapped;
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
export const maxLong: Long = 2n ** 63n - 1n;
export const minLong: Long = -(2n ** 63n);

function isInSafeRange(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;
}

export const addLong = onLongs(
  (left, right) => left + right,
  (left, right) => left + right,
);
export const subtractLong = onLongs(
  (left, right) => left - right,
  (left, right) => left - right,
);
export const multiplyLong = onLongs(
  (left, right) => left * right,
  (left, right) => left * right,
);
/**
 * `Math.trunc(left / right)` is exact for safe integers: the rounding error of `/` is smaller than the distance from
 * the quotient to the next integer.
 */
export const divideLong = onLongs(
  (left, right) => Math.trunc(left / right),
  (left, right) => left / right,
);
export const remainderLong = onLongs(
  (left, right) => left % right,
  (left, right) => left % right,
);

function onLongs(
  compute: (left: number, right: number) => number,
  computeLarge: (left: bigint, right: bigint) => bigint,
): (left: Long, right: Long) => Long {
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') {
      const result = compute(left, right);
      // Adding 0 turns -0 into 0.
      if (isInSafeRange(result)) return result + 0;
    }
    return wrapLong(computeLarge(BigInt(left), BigInt(right)));
  };
}

export const negations: Readonly<Record<ComputedName, (value: Long) => Long>> = {
  int: (value) => -Number(value) | 0,
  long: (value) => subtractLong(0, value),
  float: (value) => -value,
  double: (value) => -value,
};

type Conversion = (value: Long) => Long;

/** The conversion that a widening or a cast performs; undefined if it leaves the value unchanged. */
export function changeOf(from: PrimitiveName, to: PrimitiveName): Conversion | undefined {
  return conversions[to][from];
}

const toFloat: Conversion = (value) => Math.fround(Number(value));

/** By target type, then by source type. */
const conversions: Readonly<Record<PrimitiveName, Partial<Record<PrimitiveName, Conversion>>>> = {
  double: { long: Number },
  float: { int: toFloat, long: toFloat, double: toFloat },
  long: { float: doubleToLong, double: doubleToLong },
  int: { long: longToInt, float: doubleToInt, double: doubleToInt },
  char: {
    int: longToChar,
    long: longToChar,
    float: (value) => longToChar(doubleToInt(value)),
    double: (value) => longToChar(doubleToInt(value)),
  },
  boolean: {},
};

export function longToInt(value: Long): number {
  return typeof value === 'number' ? value | 0 : Number(BigInt.asIntN(32, value));
}

function longToChar(value: Long): number {
  return longToInt(value) & 0xffff;
}

/** Java's cast: truncates, maps NaN to 0, and maps values out of range to the nearest long. */
export function doubleToLong(double: Long): Long {
  const value = Number(double);
  const whole = Math.trunc(value);
  if (isInSafeRange(whole)) return whole + 0;
  if (Number.isNaN(value)) return 0;
  if (value >= 2 ** 63) return maxLong;
  return value <= -(2 ** 63) ? minLong : BigInt(whole);
}

export function doubleToInt(double: Long): number {
  const value = Number(double);
  if (value >= 2147483647) return 2147483647;
  return value <= -2147483648 ? -2147483648 : value | 0;
}

export function compareNumbers(left: Long, right: Long): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Like `Double.compare`: -0.0 is less than 0.0, and NaN is greater than all other values. */
export function compareFractions(left: number, right: number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  if (Object.is(left, right)) return 0;
  if (Number.isNaN(left)) return 1;
  return Number.isNaN(right) || Object.is(right, 0) ? -1 : 1;
}
