// How a method is written down: its name, what it takes, what it answers and what it does. One table per receiver holds
// all that can be called on it; there is no other way to call anything.

import type { JavaType } from '../check/java-type.ts';
import { booleanType, boxed, generic, plain, primitive, textType } from '../check/java-type.ts';
import type { BigDecimal } from '../run/big-decimal.ts';
import type { Long } from '../run/long-arithmetic.ts';
import type { Meter } from '../run/meter.ts';

export interface Method {
  readonly name: string;
  readonly takes: readonly Parameter[];
  /** The last parameter stands for any number of them, which arrive as a list. */
  readonly isVariadic: boolean;
  /** Which arguments may not be null. */
  readonly isRequired: readonly boolean[];
  readonly answers: (types: CallTypes) => JavaType;
  /** Why these types do not go together, which the parameters alone cannot say. */
  readonly refuses: (types: CallTypes) => string | undefined;
  /** What is wrong with arguments that are known when the expression is saved. */
  readonly checkConstants: (passed: readonly unknown[]) => string | undefined;
  readonly bind: (types: CallTypes) => Action;
}

/** A method chosen for a call, its parts made for the types there. */
export interface BoundMethod {
  readonly name: string;
  readonly run: Action;
  /** Which arguments may not be null. */
  readonly isRequired: readonly boolean[];
}

export interface CallTypes {
  readonly receiver: JavaType;
  /** Of a lambda, what it answers. */
  readonly passed: readonly JavaType[];
}

/** Given the receiver, the arguments, and last the meter that long work is charged to. */
export type Action = (self: unknown, ...rest: unknown[]) => unknown;

export type Parameter =
  | { readonly kind: 'value'; readonly type: JavaType; readonly isNullable: boolean }
  /** Java's Object: any value, boxed, and null. */
  | { readonly kind: 'anything' }
  /** What the receiver holds (`List<T>`: T). */
  | { readonly kind: 'element' }
  /** A lambda over what the receiver holds. */
  | { readonly kind: 'lambda'; readonly answers: JavaType | 'anything' };

/** A parameter, with the JavaScript type in which its values arrive. */
export type Taking<V> = Parameter & { readonly arrivesAs?: V };
/** A type, with the JavaScript type in which its values are. */
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
  /** Any number of them, in a variadic method. */
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

/** What an action is given: the receiver, the values of its parameters, and last the meter. */
type Given<T extends readonly Taking<unknown>[]> = [...{ -readonly [I in keyof T]: Arriving<T[I]> }, Meter];
type Arriving<T> = T extends Taking<infer V> ? V : never;
/** A type, or how it follows from those of the call. */
type Answer<V> = Answering<V> | ((types: CallTypes) => JavaType);
type Checks = Partial<Pick<Method, 'isVariadic' | 'refuses' | 'checkConstants'>>;

/** Makes the rows of a table whose receiver arrives as `Self`; their actions are checked against their parameters. */
export function methodsOf<Self>() {
  return <const T extends readonly Taking<unknown>[], V>(
    name: string,
    parameters: T,
    answer: Answer<V>,
    run: (self: Self, ...given: Given<T>) => V,
    checks?: Checks,
  ): Method => method(name, parameters, answer, () => run as Action, checks);
}

/** The same for actions that depend on the types of a call, or keep something between its runs. */
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
