// Compiles getters, which convert a value from its JSON or database form to its Java form.

import type { AttributeShape, ObjectReader, StoredValue } from '../input/object-shape.ts';
import { JavaFailure } from '../run/java-failure.ts';
import { type Long, wrapLong } from '../run/java-number.ts';
import type { Frame, Operand, Run } from './frame.ts';

interface AttributeNode {
  readonly attribute: AttributeShape;
  readonly isNullSafe: boolean;
  readonly at: number;
}

export function compileAttribute(
  { attribute: { name, kind }, isNullSafe, at }: AttributeNode,
  { run, subject }: Operand<ObjectReader>,
): Run {
  const read = readingOf(kind);
  return (frame) => {
    const object = run(frame);
    if (object === null) return onNull(name, subject, isNullSafe, at);
    return name === 'key' ? object.key : read(object.get(name));
  };
}

function onNull(name: string, subject: string, isNullSafe: boolean, at: number): null {
  if (isNullSafe) return null;
  throw new JavaFailure('NullPointerException', `${subject} is null, so "${name}" cannot be read`, at);
}

/** An attribute of svcObject or oldSvcObject itself. Nearly every condition reads one. */
export interface OwnAttribute {
  readonly isNew: boolean;
  readonly name: string;
  readonly isNullSafe: boolean;
  readonly at: number;
}

export function compileOwnAttribute(own: OwnAttribute, kind: AttributeShape['kind']): Run {
  const read = readingOf(kind);
  return (frame) => read(readOwn(frame, own));
}

/** The stored value without conversion, which is sufficient for texts and for null checks. */
export function readOwn(frame: Frame, own: OwnAttribute): StoredValue {
  const object = own.isNew ? frame.svcObject : frame.oldSvcObject;
  if (object === null) return onNull(own.name, 'oldSvcObject', own.isNullSafe, own.at);
  const value = own.name === 'key' ? object.key : object.get(own.name);
  return value === undefined ? null : value;
}

function readingOf(kind: AttributeShape['kind']): (value: StoredValue) => unknown {
  switch (kind) {
    case 'decimal':
    case 'integer':
      return readNumber;
    case 'key':
      return readLong;
    case 'dateTime':
      return readMoment;
    case 'collection':
      return (value) => value ?? none;
    default:
      return (value) => value ?? null;
  }
}

const none: readonly never[] = [];

export function readNumber(value: StoredValue): number | null {
  if (typeof value === 'number') return value;
  return value === null || value === undefined ? null : Number(value);
}

function readLong(value: StoredValue): Long | null {
  if (typeof value === 'number') return value;
  return value === null || value === undefined ? null : wrapLong(BigInt(value as string | bigint));
}

/** Reads milliseconds, or `yyyy-MM-ddTHH:mm:ss` in UTC. */
function readMoment(value: StoredValue): number | null {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return null;
  const text = String(value);
  return readPlainMoment(text) ?? Date.parse(/(?:Z|[+-]\d\d:?\d\d)$|^[^T]*$/.test(text) ? text : `${text}Z`);
}

/** Parses the stored form by hand, because Date.parse takes ten times as long. */
function readPlainMoment(text: string): number | undefined {
  const isPlain = text.length === 19 && text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':';
  const year = isPlain ? 100 * twoDigits(text, 0) + twoDigits(text, 2) : 0;
  // Date.UTC reads 99 as 1999.
  if (year < 100) return undefined;
  const month = twoDigits(text, 5) - 1;
  return Date.UTC(year, month, twoDigits(text, 8), twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17));
}

function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - 48) + text.charCodeAt(at + 1) - 48;
}
