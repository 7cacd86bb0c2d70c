// Equality in the sense of Java's `equals`: values of the same class by value, and objects of the model by key.

import type { ObjectReader } from '../input/object-reader.ts';
import type { BigDecimal } from '../run/big-decimal.ts';
import { type Meter, spend, spendText } from '../run/meter.ts';
import type { JavaType } from '../typing/java-type.ts';
import { boxOf } from '../typing/java-type.ts';
import { methodsByType, parameters, returns } from './method.ts';

/** Objects.equals: either value may be null. Comparing long texts is charged to the meter. */
export type Equality = (left: unknown, right: unknown, meter: Meter) => boolean;

export function equalityOf(left: JavaType, right: JavaType): Equality {
  const same = valueEquality(boxOf(left), boxOf(right));
  if (same === identity) return identity;
  return (a, b, meter) => (a === null || b === null ? a === b : same(a, b, meter));
}

const identity: Equality = (left, right) => left === right;

/** Non-null values of different classes are never equal, such as an Integer and a Long. Two nulls are equal. */
function valueEquality(left: JavaType, right: JavaType): Equality {
  if (left.kind === 'object' && right.kind === 'object' && left.type.name === right.type.name) return hasSameKey;
  if (left.kind === 'generic' && right.kind === 'generic') return genericEquality(left, right);
  if (left.kind === 'null' || right.kind === 'null') return identity;
  if (!('name' in left) || !('name' in right) || left.name !== right.name) return () => false;
  if (left.name === 'Double' || left.name === 'Float') return Object.is;
  if (left.name === 'String') return isSameText;
  return left.name === 'BigDecimal' ? hasSameDigits : identity;
}

function genericEquality(left: JavaType & { kind: 'generic' }, right: JavaType & { kind: 'generic' }): Equality {
  if (left.name !== right.name || left.name === 'Stream' || left.name === 'Array') return identity;
  const same = equalityOf(left.of, right.of);
  if (left.name === 'Optional')
    return (a, b, meter) => same((a as JavaOptional).value, (b as JavaOptional).value, meter);
  return (a, b, meter) => {
    const [some, others] = [a as readonly unknown[], b as readonly unknown[]];
    spend(meter, some.length);
    return some.length === others.length && some.every((element, index) => same(element, others[index], meter));
  };
}

/** A Java Optional: the value is null if it is empty. */
export interface JavaOptional {
  readonly value: unknown;
}

function isSameText(left: unknown, right: unknown, meter: Meter): boolean {
  const [one, other] = [left as string, right as string];
  if (one.length > shortText && one.length === other.length) spendText(meter, one.length);
  return one === other;
}

const shortText = 500;

function hasSameKey(left: unknown, right: unknown): boolean {
  return left === right || (left as ObjectReader).key === (right as ObjectReader).key;
}

/** In Java, 1.0 and 1.00 are not equal, although compareTo returns 0. */
function hasSameDigits(left: unknown, right: unknown): boolean {
  const [a, b] = [left as BigDecimal, right as BigDecimal];
  return a.unscaled === b.unscaled && a.scale === b.scale;
}

/** The method `equals`, which every reference type has. */
export const equalsMethod = methodsByType<unknown>()(
  'equals',
  [parameters.anything],
  returns.boolean,
  ({ receiver, args: [other] }) => equalityOf(receiver, other!),
);
