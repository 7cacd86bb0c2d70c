// Compiles getters, which convert a value from its JSON or database form to its Java form, and the most frequent
// conditions of filters: an attribute of svcObject or oldSvcObject compared with a constant text or number, or with
// null. Each of these becomes one closure instead of three, which takes half the time and a third of the memory
// (measured by `bench/matching/evaluate-cost.ts`).

import type { Checked } from '../check/checked-tree.ts';
import type { AttributeShape, ObjectReader, StoredValue, TypedReader } from '../input/object-shape.ts';
import { JavaFailure } from '../run/java-failure.ts';
import { type Long, wrapLong } from '../run/java-number.ts';
import { calledOnNull } from './compile-call.ts';
import { comparisons } from './compile-operators.ts';
import { type Frame, nullFailure, type Operand, type Run } from './frame.ts';

export function compileAttribute(
  { attribute: { name, kind }, isNullSafe, at }: Checked & { kind: 'attribute' },
  { run, subject }: Operand<ObjectReader>,
): Run {
  const read = readingOf(kind);
  return (frame) => {
    const object = run(frame);
    if (object === null) return onNull(name, subject, isNullSafe, at);
    return name === 'key' ? object.key : read(object.get(name));
  };
}

/** Stands for an object that does not exist, while a chain of getters is read. Outside of a chain it is null. */
export const absent: ObjectReader = { key: 0, get: () => null };

/** The same, if the object may be absent or have a type without the attribute. */
export function compileOptional(
  node: Checked & { kind: 'attribute' },
  { run, subject }: Operand<ObjectReader>,
  position: 'value' | 'receiver',
): Run {
  const { owners, isNullSafe, at } = node;
  const { name, kind } = node.attribute;
  const read = readingOf(kind);
  const missing = position === 'value' ? read(null) : absent;
  return (frame) => {
    const object = run(frame);
    if (object === null) return onNull(name, subject, isNullSafe, at);
    const isMissing = object === absent || (owners !== undefined && !owners.has((object as TypedReader).typeName));
    if (isMissing) return missing;
    return name === 'key' ? object.key : read(object.get(name));
  };
}

function onNull(name: string, subject: string, isNullSafe: boolean, at: number): null {
  if (isNullSafe) return null;
  throw new JavaFailure('NullPointerException', `${subject} is null, so "${name}" cannot be read`, at);
}

/** Compiles an attribute of svcObject or oldSvcObject, or a condition on one. Undefined for all other nodes. */
export function compileOwn(node: Checked): Run | undefined {
  switch (node.kind) {
    case 'attribute':
      return compileOwnAttribute(node);
    case 'call':
      return compileEquals(node);
    case 'compare':
      return compileCompare(node);
    case 'isNull':
      return compileIsNull(node);
    default:
      return undefined;
  }
}

/** An attribute of svcObject or oldSvcObject itself. Nearly every condition reads one. */
interface OwnAttribute {
  readonly isNew: boolean;
  readonly name: string;
  readonly at: number;
}

/** Undefined if the node is not an attribute of svcObject or oldSvcObject. */
function ownAttribute(node: Checked): OwnAttribute | undefined {
  if (node.kind !== 'attribute' || node.object.kind !== 'variable') return undefined;
  const { attribute, object, at } = node;
  if (object.variable !== 'new' && object.variable !== 'old') return undefined;
  return { isNew: object.variable === 'new', name: attribute.name, at };
}

/**
 * The stored value without conversion, which is sufficient for texts and for null checks. The attributes of an object
 * that does not exist, such as oldSvcObject on create, are null.
 */
function readOwn(frame: Frame, own: OwnAttribute): StoredValue {
  const object = own.isNew ? frame.svcObject : frame.oldSvcObject;
  if (object === null) return null;
  const value = own.name === 'key' ? object.key : object.get(own.name);
  return value === undefined ? null : value;
}

function compileOwnAttribute(node: Checked & { kind: 'attribute' }): Run | undefined {
  const own = ownAttribute(node);
  const read = readingOf(node.attribute.kind);
  return own && ((frame) => read(readOwn(frame, own)));
}

/** `svcObject.getVoyageStatus().equals("FIN")`. Nothing is charged: texts of different lengths differ immediately. */
function compileEquals({ receiver, method, args, at }: Checked & { kind: 'call' }): Run<boolean> | undefined {
  const own = receiver && isKind(receiver, ['text', 'code']) && ownAttribute(receiver);
  const [other] = args;
  if (!own || method.name !== 'equals' || other?.kind !== 'constant' || typeof other.value !== 'string')
    return undefined;
  const { value: text } = other;
  return (frame) => {
    const value = readOwn(frame, own);
    if (value === null) throw calledOnNull('equals', own.name, at);
    return value === text;
  };
}

/** `svcObject.getFreight() > 10000`, or `voyageStatus = NOM` in a short form. */
function compileCompare({ operator, left, right }: Checked & { kind: 'compare' }): Run<boolean> | undefined {
  const { type } = left;
  const isStrict = left.kind === 'nonNull';
  const node = isStrict ? left.operand : left;
  const own = ownAttribute(node);
  if (!own || right.kind !== 'constant' || right.value === null) return undefined;
  const compare = comparisons[operator];
  const { value: other } = right as { value: number };
  const isText = isKind(node, ['text', 'code']);
  if (!isText && !isKind(node, ['decimal', 'integer'])) return undefined;
  return (frame) => {
    const stored = readOwn(frame, own);
    const value = isText ? stored : readNumber(stored);
    if (value !== null) return compare(value as number, other);
    if (isStrict) throw nullFailure(own.name, type, own.at);
    return false;
  };
}

function compileIsNull({ operand, isNegated }: Checked & { kind: 'isNull' }): Run<boolean> | undefined {
  const own = ownAttribute(operand);
  // A collection is never null: if it was not loaded, it is empty.
  if (!own || isKind(operand, ['collection'])) return undefined;
  return (frame) => (readOwn(frame, own) === null) !== isNegated;
}

function isKind(node: Checked, kinds: readonly string[]): boolean {
  return node.kind === 'attribute' && kinds.includes(node.attribute.kind);
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

function readNumber(value: StoredValue): number | null {
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
