// The instance and static methods of Boolean, Character, Integer, Long, Float and Double. A char is represented by the
// number of its UTF-16 unit.

import { addLong, changeOf, compareFractions, compareNumbers, type Long } from '../run/java-number.ts';
import { renderDouble, renderFloat } from '../run/java-text.ts';
import { equalsIgnoreCase, lowerCodePoint, upperCodePoint } from '../run/letter-case.ts';
import type { Meter } from '../run/meter.ts';
import { parseDouble, parseInteger, parseLong } from '../run/parse-number.ts';
import type { ComputedName } from '../typing/java-type.ts';
import { equalsMethod, type Method, methodsOf, parameters, returns } from './method.ts';

const { boolean, char, int, long, float, double, text, textOrNull, box } = parameters;
const onBoolean = methodsOf<[boolean]>();
const on = methodsOf<[number]>();
const onLong = methodsOf<[Long]>();
const onClass = methodsOf<[]>();

const itself = <V>(value: V): V => value;
const compareBooleans = (left: boolean, right: boolean) => Number(left) - Number(right);
const compareChars = (left: number, right: number) => left - right;
const isTrue = (written: string | null) => written !== null && equalsIgnoreCase(written, 'true');
const isInfinite = (value: number) => Math.abs(value) === Number.POSITIVE_INFINITY;
const parseAsFloat = (written: string, meter: Meter) => Math.fround(parseDouble(written, meter));

export const booleanMethods: readonly Method[] = [
  equalsMethod,
  onBoolean('booleanValue', [], returns.boolean, itself),
  onBoolean('compareTo', [box<boolean>('Boolean')], returns.int, compareBooleans),
  onBoolean('toString', [], returns.text, String),
  onBoolean('hashCode', [], returns.int, (self) => (self ? 1231 : 1237)),
];

export const booleanStatics: readonly Method[] = [
  onClass('valueOf', [boolean], returns.boxed<boolean>('Boolean'), itself),
  onClass('valueOf', [textOrNull], returns.boxed<boolean>('Boolean'), isTrue),
  onClass('parseBoolean', [textOrNull], returns.boolean, isTrue),
  onClass('toString', [boolean], returns.text, String),
  onClass('compare', [boolean, boolean], returns.int, compareBooleans),
];

export const characterMethods: readonly Method[] = [
  equalsMethod,
  on('charValue', [], returns.char, itself),
  on('compareTo', [box<number>('Character')], returns.int, compareChars),
  on('toString', [], returns.text, (self) => String.fromCharCode(self)),
  on('hashCode', [], returns.int, itself),
];

export const characterStatics: readonly Method[] = [
  onClass('isDigit', [char], returns.boolean, matching(/^\p{Nd}$/u)),
  onClass('isLetter', [char], returns.boolean, matching(/^\p{L}$/u)),
  onClass('isLetterOrDigit', [char], returns.boolean, matching(/^[\p{L}\p{Nd}]$/u)),
  onClass('isUpperCase', [char], returns.boolean, matching(/^\p{Uppercase}$/u)),
  onClass('isLowerCase', [char], returns.boolean, matching(/^\p{Lowercase}$/u)),
  onClass('isWhitespace', [char], returns.boolean, isWhitespace),
  onClass('toUpperCase', [char], returns.char, upperCodePoint),
  onClass('toLowerCase', [char], returns.char, lowerCodePoint),
  onClass('valueOf', [char], returns.boxed<number>('Character'), itself),
  onClass('toString', [char], returns.text, (unit) => String.fromCharCode(unit)),
  onClass('compare', [char, char], returns.int, compareChars),
];

function matching(pattern: RegExp): (unit: number) => boolean {
  return (unit) => pattern.test(String.fromCharCode(unit));
}

/** Character.isWhitespace: Unicode spaces except the non-breaking ones, and the ASCII control characters that count. */
export function isWhitespace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  if (unit === 0xa0 || unit === 0x2007 || unit === 0x202f) return false;
  return /^\p{Z}$/u.test(String.fromCharCode(unit));
}

export const integerMethods: readonly Method[] = [
  equalsMethod,
  ...conversionsOf('int'),
  on('compareTo', [box<number>('Integer')], returns.int, compareNumbers),
  on('toString', [], returns.text, String),
  on('hashCode', [], returns.int, itself),
];

