// What a request body asks for, checked against the model but not yet against the database: a tree of objects to create
// or change. `check-body.ts` makes it, `look-up.ts` asks what it depends on, `settle-change.ts` makes rows of it.

import type { JsonValue } from '../json/parse-json.ts';
import type { CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import type { StoredValue } from './check-scalar.ts';

export interface ObjectChange {
  type: ObjectType;
  /** Where it stands in the body: '' for the body itself, `portCalls[2]` for an element. */
  path: string;
  /** Undefined: a new object. */
  key: number | undefined;
  /** Column → value, of scalars and of references that are cleared. */
  columns: Map<string, StoredValue>;
  references: ReferenceChange[];
  collections: CollectionChange[];
  /** What was sent although the caller cannot set it: fine if it is what the object has. */
  echoes: Echo[];
  /** Objects that must be there although nothing refers to them. */
  expected: ExpectedObject[];
}

export interface ExpectedObject {
  type: ObjectType;
  key: number;
  /** The attribute that is wrong where it is not there. */
  path: string;
}

export interface ReferenceChange {
  attribute: ReferenceAttribute;
  path: string;
  target: { kind: 'key'; key: number } | { kind: 'code'; code: string };
  /** Attributes of the target that were sent along. */
  echoes: Echo[];
}

export interface CollectionChange {
  attribute: CollectionAttribute;
  path: string;
  elements: ObjectChange[];
}

export interface Echo {
  path: string;
  name: string;
  value: JsonValue;
}

/** The change and all changes inside it, owners first. */
export function* withElements(change: ObjectChange): Generator<ObjectChange> {
  yield change;
  for (const { elements } of change.collections) for (const element of elements) yield* withElements(element);
}
