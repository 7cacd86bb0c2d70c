// The instance and static methods of Integer, Long, Float and Double.

import { renderDouble, renderFloat } from '../run/java-text.ts';
import { addLong, doubleToInt, doubleToLong, type Long, longToInt } from '../run/long-arithmetic.ts';
import { parseDouble, parseInteger, parseLong } from '../run/parse-number.ts';
import type { BoxedName } from '../typing/java-type.ts';
import { equalsMethod } from './equality.ts';
import { type Method, methodsOf, parameters, returns } from './method.ts';

const { int, long, float, double, text, textOrNull, box } = parameters;
const onInteger = methodsOf<number>();
const onLong = methodsOf<Long>();
const onDouble = methodsOf<number>();
const onClass = methodsOf<null>();

export const integerMethods: readonly Method[] = [
  equalsMethod,
  onInteger('intValue', [], returns.int, (self) => self),
  onInteger('longValue', [], returns.long, (self) => self),
  onInteger('floatValue', [], returns.float, Math.fround),
  onInteger('doubleValue', [], returns.double, (self) => self),
  onInteger('compareTo', [box<number>('Integer')], returns.int, compareNumbers),
  onInteger('toString', [], returns.text, String),
  onInteger('hashCode', [], returns.int, (self) => self),
];

export const longMethods: readonly Method[] = [
  equalsMethod,
  onLong('intValue', [], returns.int, longToInt),
  onLong('longValue', [], returns.long, (self) => self),
  onLong('floatValue', [], returns.float, (self) => Math.fround(Number(self))),
  onLong('doubleValue', [], returns.double, Number),
  onLong('compareTo', [box<Long>('Long')], returns.int, compareNumbers),
  onLong('toString', [], returns.text, String),
  onLong('hashCode', [], returns.int, (self) => Number(BigInt.asIntN(32, BigInt(self) ^ (BigInt(self) >> 32n)))),
];

export const floatMethods = fractionMethods('Float', renderFloat);
export const doubleMethods = fractionMethods('Double', renderDouble);

function fractionMethods(name: BoxedName, render: (value: number) => string): readonly Method[] {
  return [
    equalsMethod,
    onDouble('intValue', [], returns.int, doubleToInt),
    onDouble('longValue', [], returns.long, doubleToLong),
    onDouble('floatValue', [], returns.float, Math.fround),
    onDouble('doubleValue', [], returns.double, (self) => self),
    onDouble('isNaN', [], returns.boolean, Number.isNaN),
    onDouble('isInfinite', [], returns.boolean, isInfinite),
    onDouble('compareTo', [box<number>(name)], returns.int, compareFractions),
    onDouble('toString', [], returns.text, render),
  ];
}

export const integerStatics: readonly Method[] = [
  onClass('valueOf', [int], returns.boxed<number>('Integer'), (_class, value) => value),
  onClass('valueOf', [textOrNull], returns.boxed<number>('Integer'), (_class, value) => parseInteger(value)),
  onClass('parseInt', [textOrNull], returns.int, (_class, value) => parseInteger(value)),
  onClass('toString', [int], returns.text, (_class, value) => String(value)),
  onClass('compare', [int, int], returns.int, (_class, left, right) => compareNumbers(left, right)),
  onClass('max', [int, int], returns.int, (_class, left, right) => Math.max(left, right)),
  onClass('min', [int, int], returns.int, (_class, left, right) => Math.min(left, right)),
  onClass('sum', [int, int], returns.int, (_class, left, right) => (left + right) | 0),
  onClass('signum', [int], returns.int, (_class, value) => Math.sign(value)),
];

export const longStatics: readonly Method[] = [
  onClass('valueOf', [long], returns.boxed<Long>('Long'), (_class, value) => value),
  onClass('valueOf', [textOrNull], returns.boxed<Long>('Long'), (_class, value) => parseLong(value)),
  onClass('parseLong', [textOrNull], returns.long, (_class, value) => parseLong(value)),
  onClass('toString', [long], returns.text, (_class, value) => String(value)),
  onClass('compare', [long, long], returns.int, (_class, left, right) => compareNumbers(left, right)),
  onClass('max', [long, long], returns.long, (_class, left, right) => (left > right ? left : right)),
  onClass('min', [long, long], returns.long, (_class, left, right) => (left < right ? left : right)),
  onClass('sum', [long, long], returns.long, (_class, left, right) => addLong(left, right)),
  onClass('signum', [long], returns.int, (_class, value) => compareNumbers(value, 0)),
];

export const floatStatics: readonly Method[] = [
  onClass('valueOf', [float], returns.boxed<number>('Float'), (_class, value) => value),
  onClass('valueOf', [text], returns.boxed<number>('Float'), (_class, value, meter) =>
    Math.fround(parseDouble(value, meter)),
  ),
  onClass('parseFloat', [text], returns.float, (_class, value, meter) => Math.fround(parseDouble(value, meter))),
  onClass('compare', [float, float], returns.int, (_class, left, right) => compareFractions(left, right)),
];

export const doubleStatics: readonly Method[] = [
  onClass('valueOf', [double], returns.boxed<number>('Double'), (_class, value) => value),
  onClass('valueOf', [text], returns.boxed<number>('Double'), (_class, value, meter) => parseDouble(value, meter)),
  onClass('parseDouble', [text], returns.double, (_class, value, meter) => parseDouble(value, meter)),
  onClass('toString', [double], returns.text, (_class, value) => renderDouble(value)),
  onClass('compare', [double, double], returns.int, (_class, left, right) => compareFractions(left, right)),
  onClass('isNaN', [double], returns.boolean, (_class, value) => Number.isNaN(value)),
  onClass('isInfinite', [double], returns.boolean, (_class, value) => isInfinite(value)),
  onClass('isFinite', [double], returns.boolean, (_class, value) => Number.isFinite(value)),
  onClass('max', [double, double], returns.double, (_class, left, right) => Math.max(left, right)),
  onClass('min', [double, double], returns.double, (_class, left, right) => Math.min(left, right)),
  onClass('sum', [double, double], returns.double, (_class, left, right) => left + right),
];

export function compareNumbers(left: Long, right: Long): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Double.compare: -0.0 is less than 0.0, and NaN is greater than all other values. */
export function compareFractions(left: number, right: number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  if (Object.is(left, right)) return 0;
  if (Number.isNaN(left)) return 1;
  return Number.isNaN(right) || Object.is(right, 0) ? -1 : 1;
}

function isInfinite(value: number): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}
