// Java's conversions between primitive numbers, by widening and by cast. Many do not change how a value is represented.

import type { PrimitiveName } from '../typing/java-type.ts';
import { doubleToInt, doubleToLong, type Long, longToInt } from './long-arithmetic.ts';

export type Change = (value: Long) => Long;

/** Undefined if the conversion leaves the value unchanged. */
export function changeOf(from: PrimitiveName, to: PrimitiveName): Change | undefined {
  if (from === to || from === 'boolean') return undefined;
  switch (to) {
    case 'double':
      return from === 'long' ? Number : undefined;
    case 'float':
      return from === 'char' ? undefined : (value) => Math.fround(Number(value));
    case 'long':
      return isFraction(from) ? (value) => doubleToLong(value as number) : undefined;
    case 'int':
      return toInt(from);
    default: {
      const change = toInt(from);
      return (value) => Number(change ? change(value) : value) & 0xffff;
    }
  }
}

function toInt(from: PrimitiveName): Change | undefined {
  if (from === 'long') return longToInt;
  return isFraction(from) ? (value) => doubleToInt(value as number) : undefined;
}

function isFraction(name: PrimitiveName): boolean {
  return name === 'float' || name === 'double';
}
