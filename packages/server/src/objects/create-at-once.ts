// Creates one object that depends on nothing else: the statement that inserts it also renders it, so that the create
// takes one round trip. The database gives it its key.

import type { Statement } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { objectBound, shortObjectBound } from '../query/answer-size.ts';
import { compileReadInserted, insertedReaders } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
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
export function createAndRead(change: ObjectChange, view: View, { model, links }: ObjectsContext, isLong: boolean) {
  const { text, values = [] } = insertObject(model.types.get(change.type.name)!, change.columns);
  const read = entryOf(isLong ? compiledLong : compiledShort, view, () => compile(view, links, isLong));
  return { text: `with inserted as (${text})\n${read}`, values, isLong, readers: insertedReaders } satisfies Statement;
}

const compiledShort = new WeakMap<View, string>();
const compiledLong = new WeakMap<View, string>();

function compile(view: View, links: Links, isLong: boolean): string {
  return compileReadInserted(view, links, isLong ? objectBound : shortObjectBound);
}
