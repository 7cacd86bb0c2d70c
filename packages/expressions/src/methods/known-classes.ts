// The complete list of what can be called: the methods of each type, and the classes with their static methods,
// constants and constructors. Anything else does not exist for an expression.

import { bigDecimal, roundingModes } from '../run/big-decimal.ts';
import { maxLong, minLong } from '../run/java-number.ts';
import {
  type BoxedName,
  boxed,
  type GenericName,
  type JavaType,
  type PlainName,
  plain,
  primitive,
  unknownType,
} from '../typing/java-type.ts';
import { bigDecimalConstructors, bigDecimalMethods, bigDecimalStatics } from './big-decimal-methods.ts';
import * as boxes from './box-methods.ts';
import { dateConstructors, dateMethods } from './date-methods.ts';
import { arraysStatics, listMethods, listStatics, streamStatics } from './list-methods.ts';
import { mathMethods } from './math-methods.ts';
import { equalsMethod, type Method } from './method.ts';
import { objectsMethods } from './objects-methods.ts';
import * as optionals from './optional-methods.ts';
import { patternMethods } from './pattern-methods.ts';
import { doubleStreamMethods, intStreamMethods, longStreamMethods, streamMethods } from './stream-methods.ts';
import { stringMethods, stringStatics } from './string-methods.ts';

export interface JavaClass {
  /** The simple name, such as `Math`. */
  readonly name: string;
  /** The qualified name, such as `java.lang.Math`. */
  readonly qualifiedName: string;
  readonly statics: readonly Method[];
  readonly constants: ReadonlyMap<string, { readonly type: JavaType; readonly value: unknown }>;
  readonly constructors: readonly Method[];
}

/** Finds a class by its simple name (`Math`) or its qualified name (`java.lang.Math`). */
export function findClass(name: string): JavaClass | undefined {
  return classes.get(name);
}

export function classNames(): string[] {
  return declared.map(({ name }) => name);
}

export function methodsOn(type: JavaType): readonly Method[] {
  if (type.kind === 'object' || type.kind === 'oneOf') return [equalsMethod];
  return 'name' in type && type.kind !== 'primitive' ? methodsByName[type.name] : [];
}

const methodsByName: Readonly<Record<BoxedName | PlainName | GenericName, readonly Method[]>> = {
  Boolean: boxes.booleanMethods,
  Character: boxes.characterMethods,
  Integer: boxes.integerMethods,
  Long: boxes.longMethods,
  Float: boxes.floatMethods,
  Double: boxes.doubleMethods,
  String: [...stringMethods, ...patternMethods],
  BigDecimal: bigDecimalMethods,
  Date: dateMethods,
  RoundingMode: [equalsMethod],
  IntStream: intStreamMethods,
  LongStream: longStreamMethods,
  DoubleStream: doubleStreamMethods,
  OptionalInt: optionals.optionalIntMethods,
  OptionalLong: optionals.optionalLongMethods,
  OptionalDouble: optionals.optionalDoubleMethods,
  List: listMethods,
  Stream: streamMethods,
  Optional: optionals.optionalMethods,
  Array: [],
};

const [int, long, float, double] = (['int', 'long', 'float', 'double'] as const).map(primitive);
const infinities = {
  POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
  NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
};

const declared: readonly JavaClass[] = [
  declare('java.lang.Math', { statics: mathMethods }, double, { PI: Math.PI, E: Math.E }),
  declare('java.lang.String', { statics: stringStatics }),
  declare('java.lang.Character', { statics: boxes.characterStatics }),
  declare('java.lang.Boolean', { statics: boxes.booleanStatics }, boxed('Boolean'), { TRUE: true, FALSE: false }),
  declare('java.lang.Integer', { statics: boxes.integerStatics }, int, {
    MAX_VALUE: 2147483647,
    MIN_VALUE: -2147483648,
  }),
  declare('java.lang.Long', { statics: boxes.longStatics }, long, { MAX_VALUE: maxLong, MIN_VALUE: minLong }),
  declare('java.lang.Float', { statics: boxes.floatStatics }, float, {
    MAX_VALUE: 3.4028234663852886e38,
    MIN_VALUE: 2 ** -149,
    ...infinities,
  }),
  declare('java.lang.Double', { statics: boxes.doubleStatics }, double, {
    MAX_VALUE: Number.MAX_VALUE,
    MIN_VALUE: Number.MIN_VALUE,
    ...infinities,
  }),
  declare(
    'java.math.BigDecimal',
    { statics: bigDecimalStatics, constructors: bigDecimalConstructors },
    plain('BigDecimal'),
    { ZERO: bigDecimal(0n), ONE: bigDecimal(1n), TEN: bigDecimal(10n) },
  ),
  declare(
    'java.math.RoundingMode',
    {},
    plain('RoundingMode'),
    Object.fromEntries(Object.keys(roundingModes).map((name) => [name, name])),
  ),
  declare('java.util.Date', { constructors: dateConstructors }),
  declare('java.util.Objects', { statics: objectsMethods }),
  declare('java.util.List', { statics: listStatics }),
  declare('java.util.Arrays', { statics: arraysStatics }),
  declare('java.util.stream.Stream', { statics: streamStatics }),
];

const classes = new Map(
  declared.flatMap((known) => [known.name, known.qualifiedName].map((name) => [name, known] as const)),
);

function declare(
  qualifiedName: string,
  parts: Partial<Pick<JavaClass, 'statics' | 'constructors'>>,
  type: JavaType = unknownType,
  constants: Record<string, unknown> = {},
): JavaClass {
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  const typed = Object.entries(constants).map(([key, value]) => [key, { type, value }] as const);
  return { statics: [], constructors: [], ...parts, name, qualifiedName, constants: new Map(typed) };
}
