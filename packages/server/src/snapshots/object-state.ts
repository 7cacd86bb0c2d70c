// The objects of the database as they were before or after one change. Expressions and bodies are computed from this
// state.

import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';

export interface ObjectState {
  /** Undefined if the object does not exist in this state. If the object was not loaded, the row has only its key. */
  row(type: ObjectType, key: number): StoredRow | undefined;
  /** Ordered by sequence, or by key if the type has no sequence. */
  elements(collection: CollectionAttribute, ownerKey: number): readonly StoredRow[];
  /** The view leads to more rows than may be loaded, so nothing computed from it is reliable. */
  isCutOff(view: View): boolean;
}
