// Java's BigDecimal: an unscaled integer and a scale, the number of its decimal places. Its size is limited, because a
// short literal such as 1E999999999 can stand for more digits than fit in memory.

import { JavaFailure } from './java-failure.ts';
import { type Long, wrapLong } from './java-number.ts';

export interface BigDecimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

export function bigDecimal(unscaled: bigint, scale = 0): BigDecimal {
  boundScale(scale);
  if (magnitude(unscaled) >= tooLarge) throw limitExceeded();
  return { unscaled, scale };
}

// Enough for the exact value of any double.
const digitsMax = 1200;
const tooLarge = 10n ** BigInt(digitsMax);

function boundScale(scale: number): void {
  if (Math.abs(scale) > digitsMax) throw limitExceeded();
}

function limitExceeded(): JavaFailure {
  return new JavaFailure('LimitExceeded', `the BigDecimal would have more than ${digitsMax} digits`);
}

/** Undefined if the text is not a number. */
export function parseDecimal(text: string): BigDecimal | undefined {
  const parts = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d{1,10}))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = parts[4] ?? '', , exponent = '0'] = parts;
  if (whole.length + fraction.length > digitsMax) throw limitExceeded();
  const unscaled = BigInt(whole + fraction);
  return bigDecimal(sign === '-' ? -unscaled : unscaled, fraction.length - Number(exponent));
}

/** The exact value of a double, like `new BigDecimal(0.1)`; undefined for NaN and the infinities. */
export function exactDecimal(value: number): BigDecimal | undefined {
  if (!Number.isFinite(value)) return undefined;
  let scaled = value;
  let halvings = 0;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    halvings++;
  }
  // value = scaled / 2^n = scaled · 5^n / 10^n. Multiplying by 2 is exact, even for the smallest doubles.
  const whole = BigInt(scaled);
  return bigDecimal(whole * 5n ** BigInt(halvings), halvings);
}

export function add(left: BigDecimal, right: BigDecimal): BigDecimal {
  const scale = Math.max(left.scale, right.scale);
  return bigDecimal(rescale(left, scale) + rescale(right, scale), scale);
}

export function negate({ unscaled, scale }: BigDecimal): BigDecimal {
  return { unscaled: -unscaled, scale };
}

export function multiply(left: BigDecimal, right: BigDecimal): BigDecimal {
  return bigDecimal(left.unscaled * right.unscaled, left.scale + right.scale);
}

