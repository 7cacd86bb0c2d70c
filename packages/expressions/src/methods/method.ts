// Defines a method: its name, parameters, result type and action. One table per receiver type lists all methods that
// can be called on it; there is no other way to call anything.

import type { BigDecimal, Rounding } from '../run/big-decimal.ts';
import type { Long } from '../run/java-number.ts';
import type { Meter } from '../run/meter.ts';
import {
  type BoxedName,
  booleanType,
  boxed,
  generic,
  type JavaType,
  type PlainName,
  plain,
  primitive,
  textType,
} from '../typing/java-type.ts';
import { equalityOf, renderingOf } from './value-class.ts';

export interface Method {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Whether the last parameter takes any number of arguments. The action receives them as a list. */
  readonly isVariadic: boolean;
  /** For each parameter, whether its argument must not be null. */
  readonly isRequired: readonly boolean[];
  readonly returnType: (types: CallTypes) => JavaType;
  /** The reason why a combination of types is not allowed, if the parameters alone cannot express it. */
  readonly checkTypes: (types: CallTypes) => string | undefined;
  /** The mistake in arguments that are constant, and so known when the expression is saved. */
  readonly checkConstants: (args: readonly unknown[]) => string | undefined;
  readonly bind: (types: CallTypes) => Action;
}

/** A method that was chosen for a call, with the action for the types of the call. */
export interface BoundMethod extends Pick<Method, 'name' | 'isRequired'> {
  readonly run: Action;
}

export interface CallTypes {
  readonly receiver: JavaType;
  /** The types of the arguments; for a lambda, the type of its result. */
  readonly args: readonly JavaType[];
}

/** Takes the receiver if there is one, the arguments, and finally the meter to which long work is charged. */
export type Action = (...args: unknown[]) => unknown;

export type Parameter =
  | { readonly kind: 'value'; readonly type: JavaType; readonly isNullable: boolean }
  /** Java's Object: any boxed value, or null. */
  | { readonly kind: 'anything' }
  /** The element type of the receiver (T of `List<T>`). */
  | { readonly kind: 'element' }
  /** A lambda over the elements of the receiver. */
  | { readonly kind: 'lambda'; readonly returns: JavaType | 'anything' };

/** A parameter, with the JavaScript type of its values. */
export type TypedParameter<V> = Parameter & { readonly valueType?: V };
/** A type that parameters and results can have. */
export type ValueType<V> = Extract<Parameter, { kind: 'value' }> & { readonly valueType?: V };

function value<V>(type: JavaType, isNullable = false): ValueType<V> {
  return { kind: 'value', type, isNullable };
}

/** The types in the signatures of the tables. */
export const signatureTypes = {
  boolean: value<boolean>(booleanType),
  char: value<number>(primitive('char')),
  int: value<number>(primitive('int')),
  long: value<Long>(primitive('long')),
  float: value<number>(primitive('float')),
  double: value<number>(primitive('double')),
  box: <V>(name: BoxedName) => value<V>(boxed(name)),
  text: value<string>(textType),
  textOrNull: value<string | null>(textType, true),
  texts: value<readonly (string | null)[]>(generic('List', textType)),
  textArray: value<readonly string[]>(generic('Array', textType)),
  decimal: value<BigDecimal>(plain('BigDecimal')),
  rounding: value<Rounding>(plain('RoundingMode')),
  /** Milliseconds since 1970. */
  date: value<Long>(plain('Date')),
  optional: (name: PlainName) => value<{ value: Long | null }>(plain(name)),
  anything: { kind: 'anything' } as TypedParameter<unknown>,
  /** Any number of values or texts, in a variadic method. */
  many: { kind: 'anything' } as TypedParameter<readonly unknown[]>,
  manyTexts: value<readonly (string | null)[]>(textType, true),
  element: { kind: 'element' } as TypedParameter<unknown>,
  lambda: <V>(returns: ValueType<V> | 'anything'): TypedParameter<(element: unknown) => V> => ({
    kind: 'lambda',
    returns: returns === 'anything' ? returns : returns.type,
  }),
};

/** The arguments of an action: the receiver, unless the method is static, the values of its parameters, the meter. */
type Arguments<Self extends readonly unknown[], T extends readonly TypedParameter<unknown>[]> = [
  ...Self,
  ...{ -readonly [I in keyof T]: ValueOf<T[I]> },
  Meter,
];
type ValueOf<T> = T extends TypedParameter<infer V> ? V : never;
/** A result type, or a function that derives it from the types of the call. */
type Result<V> = ValueType<V> | ((types: CallTypes) => JavaType);
type Checks = Partial<Pick<Method, 'isVariadic' | 'checkTypes' | 'checkConstants'>>;

/** The action of a method, or a function that makes it for the types of a call. */
type Run<Args extends readonly unknown[], V> =
  | ((...args: Args) => V)
  | { readonly bind: (types: CallTypes) => (...args: Args) => V };

/**
 * Makes the rows of a table. `Self` is `[type of the receiver]`, or `[]` for static methods and constructors.
 * TypeScript checks each action against its parameters.
 */
export function methodsOf<Self extends readonly unknown[]>() {
  return <const T extends readonly TypedParameter<unknown>[], V>(
    name: string,
    parameters: T,
    result: Result<V>,
    run: Run<Arguments<Self, T>, V>,
    checks?: Checks,
  ): Method => ({
    isVariadic: false,
    checkTypes: () => undefined,
    checkConstants: () => undefined,
    name,
    parameters,
    isRequired: parameters.map(isRequired),
    returnType: typeof result === 'function' ? result : () => result.type,
    bind: (types) => (typeof run === 'function' ? run : run.bind(types)) as Action,
    ...checks,
  });
}

function isRequired(parameter: Parameter): boolean {
  return parameter.kind === 'value' && !parameter.isNullable && parameter.type.kind !== 'primitive';
}

const { anything, boolean } = signatureTypes;

/** The method `equals`, which every reference type has. */
export const equalsMethod = methodsOf<[unknown]>()('equals', [anything], boolean, {
  bind: ({ receiver, args: [other] }) => equalityOf(receiver, other!),
});

/** For methods that render their first argument as text. */
export const hasText: Checks = {
  checkTypes: ({ args: [type] }) => (renderingOf(type!) ? undefined : 'takes a value whose text form is defined'),
};
