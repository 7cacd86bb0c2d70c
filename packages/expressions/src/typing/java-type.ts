// The Java types that expressions support, and their relations: boxing, promotion, and method argument conversion.
// Object types of the model are types too, and carry the places that they are read from. The attributes to load thus
// remain known when a value passes through lists, streams and lambdas.

import type { ObjectShape } from '../input/object-shape.ts';
import type { ReadPlace } from './read-place.ts';

export type PrimitiveName = 'boolean' | 'char' | 'int' | 'long' | 'float' | 'double';
export type BoxedName = 'Boolean' | 'Character' | 'Integer' | 'Long' | 'Float' | 'Double';
export type PlainName =
  | 'String'
  | 'BigDecimal'
  | 'Date'
  | 'RoundingMode'
  | 'IntStream'
  | 'LongStream'
  | 'DoubleStream'
  | 'OptionalInt'
  | 'OptionalLong'
  | 'OptionalDouble';
export type GenericName = 'List' | 'Stream' | 'Optional' | 'Array';

export type JavaType =
  | { readonly kind: 'primitive'; readonly name: PrimitiveName }
  | { readonly kind: 'boxed'; readonly name: BoxedName }
  | { readonly kind: 'plain'; readonly name: PlainName }
  | { readonly kind: 'object'; readonly type: ObjectShape; readonly places: readonly ReadPlace[] }
  /** An object of one of several types. Its places have a place for each type (`placeOfType`). */
  | { readonly kind: 'oneOf'; readonly types: readonly ObjectShape[]; readonly places: readonly ReadPlace[] }
  | { readonly kind: 'generic'; readonly name: GenericName; readonly of: JavaType }
  | { readonly kind: 'null' }
  /** The type of a node with a reported mistake. It causes no further reports. */
  | { readonly kind: 'unknown' };

export const primitive = (name: PrimitiveName): JavaType => ({ kind: 'primitive', name });
export const boxed = (name: BoxedName): JavaType => ({ kind: 'boxed', name });
export const plain = (name: PlainName): JavaType => ({ kind: 'plain', name });
export const generic = (name: GenericName, of: JavaType): JavaType => ({ kind: 'generic', name, of });
export const nullType: JavaType = { kind: 'null' };
export const unknownType: JavaType = { kind: 'unknown' };
export const booleanType = primitive('boolean');
export const textType = plain('String');

/** The type in Java syntax. */
export function renderType(type: JavaType): string {
  switch (type.kind) {
    case 'object':
      return type.type.name;
    case 'oneOf':
      return 'Object';
    case 'generic':
      return type.name === 'Array' ? `${renderType(type.of)}[]` : `${type.name}<${renderType(type.of)}>`;
    case 'null':
      return 'null';
    case 'unknown':
      return '?';
    default:
      return type.name;
  }
}

