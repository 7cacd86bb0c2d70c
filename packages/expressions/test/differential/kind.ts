// The Java types of random expressions, by their names in templates.

import { boxed, generic, type JavaType, plain, primitive, renderType, textType } from '../../src/typing/java-type.ts';

const primitives = (['boolean', 'int', 'long', 'float', 'double', 'char'] as const).map(named(primitive));
const boxes = (['Boolean', 'Integer', 'Long', 'Float', 'Double', 'Character'] as const).map(named(boxed));
const plains = (
  [
    'String',
    'Date',
    'BigDecimal',
    'RoundingMode',
    'IntStream',
    'LongStream',
    'DoubleStream',
    'OptionalInt',
    'OptionalLong',
    'OptionalDouble',
  ] as const
).map(named(plain));
const ofTexts = [
  ['StringList', generic('List', textType)],
  ['StringStream', generic('Stream', textType)],
  ['StringOptional', generic('Optional', textType)],
  ['StringArray', generic('Array', textType)],
] as const;

function named<N extends string>(make: (name: N) => JavaType): (name: N) => readonly [N, JavaType] {
  return (name) => [name, make(name)];
}

/** The types that have methods in the tables. */
export const valueTypes = [...primitives, ...boxes, ...plains, ...ofTexts];

export type Kind = (typeof valueTypes)[number][0] | 'Voyage' | 'Vessel' | 'Port' | 'PortCall' | 'EventLog';

const kinds = new Map<string, Kind>(valueTypes.map(([kind, type]) => [renderType(type), kind]));

/** Undefined for types without templates. */
export function kindOf(type: JavaType): Kind | undefined {
  return kinds.get(renderType(type));
}
