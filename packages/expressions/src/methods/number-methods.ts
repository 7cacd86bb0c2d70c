// The instance and static methods of Integer, Long, Float and Double.

import { renderDouble, renderFloat } from '../run/java-text.ts';
import { addLong, doubleToInt, doubleToLong, type Long, longToInt } from '../run/long-arithmetic.ts';
import { parseDouble, parseInteger, parseLong } from '../run/parse-number.ts';
import type { BoxedName } from '../typing/java-type.ts';
import { equalsMethod } from './equality.ts';
import { answers, type Method, methodsOf, takes } from './method.ts';

const { int, long, float, double, text, textOrNull, box } = takes;
const onInteger = methodsOf<number>();
const onLong = methodsOf<Long>();
const onDouble = methodsOf<number>();
const onClass = methodsOf<null>();

export const integerMethods: readonly Method[] = [
  equalsMethod,
  onInteger('intValue', [], answers.int, (self) => self),
  onInteger('longValue', [], answers.long, (self) => self),
  onInteger('floatValue', [], answers.float, Math.fround),
  onInteger('doubleValue', [], answers.double, (self) => self),
  onInteger('compareTo', [box<number>('Integer')], answers.int, compareNumbers),
  onInteger('toString', [], answers.text, String),
  onInteger('hashCode', [], answers.int, (self) => self),
];

export const longMethods: readonly Method[] = [
  equalsMethod,
  onLong('intValue', [], answers.int, longToInt),
  onLong('longValue', [], answers.long, (self) => self),
  onLong('floatValue', [], answers.float, (self) => Math.fround(Number(self))),
  onLong('doubleValue', [], answers.double, Number),
  onLong('compareTo', [box<Long>('Long')], answers.int, compareNumbers),
  onLong('toString', [], answers.text, String),
  onLong('hashCode', [], answers.int, (self) => Number(BigInt.asIntN(32, BigInt(self) ^ (BigInt(self) >> 32n)))),
];

export const floatMethods = fractionMethods('Float', renderFloat);
export const doubleMethods = fractionMethods('Double', renderDouble);

function fractionMethods(name: BoxedName, render: (value: number) => string): readonly Method[] {
  return [
    equalsMethod,
    onDouble('intValue', [], answers.int, doubleToInt),
    onDouble('longValue', [], answers.long, doubleToLong),
    onDouble('floatValue', [], answers.float, Math.fround),
    onDouble('doubleValue', [], answers.double, (self) => self),
    onDouble('isNaN', [], answers.boolean, Number.isNaN),
    onDouble('isInfinite', [], answers.boolean, isInfinite),
    onDouble('compareTo', [box<number>(name)], answers.int, compareFractions),
    onDouble('toString', [], answers.text, render),
  ];
}

export const integerStatics: readonly Method[] = [
  onClass('valueOf', [int], answers.boxed<number>('Integer'), (_class, value) => value),
  onClass('valueOf', [textOrNull], answers.boxed<number>('Integer'), (_class, value) => parseInteger(value)),
  onClass('parseInt', [textOrNull], answers.int, (_class, value) => parseInteger(value)),
  onClass('toString', [int], answers.text, (_class, value) => String(value)),
  onClass('compare', [int, int], answers.int, (_class, left, right) => compareNumbers(left, right)),
  onClass('max', [int, int], answers.int, (_class, left, right) => Math.max(left, right)),
  onClass('min', [int, int], answers.int, (_class, left, right) => Math.min(left, right)),
  onClass('sum', [int, int], answers.int, (_class, left, right) => (left + right) | 0),
  onClass('signum', [int], answers.int, (_class, value) => Math.sign(value)),
];

export const longStatics: readonly Method[] = [
  onClass('valueOf', [long], answers.boxed<Long>('Long'), (_class, value) => value),
  onClass('valueOf', [textOrNull], answers.boxed<Long>('Long'), (_class, value) => parseLong(value)),
  onClass('parseLong', [textOrNull], answers.long, (_class, value) => parseLong(value)),
  onClass('toString', [long], answers.text, (_class, value) => String(value)),
  onClass('compare', [long, long], answers.int, (_class, left, right) => compareNumbers(left, right)),
  onClass('max', [long, long], answers.long, (_class, left, right) => (left > right ? left : right)),
  onClass('min', [long, long], answers.long, (_class, left, right) => (left < right ? left : right)),
  onClass('sum', [long, long], answers.long, (_class, left, right) => addLong(left, right)),
  onClass('signum', [long], answers.int, (_class, value) => compareNumbers(value, 0)),
];

export const floatStatics: readonly Method[] = [
  onClass('valueOf', [float], answers.boxed<number>('Float'), (_class, value) => value),
  onClass('valueOf', [text], answers.boxed<number>('Float'), (_class, value, meter) =>
    Math.fround(parseDouble(value, meter)),
  ),
  onClass('parseFloat', [text], answers.float, (_class, value, meter) => Math.fround(parseDouble(value, meter))),
  onClass('compare', [float, float], answers.int, (_class, left, right) => compareFractions(left, right)),
];

export const doubleStatics: readonly Method[] = [
  onClass('valueOf', [double], answers.boxed<number>('Double'), (_class, value) => value),
  onClass('valueOf', [text], answers.boxed<number>('Double'), (_class, value, meter) => parseDouble(value, meter)),
  onClass('parseDouble', [text], answers.double, (_class, value, meter) => parseDouble(value, meter)),
  onClass('toString', [double], answers.text, (_class, value) => renderDouble(value)),
  onClass('compare', [double, double], answers.int, (_class, left, right) => compareFractions(left, right)),
  onClass('isNaN', [double], answers.boolean, (_class, value) => Number.isNaN(value)),
  onClass('isInfinite', [double], answers.boolean, (_class, value) => isInfinite(value)),
  onClass('isFinite', [double], answers.boolean, (_class, value) => Number.isFinite(value)),
  onClass('max', [double, double], answers.double, (_class, left, right) => Math.max(left, right)),
  onClass('min', [double, double], answers.double, (_class, left, right) => Math.min(left, right)),
  onClass('sum', [double, double], answers.double, (_class, left, right) => left + right),
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
