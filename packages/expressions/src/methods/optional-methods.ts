// The methods of Optional<T> and of the optional numbers. An Optional is an object with a value, which is null if the
// Optional is empty.

import { JavaFailure } from '../run/java-failure.ts';
import { boxOf, generic, primitive } from '../typing/java-type.ts';
import { elementOf, isStream } from './element-type.ts';
import { type CallTypes, type Method, methodsOf, parameters, returns } from './method.ts';

interface Maybe {
  readonly value: unknown;
}

const on = methodsOf<Maybe>();
const { lambda, element } = parameters;
const sameOptional = ({ receiver }: CallTypes) => receiver;

const shared: readonly Method[] = [
  on('isPresent', [], returns.boolean, ({ value }) => value !== null),
  on('isEmpty', [], returns.boolean, ({ value }) => value === null),
  on('orElse', [element], elementOf, ({ value }, other) => value ?? other),
  on('orElseThrow', [], elementOf, contentOf),
];

export const optionalMethods: readonly Method[] = [
  ...shared,
  on('get', [], elementOf, contentOf),
  on('map', [lambda('anything')], ({ args: [to] }) => generic('Optional', boxOf(to!)), map, {
    checkTypes: ({ args: [to] }) => (isStream(to!) ? 'takes a lambda that returns a value, not a stream' : undefined),
  }),
  on('filter', [lambda<boolean>(primitive('boolean'))], sameOptional, filter),
];

export const optionalIntMethods: readonly Method[] = [...shared, on('getAsInt', [], elementOf, contentOf)];
export const optionalLongMethods: readonly Method[] = [...shared, on('getAsLong', [], elementOf, contentOf)];
export const optionalDoubleMethods: readonly Method[] = [...shared, on('getAsDouble', [], elementOf, contentOf)];

function contentOf({ value }: Maybe): unknown {
  if (value === null) throw new JavaFailure('NoSuchElementException', 'there is no value');
  return value;
}

function map({ value }: Maybe, change: (value: unknown) => unknown): Maybe {
  return { value: value === null ? null : change(value) };
}

function filter(self: Maybe, isWanted: (value: unknown) => boolean): Maybe {
  return self.value === null || isWanted(self.value) ? self : { value: null };
}
