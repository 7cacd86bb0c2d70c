// Defines a method: its name, parameters, result type and action. One table per receiver type lists all methods that
// can be called on it; there is no other way to call anything.

import type { BigDecimal } from '../run/big-decimal.ts';
import type { Long } from '../run/long-arithmetic.ts';
import type { Meter } from '../run/meter.ts';
import type { JavaType } from '../typing/java-type.ts';
import { booleanType, boxed, generic, plain, primitive, textType } from '../typing/java-type.ts';

export interface Method {
  readonly name: string;
  readonly takes: readonly Parameter[];
  /** Whether the last parameter takes any number of arguments. The action receives them as a list. */
  readonly isVariadic: boolean;
  /** For each parameter, whether its argument must not be null. */
  readonly isRequired: readonly boolean[];
  readonly answers: (types: CallTypes) => JavaType;
  /** The reason why a combination of types is not allowed, if the parameters alone cannot express it. */
  readonly refuses: (types: CallTypes) => string | undefined;
  /** The mistake in arguments that are constant, and so known when the expression is saved. */
  readonly checkConstants: (passed: readonly unknown[]) => string | undefined;
  readonly bind: (types: CallTypes) => Action;
}

/** A method that was chosen for a call and bound to the types of the call. */
export interface BoundMethod {
  readonly name: string;
  readonly run: Action;
  /** For each parameter, whether its argument must not be null. */
  readonly isRequired: readonly boolean[];
}

export interface CallTypes {
  readonly receiver: JavaType;
  /** The types of the arguments; for a lambda, the type of its result. */
  readonly passed: readonly JavaType[];
}

/** Takes the receiver, the arguments, and finally the meter to which long work is charged. */
export type Action = (self: unknown, ...rest: unknown[]) => unknown;

export type Parameter =
  | { readonly kind: 'value'; readonly type: JavaType; readonly isNullable: boolean }
  /** Java's Object: any boxed value, or null. */
  | { readonly kind: 'anything' }
  /** The element type of the receiver (T of `List<T>`). */
  | { readonly kind: 'element' }
  /** A lambda over the elements of the receiver. */
  | { readonly kind: 'lambda'; readonly answers: JavaType | 'anything' };

/** A parameter, with the JavaScript type of its values. */
export type Taking<V> = Parameter & { readonly arrivesAs?: V };
/** A result type, with the JavaScript type of its values. */
export type Answering<V> = JavaType & { readonly isAnsweredAs?: V };

const value = <V>(type: JavaType, isNullable = false): Taking<V> => ({ kind: 'value', type, isNullable });

export const takes = {
  boolean: value<boolean>(booleanType),
  char: value<number>(primitive('char')),
  int: value<number>(primitive('int')),
  long: value<Long>(primitive('long')),
  float: value<number>(primitive('float')),
  double: value<number>(primitive('double')),
  text: value<string>(textType),
  textOrNull: value<string | null>(textType, true),
  decimal: value<BigDecimal>(plain('BigDecimal')),
  rounding: value<string>(plain('RoundingMode')),
  /** Milliseconds since 1970. */
  date: value<Long>(plain('Date')),
  anything: { kind: 'anything' } as Taking<unknown>,
  /** Any number of values, in a variadic method. */
  many: { kind: 'anything' } as Taking<readonly unknown[]>,
  manyTexts: value<readonly (string | null)[]>(textType, true),
  element: { kind: 'element' } as Taking<unknown>,
  box: <V>(name: Parameters<typeof boxed>[0]): Taking<V> => value<V>(boxed(name)),
  texts: value<readonly (string | null)[]>(generic('List', textType)),
  textArray: value<readonly string[]>(generic('Array', textType)),
  lambda: <V>(answers: JavaType | 'anything'): Taking<(element: unknown) => V> => ({ kind: 'lambda', answers }),
};

export const answers = {
  boolean: booleanType as Answering<boolean>,
  char: primitive('char') as Answering<number>,
  int: primitive('int') as Answering<number>,
  long: primitive('long') as Answering<Long>,
  float: primitive('float') as Answering<number>,
  double: primitive('double') as Answering<number>,
  text: textType as Answering<string>,
  decimal: plain('BigDecimal') as Answering<BigDecimal>,
  texts: generic('Array', textType) as Answering<readonly string[]>,
  boxed: <V>(name: Parameters<typeof boxed>[0]) => boxed(name) as Answering<V>,
};

/** What an action takes after the receiver: the values of its parameters, and finally the meter. */
type Given<T extends readonly Taking<unknown>[]> = [...{ -readonly [I in keyof T]: Arriving<T[I]> }, Meter];
type Arriving<T> = T extends Taking<infer V> ? V : never;
/** A result type, or a function that derives it from the types of the call. */
type Answer<V> = Answering<V> | ((types: CallTypes) => JavaType);
type Checks = Partial<Pick<Method, 'isVariadic' | 'refuses' | 'checkConstants'>>;

/** Makes the rows of a table with receivers of type `Self`. TypeScript checks each action against its parameters. */
export function methodsOf<Self>() {
  return <const T extends readonly Taking<unknown>[], V>(
    name: string,
    parameters: T,
    answer: Answer<V>,
    run: (self: Self, ...given: Given<T>) => V,
    checks?: Checks,
  ): Method => method(name, parameters, answer, () => run as Action, checks);
}

/** The same, for actions that depend on the types of a call or keep state between its runs. */
export function methodsMadeFor<Self>() {
  return <const T extends readonly Taking<unknown>[], V>(
    name: string,
    parameters: T,
    answer: Answer<V>,
    make: (types: CallTypes) => (self: Self, ...given: Given<T>) => V,
    checks?: Checks,
  ): Method => method(name, parameters, answer, make as (types: CallTypes) => Action, checks);
}

function method(
  name: string,
  parameters: readonly Parameter[],
  answer: Answer<unknown>,
  bind: (types: CallTypes) => Action,
  checks: Checks = {},
): Method {
  const base = { isVariadic: false, refuses: () => undefined, checkConstants: () => undefined };
  const answers = typeof answer === 'function' ? answer : () => answer;
  return { ...base, name, takes: parameters, isRequired: parameters.map(isRequired), answers, bind, ...checks };
}

function isRequired(parameter: Parameter): boolean {
  return parameter.kind === 'value' && !parameter.isNullable && parameter.type.kind !== 'primitive';
}
