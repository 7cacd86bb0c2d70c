// Reads one object in one statement.

import type { Statement } from '../database/database.ts';
import type { OnReceived } from '../database/statement-batch.ts';
import type { ObjectType } from '../model/object-type.ts';
import { objectBound, type SizeBound, shortObjectBound } from '../query/answer-size.ts';
import { compileRead, compileReadOwn, type ReadRow, objectReaders } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { etagOf } from './etag.ts';
import { longIfLarge } from './long-if-large.ts';
import { notFound } from './object-errors.ts';
import type { ObjectsContext } from './objects-context.ts';

export interface ObjectAnswer {
  key: number;
  /** JSON. */
  body: Buffer;
  etag: string;
}

export async function readObject(
  { database, links }: ObjectsContext,
  type: ObjectType,
  key: number,
  view: View,
  caller: Caller,
  onReceived?: OnReceived,
): Promise<ObjectAnswer> {
  const onlyUser = onlyUserFor(type, caller);
  return longIfLarge(view, async (isLong) => {
    const statement =
      onlyUser === undefined
        ? readStatement(view, key, links, isLong)
        : readOwnStatement(view, key, onlyUser, links, isLong);
    return answerOf(type, key, await database.run({ ...statement, onReceived }, caller));
  });
}

function readOwnStatement(view: View, key: number, onlyUser: number, links: Links, isLong: boolean): Statement {
  const text = compileReadOwn(view, links, boundOf(isLong));
  return { text, values: [key, onlyUser], isLong, readers: objectReaders };
}

/** For `longIfLarge`: if not `isLong`, the statement fails for an object that is too large for a short request. */
export function readStatement(view: View, key: number, links: Links, isLong: boolean): Statement {
  const compiled = isLong ? compiledLong : compiledShort;
  let text = compiled.get(view);
  if (text === undefined) {
    text = compileRead(view, links, boundOf(isLong));
    compiled.set(view, text);
  }
  return { text, isLong, readers: objectReaders, values: [key] };
}

/** The view of a plain request is the same object each time. A process has one set of links. */
const compiledShort = new WeakMap<View, string>();
const compiledLong = new WeakMap<View, string>();

function boundOf(isLong: boolean): SizeBound {
  return isLong ? objectBound : shortObjectBound;
}

export function answerOf(type: ObjectType, key: number, rows: unknown[] | undefined): ObjectAnswer {
  const row = rows?.[0] as ReadRow | undefined;
  if (!row) throw notFound(type, key);
  return { key, body: row.object, etag: etagOf(row.state, row.object) };
}
