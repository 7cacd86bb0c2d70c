// What a receiver holds: the T of List<T> and Stream<T>, the number of a stream of numbers. Nothing holds a stream.

import { type JavaType, primitive, unknownType } from '../check/java-type.ts';

export function elementOf({ receiver }: { receiver: JavaType }): JavaType {
  if (receiver.kind === 'generic') return receiver.of;
  if (receiver.kind !== 'plain') return unknownType;
  switch (receiver.name) {
    case 'IntStream':
    case 'OptionalInt':
      return primitive('int');
    case 'LongStream':
    case 'OptionalLong':
      return primitive('long');
    case 'DoubleStream':
    case 'OptionalDouble':
      return primitive('double');
    default:
      return unknownType;
  }
}

/**
 * A stream is gone through once, where it is made: kept in a list or another stream, it could be gone through twice (an
 * IllegalStateException in Java), or after the parameters that its lambdas see have changed.
 */
export function isStream(type: JavaType): boolean {
  if (type.kind === 'generic') return type.name === 'Stream';
  return (
    type.kind === 'plain' && (type.name === 'IntStream' || type.name === 'LongStream' || type.name === 'DoubleStream')
  );
}
