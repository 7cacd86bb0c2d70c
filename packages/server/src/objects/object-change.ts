// A checked request body: a tree of objects to create or change. It was checked against the model, not yet against the
// database. `check-body.ts` makes it, `look-up.ts` queries what it depends on, `resolve-changes.ts` turns it into rows.

import type { JsonValue } from '../json/parse-json.ts';
import type { CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import type { StoredValue } from './check-scalar.ts';

export interface ObjectChange {
  type: ObjectType;
  /** The path in the body: '' for the body itself, `portCalls[2]` for an element. */
  path: string;
  /** Undefined: a new object. */
  key: number | undefined;
  /** Column → value, for scalars and for references that are cleared. */
  columns: Map<string, StoredValue>;
  references: ReferenceChange[];
  collections: CollectionChange[];
  /** Values sent back that the caller cannot set. Each must equal the value of the object. */
  sentBack: SentBack[];
  /** Objects that must exist although no reference points to them. */
  expected: ExpectedObject[];
  /** Columns whose values another object of the same user has, which this one replaces. */
  carriedOver?: ReadonlySet<string> | undefined;
}

export interface ExpectedObject {
  type: ObjectType;
  key: number;
  /** The attribute to report if the object does not exist. */
  path: string;
}

export interface ReferenceChange {
  attribute: ReferenceAttribute;
  path: string;
  target: { kind: 'key'; key: number } | { kind: 'code'; code: string };
  /** Attributes of the target that were sent with the reference. */
  sentBack: SentBack[];
}

export interface CollectionChange {
  attribute: CollectionAttribute;
  path: string;
  elements: ObjectChange[];
}

export interface SentBack {
  path: string;
  name: string;
  value: JsonValue;
}

/** The change and all changes inside it, owners first. */
export function* withElements(change: ObjectChange): Generator<ObjectChange> {
  yield change;
  for (const { elements } of change.collections) for (const element of elements) yield* withElements(element);
}

/** Returns a copy: the given change is used again if the transaction runs again after a deadlock. */
export function withColumns(change: ObjectChange, columns: ReadonlyMap<string, StoredValue> | undefined): ObjectChange {
  return columns === undefined ? change : { ...change, columns: new Map([...change.columns, ...columns]) };
}

/** The value that a column will have after a change. `current` is undefined for a new object. */
export function valueAfter(
  sent: ReadonlyMap<string, StoredValue>,
  current: ReadonlyMap<string, StoredValue> | undefined,
  column: string,
): StoredValue {
  return (sent.has(column) ? sent.get(column) : current?.get(column)) ?? null;
}
