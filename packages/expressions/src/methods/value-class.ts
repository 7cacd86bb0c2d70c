// How Java compares the values of each class, orders them, and renders them as text.

import type { ObjectReader, TypedReader } from '../input/object-shape.ts';
import { type BigDecimal, compare, renderDecimal } from '../run/big-decimal.ts';
import { compareFractions, compareNumbers } from '../run/java-number.ts';
import { renderDouble, renderFloat } from '../run/java-text.ts';
import { compareTexts } from '../run/letter-case.ts';
import { type Meter, spend, spendText } from '../run/meter.ts';
import { type BoxedName, boxOf, type JavaType, type PlainName } from '../typing/java-type.ts';

interface ValueClass {
  /** Undefined if the text is not reliable, such as that of a Date, which depends on the time zone. */
  render?(value: unknown): string;
  /** The natural order. Undefined if the class has none. */
  compare?(left: unknown, right: unknown, meter: Meter): number;
  /** By default, `===`. */
  equals?(left: unknown, right: unknown, meter: Meter): boolean;
  /** Maps a value to a key for a JavaScript Set. Equal values have the same key. By default, the value itself. */
  identify?(value: unknown): unknown;
}

const whole: ValueClass = { render: String, compare: compareNumbers };
const fraction: ValueClass = {
  compare: compareFractions,
  equals: Object.is,
  identify: (value) => (Object.is(value, -0) ? '-0' : value),
};

const valueClasses: Partial<Readonly<Record<BoxedName | PlainName, ValueClass>>> = {
  Boolean: { render: String, compare: (left, right) => Number(left) - Number(right) },
  Character: { render: (unit: number) => String.fromCharCode(unit), compare: compareNumbers },
  Integer: whole,
  Long: whole,
  Float: { ...fraction, render: renderFloat },
  Double: { ...fraction, render: renderDouble },
  String: { render: String, compare: compareTextsMetered, equals: isSameText },
  BigDecimal: { render: renderDecimal, compare: compareDecimals, equals: hasSameDigits, identify: renderDecimal },
  Date: { compare: compareNumbers },
  RoundingMode: { render: String },
};

/** Objects of the model are identified by key. */
const modelObject: ValueClass = {
  equals: (left: ObjectReader, right: ObjectReader) => left.key === right.key,
  identify: ({ key }: ObjectReader) => key,
};

function classOf(type: JavaType): ValueClass {
  if (type.kind === 'object' || type.kind === 'oneOf') return modelObject;
  const box = boxOf(type);
  return (box.kind === 'boxed' || box.kind === 'plain' ? valueClasses[box.name] : undefined) ?? {};
}

/** The function that renders values of the type, or null; undefined for types whose text is not reliable. */
export function renderingOf(type: JavaType): ((value: unknown) => string) | undefined {
  if (type.kind === 'null') return String;
  const { render } = classOf(type);
  return render && ((value) => (value === null ? 'null' : render(value)));
}

/** Comparing long texts and numbers is charged to the meter. Undefined for types without a natural order. */
export function orderOf(type: JavaType): ((left: unknown, right: unknown, meter: Meter) => number) | undefined {
  return type.kind === 'unknown' ? () => 0 : classOf(type).compare;
}

/** Maps a value to a key for a JavaScript Set. Equal values have the same key. */
export function identityOf(type: JavaType): (value: unknown) => unknown {
  const { identify } = classOf(type);
  return (value) => (value === null || identify === undefined ? value : identify(value));
}

/** Either value may be null. Comparing long texts is charged to the meter. */
export type Equality = (left: unknown, right: unknown, meter: Meter) => boolean;

/** Objects.equals: values of the same class are compared by value, and objects of the model by key. */
export function equalityOf(left: JavaType, right: JavaType): Equality {
  const equals = valueEquality(boxOf(left), boxOf(right));
  if (equals === identity) return identity;
  return (a, b, meter) => (a === null || b === null ? a === b : equals(a, b, meter));
}

const identity: Equality = (left, right) => left === right;

/** Non-null values of different classes are never equal, such as an Integer and a Long. Two nulls are equal. */
function valueEquality(left: JavaType, right: JavaType): Equality {
  if (left.kind === 'null' || right.kind === 'null') return identity;
  if (left.kind === 'generic' && right.kind === 'generic') return genericEquality(left, right);
  if (isObject(left) && isObject(right)) return objectEquality(left, right);
  if (!('name' in left) || !('name' in right) || left.name !== right.name) return () => false;
  return classOf(left).equals ?? identity;
}

type ObjectType = JavaType & { kind: 'object' | 'oneOf' };

function isObject(type: JavaType): type is ObjectType {
  return type.kind === 'object' || type.kind === 'oneOf';
}

function objectEquality(left: ObjectType, right: ObjectType): Equality {
  if (left.kind === 'object' && right.kind === 'object')
    return left.type.name === right.type.name ? modelObject.equals! : () => false;
  const typeNameOf = (type: ObjectType, object: unknown) =>
    type.kind === 'object' ? type.type.name : (object as TypedReader).typeName;
  return (a, b, meter) => typeNameOf(left, a) === typeNameOf(right, b) && modelObject.equals!(a, b, meter);
}

function genericEquality(left: JavaType & { kind: 'generic' }, right: JavaType & { kind: 'generic' }): Equality {
  if (left.name !== right.name || left.name === 'Stream' || left.name === 'Array') return identity;
  const equals = equalityOf(left.of, right.of);
  if (left.name === 'Optional')
    return (a, b, meter) => equals((a as JavaOptional).value, (b as JavaOptional).value, meter);
  return (a, b, meter) => {
    const [some, others] = [a as readonly unknown[], b as readonly unknown[]];
    spend(meter, some.length);
    return some.length === others.length && some.every((element, index) => equals(element, others[index], meter));
  };
}

/** A Java Optional: the value is null if it is empty. */
export interface JavaOptional {
  readonly value: unknown;
}

function isSameText(left: string, right: string, meter: Meter): boolean {
  if (left.length > shortText && left.length === right.length) spendText(meter, left.length);
  return left === right;
}

const shortText = 500;

function compareTextsMetered(left: string, right: string, meter: Meter): number {
  spend(meter, Math.min(left.length, right.length) >> 1);
  return compareTexts(left, right);
}

function compareDecimals(left: BigDecimal, right: BigDecimal, meter: Meter): number {
  spend(meter, Math.abs(left.scale - right.scale) >> 3);
  return compare(left, right);
}

/** In Java, 1.0 and 1.00 are not equal, although compareTo returns 0. */
function hasSameDigits(left: BigDecimal, right: BigDecimal): boolean {
  return left.unscaled === right.unscaled && left.scale === right.scale;
}
