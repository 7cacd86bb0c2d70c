// The objects of a database as one change has them, before it or after it: what expressions and bodies are made from.

import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';

export interface ObjectState {
  /** Undefined where the object is not there. One that nobody wanted to be loaded has its key and nothing else. */
  row(type: ObjectType, key: number): StoredRow | undefined;
  /** In their order: by sequence, else by key. */
  elements(collection: CollectionAttribute, ownerKey: number): readonly StoredRow[];
  /** The view leads to so many rows that not all of them were loaded: nothing made from it can be relied on. */
  isCutOff(view: View): boolean;
}
