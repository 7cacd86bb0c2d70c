// Creates one object that depends on nothing else: the statement that inserts it also renders it, so that the create
// takes one round trip. The database gives it its key.

import type { Statement } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { objectBound, shortObjectBound } from '../query/answer-size.ts';
import { compileReadInserted, insertedReaders } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import type { ObjectChange } from './object-change.ts';
import { insertObject } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';
import type { NewObjects } from './type-rules.ts';

/** Undefined if something must be looked up or locked before the object is written, or written after it. */
export function onlyPlainChange({ objects, inTransaction }: NewObjects): ObjectChange | undefined {
  const [first, ...others] = objects;
  return first && others.length === 0 && !inTransaction && isPlain(first.change) ? first.change : undefined;
}

function isPlain({ type, references, collections, sentBack, expected }: ObjectChange): boolean {
  const dependsOn = references.length + collections.length + sentBack.length + expected.length;
  return dependsOn === 0 && !type.ownedBy && !type.scalars.some(({ isObjectKey }) => isObjectKey);
}

/** Returns a row with `key`, `object` and `state`. */
export function createAndRead(change: ObjectChange, view: View, context: ObjectsContext, isLong: boolean): Statement {
  const { model, links } = context;
  const bound = isLong ? objectBound : shortObjectBound;
  const read = entryOf(isLong ? compiledLong : compiledShort, view, () => compileReadInserted(view, links, bound));
  const statement = insertObject(model.types.get(change.type.name)!, change.columns, read);
  return { ...statement, isLong, readers: insertedReaders };
}

const compiledShort = new WeakMap<View, string>();
const compiledLong = new WeakMap<View, string>();
