// The methods of Optional<T> and of the optional numbers.

import { JavaFailure } from '../run/java-failure.ts';
import { boxOf, elementOf, generic, isStream } from '../typing/java-type.ts';
import { type CallTypes, type Method, methodsOf, signatureTypes } from './method.ts';
import type { JavaOptional } from './value-class.ts';

const on = methodsOf<[JavaOptional]>();
const { boolean, element, lambda } = signatureTypes;
const sameOptional = ({ receiver }: CallTypes) => receiver;

const shared: readonly Method[] = [
  on('isPresent', [], boolean, ({ value }) => value !== null),
  on('isEmpty', [], boolean, ({ value }) => value === null),
  on('orElse', [element], elementOf, ({ value }, other) => value ?? other),
  on('orElseThrow', [], elementOf, contentOf),
];

export const optionalMethods: readonly Method[] = [
  ...shared,
  on('get', [], elementOf, contentOf),
  on('map', [lambda('anything')], ({ args: [to] }) => generic('Optional', boxOf(to!)), map, {
    checkTypes: ({ args: [to] }) => (isStream(to!) ? 'takes a lambda that returns a value, not a stream' : undefined),
  }),
  on('filter', [lambda(boolean)], sameOptional, filter),
];

export const optionalIntMethods: readonly Method[] = [...shared, on('getAsInt', [], elementOf, contentOf)];
export const optionalLongMethods: readonly Method[] = [...shared, on('getAsLong', [], elementOf, contentOf)];
export const optionalDoubleMethods: readonly Method[] = [...shared, on('getAsDouble', [], elementOf, contentOf)];

function contentOf({ value }: JavaOptional): unknown {
  if (value === null) throw new JavaFailure('NoSuchElementException', 'there is no value');
  return value;
}

function map({ value }: JavaOptional, change: (value: unknown) => unknown): JavaOptional {
  return { value: value === null ? null : change(value) };
}

function filter(self: JavaOptional, isWanted: (value: unknown) => boolean): JavaOptional {
  return self.value === null || isWanted(self.value) ? self : { value: null };
}