export const integerStatics: readonly Method[] = [
  onClass('valueOf', [int], returns.boxed<number>('Integer'), itself),
  onClass('valueOf', [textOrNull], returns.boxed<number>('Integer'), parseInteger),
  onClass('parseInt', [textOrNull], returns.int, parseInteger),
  onClass('toString', [int], returns.text, String),
  onClass('compare', [int, int], returns.int, compareNumbers),
  onClass('max', [int, int], returns.int, (left, right) => Math.max(left, right)),
  onClass('min', [int, int], returns.int, (left, right) => Math.min(left, right)),
  onClass('sum', [int, int], returns.int, (left, right) => (left + right) | 0),
  onClass('signum', [int], returns.int, Math.sign),
];

export const longMethods: readonly Method[] = [
  equalsMethod,
  ...conversionsOf('long'),
  onLong('compareTo', [box<Long>('Long')], returns.int, compareNumbers),
  onLong('toString', [], returns.text, String),
  onLong('hashCode', [], returns.int, (self) => Number(BigInt.asIntN(32, BigInt(self) ^ (BigInt(self) >> 32n)))),
];

export const longStatics: readonly Method[] = [
  onClass('valueOf', [long], returns.boxed<Long>('Long'), itself),
  onClass('valueOf', [textOrNull], returns.boxed<Long>('Long'), parseLong),
  onClass('parseLong', [textOrNull], returns.long, parseLong),
  onClass('toString', [long], returns.text, String),
  onClass('compare', [long, long], returns.int, compareNumbers),
  onClass('max', [long, long], returns.long, (left, right) => (left > right ? left : right)),
  onClass('min', [long, long], returns.long, (left, right) => (left < right ? left : right)),
  onClass('sum', [long, long], returns.long, addLong),
  onClass('signum', [long], returns.int, (value) => compareNumbers(value, 0)),
];

export const floatMethods: readonly Method[] = [
  ...fractionMethods('float'),
  on('compareTo', [box<number>('Float')], returns.int, compareFractions),
  on('toString', [], returns.text, renderFloat),
];

export const floatStatics: readonly Method[] = [
  onClass('valueOf', [float], returns.boxed<number>('Float'), itself),
  onClass('valueOf', [text], returns.boxed<number>('Float'), parseAsFloat),
  onClass('parseFloat', [text], returns.float, parseAsFloat),
  onClass('compare', [float, float], returns.int, compareFractions),
];

export const doubleMethods: readonly Method[] = [
  ...fractionMethods('double'),
  on('compareTo', [box<number>('Double')], returns.int, compareFractions),
  on('toString', [], returns.text, renderDouble),
];

export const doubleStatics: readonly Method[] = [
  onClass('valueOf', [double], returns.boxed<number>('Double'), itself),
  onClass('valueOf', [text], returns.boxed<number>('Double'), parseDouble),
  onClass('parseDouble', [text], returns.double, parseDouble),
  onClass('toString', [double], returns.text, renderDouble),
  onClass('compare', [double, double], returns.int, compareFractions),
  onClass('isNaN', [double], returns.boolean, Number.isNaN),
  onClass('isInfinite', [double], returns.boolean, isInfinite),
  onClass('isFinite', [double], returns.boolean, Number.isFinite),
  onClass('max', [double, double], returns.double, (left, right) => Math.max(left, right)),
  onClass('min', [double, double], returns.double, (left, right) => Math.min(left, right)),
  onClass('sum', [double, double], returns.double, (left, right) => left + right),
];

function fractionMethods(name: 'float' | 'double'): readonly Method[] {
  return [
    equalsMethod,
    ...conversionsOf(name),
    on('isNaN', [], returns.boolean, Number.isNaN),
    on('isInfinite', [], returns.boolean, isInfinite),
  ];
}

/** `intValue`, `longValue`, `floatValue` and `doubleValue`. */
function conversionsOf(from: ComputedName): readonly Method[] {
  const names = ['int', 'long', 'float', 'double'] as const;
  return names.map((to) => onLong(`${to}Value`, [], () => returns[to], changeOf(from, to) ?? itself));
}