export function compare(left: BigDecimal, right: BigDecimal): number {
  const scale = Math.max(left.scale, right.scale);
  const [a, b] = [rescale(left, scale), rescale(right, scale)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The exact quotient with the smallest scale that is at least the difference of the scales. Throws if none exists. */
export function divideExactly(left: BigDecimal, right: BigDecimal): BigDecimal {
  checkDivisor(right);
  const preferred = left.scale - right.scale;
  if (left.unscaled === 0n) return bigDecimal(0n, Math.max(-digitsMax, Math.min(digitsMax, preferred)));
  const divisor = right.unscaled / greatestCommonDivisor(left.unscaled, right.unscaled);
  const places = decimalPlaces(magnitude(divisor));
  if (places === undefined) {
    throw new JavaFailure(
      'ArithmeticException',
      'the exact quotient has infinitely many digits; divide with a scale and a RoundingMode',
    );
  }
  return bigDecimal((left.unscaled * 10n ** BigInt(places)) / right.unscaled, preferred + places);
}

export function divide(left: BigDecimal, right: BigDecimal, scale: number, rounding: Rounding): BigDecimal {
  checkDivisor(right);
  boundScale(scale);
  const shift = scale - (left.scale - right.scale);
  const numerator = shift > 0 ? left.unscaled * 10n ** BigInt(shift) : left.unscaled;
  const denominator = shift < 0 ? right.unscaled * 10n ** BigInt(-shift) : right.unscaled;
  return bigDecimal(divideRounded(numerator, denominator, rounding), scale);
}

export function withScale(value: BigDecimal, scale: number, rounding: Rounding): BigDecimal {
  boundScale(scale);
  if (scale >= value.scale) return bigDecimal(rescale(value, scale), scale);
  return bigDecimal(divideRounded(value.unscaled, 10n ** BigInt(value.scale - scale), rounding), scale);
}

export function stripZeros(value: BigDecimal): BigDecimal {
  if (value.unscaled === 0n) return { unscaled: 0n, scale: 0 };
  const digits = value.unscaled.toString();
  let zeros = 0;
  while (digits[digits.length - 1 - zeros] === '0') zeros++;
  return bigDecimal(value.unscaled / 10n ** BigInt(zeros), value.scale - zeros);
}

export function toDouble(value: BigDecimal): number {
  return Number(`${value.unscaled}e${-value.scale}`);
}

/** The whole part, truncated to 64 bits. */
export function toLong(value: BigDecimal): Long {
  return wrapLong(wholePart(value));
}

export function toInt(value: BigDecimal): number {
  return Number(BigInt.asIntN(32, wholePart(value)));
}

export function digitCount(unscaled: bigint): number {
  return magnitude(unscaled).toString().length;
}

/** Uses an exponent where Java does: if the scale is negative, or the exponent is less than -6. */
export function renderDecimal({ unscaled, scale }: BigDecimal): string {
  const digits = magnitude(unscaled).toString();
  const sign = unscaled < 0n ? '-' : '';
  const exponent = digits.length - 1 - scale;
  if (scale >= 0 && exponent >= -6) return sign + placePoint(digits, scale);
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return `${sign}${mantissa}${exponent === 0 ? '' : `E${exponent > 0 ? '+' : ''}${exponent}`}`;
}

export function renderPlainly({ unscaled, scale }: BigDecimal): string {
  const digits = magnitude(unscaled).toString();
  const sign = unscaled < 0n ? '-' : '';
  if (scale < 0) return unscaled === 0n ? '0' : sign + digits + '0'.repeat(-scale);
  return sign + placePoint(digits, scale);
}

function placePoint(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const padded = digits.padStart(scale + 1, '0');
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function rescale({ unscaled, scale }: BigDecimal, to: number): bigint {
  return unscaled * 10n ** BigInt(to - scale);
}

function wholePart({ unscaled, scale }: BigDecimal): bigint {
  return scale > 0 ? unscaled / 10n ** BigInt(scale) : unscaled * 10n ** BigInt(-scale);
}

function checkDivisor({ unscaled }: BigDecimal): void {
  if (unscaled === 0n) throw new JavaFailure('ArithmeticException', 'division by zero');
}

function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (remainder === 0n) return quotient;
  const isNegative = numerator < 0n !== denominator < 0n;
  const overHalf = 2n * magnitude(remainder) - magnitude(denominator);
  const isAway = roundingModes[rounding]({ isNegative, overHalf, isOdd: quotient % 2n !== 0n });
  return isAway ? quotient + (isNegative ? -1n : 1n) : quotient;
}

/** A quotient that is not exact. `overHalf` is positive if its fraction is over one half, and 0 if it is one half. */
interface Inexact {
  readonly isNegative: boolean;
  readonly overHalf: bigint;
  readonly isOdd: boolean;
}

/** For each mode, whether a quotient is rounded away from zero. */
export const roundingModes = {
  UP: () => true,
  DOWN: () => false,
  CEILING: ({ isNegative }: Inexact) => !isNegative,
  FLOOR: ({ isNegative }: Inexact) => isNegative,
  HALF_UP: ({ overHalf }: Inexact) => overHalf >= 0n,
  HALF_DOWN: ({ overHalf }: Inexact) => overHalf > 0n,
  HALF_EVEN: ({ overHalf, isOdd }: Inexact) => overHalf > 0n || (overHalf === 0n && isOdd),
  UNNECESSARY: (): boolean => {
    throw new JavaFailure('ArithmeticException', 'rounding is necessary');
  },
};

export type Rounding = keyof typeof roundingModes;

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The number of decimal places of 1/divisor; undefined if it is infinite. */
function decimalPlaces(divisor: bigint): number | undefined {
  let [rest, twos, fives] = [divisor, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [magnitude(left), magnitude(right)];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
