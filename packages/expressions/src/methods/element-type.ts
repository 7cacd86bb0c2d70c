// The element type of a receiver: the T of List<T> and Stream<T>, or the number type of a number stream. A stream is
// never an element.

import { type JavaType, primitive, unknownType } from '../typing/java-type.ts';

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
 * A stream must be consumed once, where it is created. Inside a list or another stream it could be consumed twice,
 * which is an IllegalStateException in Java. It could also be consumed after the parameters of the enclosing lambdas
 * have changed.
 */
export function isStream(type: JavaType): boolean {
  if (type.kind === 'generic') return type.name === 'Stream';
  return (
    type.kind === 'plain' && (type.name === 'IntStream' || type.name === 'LongStream' || type.name === 'DoubleStream')
  );
}
