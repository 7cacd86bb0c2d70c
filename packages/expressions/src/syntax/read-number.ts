// Reads Java number literals: int, long, float and double, in decimal, hexadecimal, octal and binary, with underscores.
// A number that does not fit its type is a mistake, as in Java.

import { type Long, wrapLong } from '../run/java-number.ts';
import { ExpressionSyntaxError, type Span } from './mistake.ts';

export type NumberLiteral =
  | { type: 'int'; value: number; isOnlyNegated: boolean }
  | { type: 'long'; value: Long; isOnlyNegated: boolean }
  | { type: 'float' | 'double'; value: number; isOnlyNegated: false };

export function readNumber(text: string, span: Span): NumberLiteral {
  const whole = wholeForm.exec(text);
  if (whole) return readWhole(whole[1]!.replaceAll('_', ''), whole[2] !== undefined, span);
  const fraction = fractionForm.exec(text);
  // `09` matches the form of a fraction, but is neither a fraction nor a valid octal number.
  if (fraction && /[.eEfFdD]/.test(text))
    return readFraction(fraction[1]!.replaceAll('_', ''), fraction[2] ?? 'd', span);
  throw new ExpressionSyntaxError(span, `"${text.slice(0, 40)}" is not a Java number.`);
}

const wholeForm = /^(0[xX][\da-fA-F](?:_*[\da-fA-F])*|0[bB][01](?:_*[01])*|0(?:_*[0-7])*|[1-9](?:_*\d)*)([lL])?$/;

// No digit can match two parts of this pattern; otherwise a long run of digits would take quadratic time.
const fractionForm = /^((?:\d(?:_*\d)*(?:\.(?:\d(?:_*\d)*)?)?|\.\d(?:_*\d)*)(?:[eE][+-]?\d(?:_*\d)*)?)([fFdD])?$/;

function readWhole(digits: string, isLong: boolean, span: Span): NumberLiteral {
  const isDecimal = !digits.startsWith('0') || digits === '0';
  const isOctal = !isDecimal && /^0[0-7]/.test(digits);
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  const bits = isLong ? 64n : 32n;
  // A decimal int can be up to 2147483648, which is valid only after a minus. In the other bases all bits may be set.
  const limit = isDecimal ? 1n << (bits - 1n) : (1n << bits) - 1n;
  if (value > limit) throw new ExpressionSyntaxError(span, tooLarge(digits, isLong, value));
  const isOnlyNegated = isDecimal && value === limit;
  if (isLong) return { type: 'long', value: wrapLong(value), isOnlyNegated };
  return { type: 'int', value: Number(BigInt.asIntN(32, value)), isOnlyNegated };
}

function tooLarge(digits: string, isLong: boolean, value: bigint): string {
  const shown = digits.length > 24 ? `${digits.slice(0, 24)}…` : digits;
  if (isLong) return `${shown}L does not fit a long.`;
  return `${shown} does not fit an int.${value < 1n << 63n ? ` Write ${shown}L for a long.` : ''}`;
}

function readFraction(digits: string, suffix: string, span: Span): NumberLiteral {
  const isFloat = suffix === 'f' || suffix === 'F';
  const value = isFloat ? Math.fround(Number(digits)) : Number(digits);
  const type = isFloat ? 'float' : 'double';
  if (value === Number.POSITIVE_INFINITY)
    throw new ExpressionSyntaxError(span, `The number is too large for a ${type}.`);
  if (value === 0 && /[1-9]/.test(digits.replace(/[eE].*/, ''))) {
    throw new ExpressionSyntaxError(span, `The number is too small for a ${type}: it would be 0.`);
  }
  return { type, value, isOnlyNegated: false };
}
