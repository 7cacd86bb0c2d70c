// Java's long in JavaScript: a number where a double is exact, and a bigint beyond. Every value has exactly one of the
// two forms, so that `===` and `<` work on both. Ordinary numbers stay fast.

import { JavaFailure } from './java-failure.ts';

export type Long = number | bigint;

export function wrapLong(value: bigint): Long {
  const wrapped = BigInt.asIntN(64, value);
  return wrapped >= -largest && wrapped <= largest ? Number(wrapped) : wrapped;
}

const largest = BigInt(Number.MAX_SAFE_INTEGER);

export function addLong(left: Long, right: Long): Long {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (isExact(sum)) return sum;
  }
  return wrapLong(BigInt(left) + BigInt(right));
}

export function subtractLong(left: Long, right: Long): Long {
  if (typeof left === 'number' && typeof right === 'number') {
    const difference = left - right;
    if (isExact(difference)) return difference;
  }
  return wrapLong(BigInt(left) - BigInt(right));
}

export function multiplyLong(left: Long, right: Long): Long {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    if (isExact(product)) return product + 0;
  }
  return wrapLong(BigInt(left) * BigInt(right));
}

/** For exact numbers, the rounding error of `/` is less than the distance of the quotient to the next whole number. */
export function divideLong(left: Long, right: Long): Long {
  if (right === 0) throw new JavaFailure('ArithmeticException', 'division by zero');
  if (typeof left === 'number' && typeof right === 'number') return Math.trunc(left / right) + 0;
  return wrapLong(BigInt(left) / BigInt(right));
}

export function remainderLong(left: Long, right: Long): Long {
  if (right === 0) throw new JavaFailure('ArithmeticException', 'division by zero');
  if (typeof left === 'number' && typeof right === 'number') return (left % right) + 0;
  return wrapLong(BigInt(left) % BigInt(right));
}

export function negateLong(value: Long): Long {
  return typeof value === 'number' ? 0 - value : wrapLong(-value);
}

export function longToInt(value: Long): number {
  if (typeof value === 'number') return value | 0;
  return Number(BigInt.asIntN(32, value));
}

/** Java's cast: truncates, maps NaN to 0, and values out of range to the nearest long. */
export function doubleToLong(value: number): Long {
  const whole = Math.trunc(value);
  if (isExact(whole)) return whole + 0;
  if (Number.isNaN(value)) return 0;
  if (value >= 2 ** 63) return maxLong;
  return value <= -(2 ** 63) ? minLong : BigInt(whole);
}

export function doubleToInt(value: number): number {
  if (value >= 2147483647) return 2147483647;
  return value <= -2147483648 ? -2147483648 : value | 0;
}

export const maxLong: Long = 2n ** 63n - 1n;
export const minLong: Long = -(2n ** 63n);

function isExact(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;
}