/** The type with its article, such as `a Double` or `an int`, for a message. */
export function describeType(type: JavaType): string {
  const name = renderType(type);
  if (type.kind === 'null') return name;
  return `${/^[AEIOaeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The same, capitalized for the beginning of a sentence. */
export function describeFirst(type: JavaType): string {
  const described = describeType(type);
  return described.charAt(0).toUpperCase() + described.slice(1);
}

export function isSameType(left: JavaType, right: JavaType): boolean {
  if (left.kind === 'object') return right.kind === 'object' && left.type === right.type;
  if (left.kind === 'generic')
    return right.kind === 'generic' && left.name === right.name && isSameType(left.of, right.of);
  if (left.kind === 'null' || left.kind === 'unknown' || left.kind === 'oneOf') return left.kind === right.kind;
  return left.kind === right.kind && 'name' in right && left.name === right.name;
}

const boxes: Readonly<Record<PrimitiveName, BoxedName>> = {
  boolean: 'Boolean',
  char: 'Character',
  int: 'Integer',
  long: 'Long',
  float: 'Float',
  double: 'Double',
};

const unboxes = new Map(Object.entries(boxes).map(([name, box]) => [box, name as PrimitiveName]));

/** A primitive, its box, String, BigDecimal or Date. */
export function typeNamed(name: string): JavaType | undefined {
  if (Object.hasOwn(boxes, name)) return primitive(name as PrimitiveName);
  if (unboxes.has(name as BoxedName)) return boxed(name as BoxedName);
  return ['String', 'BigDecimal', 'Date'].includes(name) ? plain(name as PlainName) : undefined;
}

/** The box of a primitive; any other type is returned unchanged. */
export function boxOf(type: JavaType): JavaType {
  return type.kind === 'primitive' ? boxed(boxes[type.name]) : type;
}

/** The name of a primitive type, or of the primitive that a box contains. */
export function primitiveOf(type: JavaType): PrimitiveName | undefined {
  if (type.kind === 'primitive') return type.name;
  return type.kind === 'boxed' ? unboxes.get(type.name) : undefined;
}

export function numberOf(type: JavaType): Exclude<PrimitiveName, 'boolean'> | undefined {
  const name = primitiveOf(type);
  return name === 'boolean' ? undefined : name;
}

export function isBoolean(type: JavaType): boolean {
  return primitiveOf(type) === 'boolean';
}

export function isPlain(type: JavaType, name: PlainName): boolean {
  return type.kind === 'plain' && type.name === name;
}

export function isText(type: JavaType): boolean {
  return isPlain(type, 'String');
}

export function isReference(type: JavaType): boolean {
  return type.kind !== 'primitive';
}

export type ComputedName = 'int' | 'long' | 'float' | 'double';

/** Binary numeric promotion (JLS §5.6): the type in which two numbers are computed. */
export function promote(left: PrimitiveName, right: PrimitiveName): ComputedName {
  for (const name of ['double', 'float', 'long'] as const) if (left === name || right === name) return name;
  return 'int';
}

const widening: readonly PrimitiveName[] = ['char', 'int', 'long', 'float', 'double'];

export function widensTo(from: PrimitiveName, to: PrimitiveName): boolean {
  const rank = widening.indexOf(from);
  return from === to || (rank >= 0 && rank < widening.indexOf(to));
}

/** Whether a value can be passed without boxing (JLS §15.12.2.2). */
export function isStrictlyCompatible(from: JavaType, to: JavaType): boolean {
  if (from.kind === 'unknown' || to.kind === 'unknown') return true;
  if (from.kind === 'primitive' && to.kind === 'primitive') return widensTo(from.name, to.name);
  if (from.kind === 'null') return isReference(to);
  return isSameType(from, to);
}

/** Whether a value can be passed at all: with boxing, or with unboxing and widening (JLS §15.12.2.3). */
export function isLooselyCompatible(from: JavaType, to: JavaType): boolean {
  if (isStrictlyCompatible(from, to)) return true;
  if (from.kind === 'primitive') return isSameType(boxOf(from), to);
  const unboxed = primitiveOf(from);
  return unboxed !== undefined && to.kind === 'primitive' && widensTo(unboxed, to.name);
}

/** Whether one is an object that may have the type of the other. */
export function mayBeSameObject(left: JavaType, right: JavaType): boolean {
  if (left.kind === 'object' && right.kind === 'oneOf') return right.types.includes(left.type);
  return left.kind === 'oneOf' && right.kind === 'object' && left.types.includes(right.type);
}

/** Merges two equal types. The result has the read places of both. */
export function unite(left: JavaType, right: JavaType): JavaType {
  if (left.kind === 'object' && right.kind === 'object')
    return { ...left, places: [...new Set([...left.places, ...right.places])] };
  if (left.kind === 'oneOf' && right.kind === 'oneOf')
    return { ...left, places: [...new Set([...left.places, ...right.places])] };
  if (left.kind === 'generic' && right.kind === 'generic') return { ...left, of: unite(left.of, right.of) };
  return left;
}

/** The T of `List<T>` and the like, or the number type of a number stream or optional. */
export function elementOf({ receiver }: { receiver: JavaType }): JavaType {
  if (receiver.kind === 'generic') return receiver.of;
  return (receiver.kind === 'plain' && numberElements[receiver.name]) || unknownType;
}

const numberElements: Partial<Record<PlainName, JavaType>> = {
  IntStream: primitive('int'),
  LongStream: primitive('long'),
  DoubleStream: primitive('double'),
  OptionalInt: primitive('int'),
  OptionalLong: primitive('long'),
  OptionalDouble: primitive('double'),
};

/**
 * A stream must be consumed once, where it is created, so it is never an element. Inside a list or another stream it
 * could be consumed twice, which is an IllegalStateException in Java. It could also be consumed after the parameters
 * of the enclosing lambdas have changed.
 */
export function isStream(type: JavaType): boolean {
  return 'name' in type && type.name.endsWith('Stream');
}
