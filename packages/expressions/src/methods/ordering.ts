// The natural order of values (Comparable), and their identity in a set.

import type { ObjectReader } from '../input/object-reader.ts';
import { type BigDecimal, compare, renderDecimal } from '../run/big-decimal.ts';
import { compareTexts } from '../run/letter-case.ts';
import type { Long } from '../run/long-arithmetic.ts';
import { type Meter, spend } from '../run/meter.ts';
import type { JavaType } from '../typing/java-type.ts';
import { compareFractions, compareNumbers } from './number-methods.ts';

/** Comparing long texts and numbers is charged to the meter. */
export type Order = (left: unknown, right: unknown, meter: Meter) => number;

/** Undefined for types without a natural order. */
export function orderOf(type: JavaType): Order | undefined {
  if (type.kind === 'unknown') return () => 0;
  if (type.kind !== 'boxed' && type.kind !== 'plain' && type.kind !== 'primitive') return undefined;
  switch (type.name) {
    case 'Double':
    case 'Float':
    case 'double':
    case 'float':
      return (left, right) => compareFractions(left as number, right as number);
    case 'String':
      return (left, right, meter) => {
        const [one, other] = [left as string, right as string];
        spend(meter, Math.min(one.length, other.length) >> 1);
        return compareTexts(one, other);
      };
    case 'BigDecimal':
      return (left, right, meter) => {
        const [one, other] = [left as BigDecimal, right as BigDecimal];
        spend(meter, Math.abs(one.scale - other.scale) >> 3);
        return compare(one, other);
      };
    case 'Boolean':
    case 'boolean':
      return (left, right) => Number(left) - Number(right);
    case 'Integer':
    case 'Long':
    case 'Character':
    case 'Date':
    case 'int':
    case 'long':
    case 'char':
      return (left, right) => compareNumbers(left as Long, right as Long);
    default:
      return undefined;
  }
}

/** Maps a value to a key for a JavaScript Set. Equal values have the same key. */
export function identityOf(type: JavaType): (value: unknown) => unknown {
  if (type.kind === 'object') return (value) => (value === null ? null : (value as ObjectReader).key);
  if (type.kind !== 'boxed' && type.kind !== 'plain') return (value) => value;
  switch (type.name) {
    case 'Double':
    case 'Float':
      return (value) => (Object.is(value, -0) ? '-0' : value);
    case 'BigDecimal':
      return (value) => (value === null ? null : renderDecimal(value as BigDecimal));
    default:
      return (value) => value;
  }
}
