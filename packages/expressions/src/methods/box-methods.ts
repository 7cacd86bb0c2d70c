// The instance and static methods of Boolean, Character, Integer, Long, Float and Double. A char is represented by the
// number of its UTF-16 unit.

import { addLong, changeOf, compareFractions, compareNumbers, type Long } from '../run/java-number.ts';
import { renderDouble, renderFloat } from '../run/java-text.ts';
import { equalsIgnoreCase, lowerCodePoint, upperCodePoint } from '../run/letter-case.ts';
import type { Meter } from '../run/meter.ts';
import { parseDouble, parseInteger, parseLong } from '../run/parse-number.ts';
import type { ComputedName } from '../typing/java-type.ts';
import { equalsMethod, type Method, methodsOf, signatureTypes } from './method.ts';

const { boolean, box, char, double, float, int, long, text, textOrNull } = signatureTypes;
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
  onBoolean('booleanValue', [], boolean, itself),
  onBoolean('compareTo', [box<boolean>('Boolean')], int, compareBooleans),
  onBoolean('toString', [], text, String),
  onBoolean('hashCode', [], int, (self) => (self ? 1231 : 1237)),
];

export const booleanStatics: readonly Method[] = [
  onClass('valueOf', [boolean], box<boolean>('Boolean'), itself),
  onClass('valueOf', [textOrNull], box<boolean>('Boolean'), isTrue),
  onClass('parseBoolean', [textOrNull], boolean, isTrue),
  onClass('toString', [boolean], text, String),
  onClass('compare', [boolean, boolean], int, compareBooleans),
];

export const characterMethods: readonly Method[] = [
  equalsMethod,
  on('charValue', [], char, itself),
  on('compareTo', [box<number>('Character')], int, compareChars),
  on('toString', [], text, (self) => String.fromCharCode(self)),
  on('hashCode', [], int, itself),
];

export const characterStatics: readonly Method[] = [
  onClass('isDigit', [char], boolean, matching(/^\p{Nd}$/u)),
  onClass('isLetter', [char], boolean, matching(/^\p{L}$/u)),
  onClass('isLetterOrDigit', [char], boolean, matching(/^[\p{L}\p{Nd}]$/u)),
  onClass('isUpperCase', [char], boolean, matching(/^\p{Uppercase}$/u)),
  onClass('isLowerCase', [char], boolean, matching(/^\p{Lowercase}$/u)),
  onClass('isWhitespace', [char], boolean, isWhitespace),
  onClass('toUpperCase', [char], char, upperCodePoint),
  onClass('toLowerCase', [char], char, lowerCodePoint),
  onClass('valueOf', [char], box<number>('Character'), itself),
  onClass('toString', [char], text, (unit) => String.fromCharCode(unit)),
  onClass('compare', [char, char], int, compareChars),
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
  on('compareTo', [box<number>('Integer')], int, compareNumbers),
  on('toString', [], text, String),
  on('hashCode', [], int, itself),
];

export const integerStatics: readonly Method[] = [
  onClass('valueOf', [int], box<number>('Integer'), itself),
  onClass('valueOf', [textOrNull], box<number>('Integer'), parseInteger),
  onClass('parseInt', [textOrNull], int, parseInteger),
  onClass('toString', [int], text, String),
  onClass('compare', [int, int], int, compareNumbers),
  onClass('max', [int, int], int, (left, right) => Math.max(left, right)),
  onClass('min', [int, int], int, (left, right) => Math.min(left, right)),
  onClass('sum', [int, int], int, (left, right) => (left + right) | 0),
  onClass('signum', [int], int, Math.sign),
];

export const longMethods: readonly Method[] = [
  equalsMethod,
  ...conversionsOf('long'),
  onLong('compareTo', [box<Long>('Long')], int, compareNumbers),
  onLong('toString', [], text, String),
  onLong('hashCode', [], int, (self) => Number(BigInt.asIntN(32, BigInt(self) ^ (BigInt(self) >> 32n)))),
];

export const longStatics: readonly Method[] = [
  onClass('valueOf', [long], box<Long>('Long'), itself),
  onClass('valueOf', [textOrNull], box<Long>('Long'), parseLong),
  onClass('parseLong', [textOrNull], long, parseLong),
  onClass('toString', [long], text, String),
  onClass('compare', [long, long], int, compareNumbers),
  onClass('max', [long, long], long, (left, right) => (left > right ? left : right)),
  onClass('min', [long, long], long, (left, right) => (left < right ? left : right)),
  onClass('sum', [long, long], long, addLong),
  onClass('signum', [long], int, (value) => compareNumbers(value, 0)),
];

export const floatMethods: readonly Method[] = [
  ...fractionMethods('float'),
  on('compareTo', [box<number>('Float')], int, compareFractions),
  on('toString', [], text, renderFloat),
];

export const floatStatics: readonly Method[] = [
  onClass('valueOf', [float], box<number>('Float'), itself),
  onClass('valueOf', [text], box<number>('Float'), parseAsFloat),
  onClass('parseFloat', [text], float, parseAsFloat),
  onClass('compare', [float, float], int, compareFractions),
];

export const doubleMethods: readonly Method[] = [
  ...fractionMethods('double'),
  on('compareTo', [box<number>('Double')], int, compareFractions),
  on('toString', [], text, renderDouble),
];

export const doubleStatics: readonly Method[] = [
  onClass('valueOf', [double], box<number>('Double'), itself),
  onClass('valueOf', [text], box<number>('Double'), parseDouble),
  onClass('parseDouble', [text], double, parseDouble),
  onClass('toString', [double], text, renderDouble),
  onClass('compare', [double, double], int, compareFractions),
  onClass('isNaN', [double], boolean, Number.isNaN),
  onClass('isInfinite', [double], boolean, isInfinite),
  onClass('isFinite', [double], boolean, Number.isFinite),
  onClass('max', [double, double], double, (left, right) => Math.max(left, right)),
  onClass('min', [double, double], double, (left, right) => Math.min(left, right)),
  onClass('sum', [double, double], double, (left, right) => left + right),
];

function fractionMethods(name: 'float' | 'double'): readonly Method[] {
  return [
    equalsMethod,
    ...conversionsOf(name),
    on('isNaN', [], boolean, Number.isNaN),
    on('isInfinite', [], boolean, isInfinite),
  ];
}

/** `intValue`, `longValue`, `floatValue` and `doubleValue`. */
function conversionsOf(from: ComputedName): readonly Method[] {
  const names = ['int', 'long', 'float', 'double'] as const;
  return names.map((to) => onLong(`${to}Value`, [], () => signatureTypes[to].type, changeOf(from, to) ?? itself));
}
