// Creates one object that depends on nothing else in one round trip: the database takes its key, inserts and reads it.

import type { Statement } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { objectBound, shortObjectBound } from '../query/answer-size.ts';
import { compileReadOf, objectReaders } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import type { ObjectChange } from './object-change.ts';
import { insertObject, newKey, takeNewKey } from './object-table.ts';
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

/** The first statement returns the key, the last one the object and its state. */
export function createAndRead(change: ObjectChange, view: View, context: ObjectsContext, isLong: boolean): Statement[] {
  const { model, links } = context;
  const bound = isLong ? objectBound : shortObjectBound;
  const text = entryOf(isLong ? compiledLong : compiledShort, view, () => compileReadOf(newKey, view, links, bound));
  return [
    takeNewKey,
    insertObject(model.types.get(change.type.name)!, change.columns),
    { text, isLong, readers: objectReaders },
  ];
}

/** The view of a plain request is the same object each time. */
const compiledShort = new WeakMap<View, string>();
const compiledLong = new WeakMap<View, string>();
