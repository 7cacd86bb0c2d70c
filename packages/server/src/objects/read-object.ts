// Reads one object in one statement. A request whose response is large is repeated as a long one, because a client may
// run only a few long requests at once.

import type { Statement } from '../database/database.ts';
import type { OnReceived } from '../database/statement-batch.ts';
import { entryOf } from '../entry-of.ts';
import type { ObjectType } from '../model/object-type.ts';
import { objectBound, shortObjectBound } from '../query/answer-size.ts';
import { isLongRead } from '../query/long-request.ts';
import { compileRead, compileReadOwn, objectReaders, type ReadRow } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { etagOf } from './etag.ts';
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
    const statement = readStatement(view, key, links, isLong, onlyUser);
    return answerOf(type, key, await database.run({ ...statement, onReceived }, caller));
  });
}

/**
 * `attempt` reads the view back with `readStatement`. It may be called twice: PostgreSQL rejects the first attempt
 * before it builds the response, and that attempt leaves nothing behind.
 */
export async function longIfLarge<T>(view: View, attempt: (isLong: boolean) => Promise<T>): Promise<T> {
  if (isLongRead(view)) return attempt(true);
  try {
    return await attempt(false);
  } catch (error) {
    if (isTooLarge(error)) return attempt(true);
    throw error;
  }
}

/** 54000 is program_limit_exceeded, here for the size of an object. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '54000';
}

/** If not `isLong`, the statement fails for an object that is too large for a short request. */
export function readStatement(view: View, key: number, links: Links, isLong: boolean, onlyUser?: number): Statement {
  const bound = isLong ? objectBound : shortObjectBound;
  if (onlyUser !== undefined)
    return { text: compileReadOwn(view, links, bound), values: [key, onlyUser], isLong, readers: objectReaders };
  const text = entryOf(isLong ? compiledLong : compiledShort, view, () => compileRead(view, links, bound));
  return { text, values: [key], isLong, readers: objectReaders };
}

/** The view of a plain request is the same object each time. A process has one set of links. */
const compiledShort = new WeakMap<View, string>();
const compiledLong = new WeakMap<View, string>();

export function answerOf(type: ObjectType, key: number, rows: unknown[] | undefined): ObjectAnswer {
  const row = rows?.[0] as ReadRow | undefined;
  if (!row) throw notFound(type, key);
  return { key, body: row.object, etag: etagOf(row.state, row.object) };
}
