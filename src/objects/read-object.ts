// Reads one object in one statement.

import type { Statement } from '../database/database.ts';
import type { OnReceived } from '../database/statement-batch.ts';
import type { ObjectType } from '../model/object-type.ts';
import { isLongRead } from '../query/long-request.ts';
import { compileRead, compileReadOwn, type ReadRow, readReaders } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import { type Caller, userSeen } from './caller.ts';
import { etagOf } from './etag.ts';
import type { ObjectsContext } from './objects-context.ts';
import { notFound } from './refuse-change.ts';

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
  const onlyUser = userSeen(type, caller);
  const statement =
    onlyUser === undefined ? readStatement(view, key, links) : readOwnStatement(view, key, onlyUser, links);
  const rows = await database.run({ ...statement, onReceived }, caller);
  return answerOf(type, key, rows);
}

function readOwnStatement(view: View, key: number, onlyUser: number, links: Links): Statement {
  const text = compileReadOwn(view, links);
  return { text, values: [key, onlyUser], isLong: isLongRead(view), readers: readReaders };
}

export function readStatement(view: View, key: number, links: Links): Statement {
  let shape = compiled.get(view);
  if (shape === undefined) {
    shape = { text: compileRead(view, links), isLong: isLongRead(view), readers: readReaders };
    compiled.set(view, shape);
  }
  return { ...shape, values: [key] };
}

/** The views of plain requests are the same object each time. One process has one set of links. */
const compiled = new WeakMap<View, Omit<Statement, 'values'>>();

export function answerOf(type: ObjectType, key: number, rows: unknown[] | undefined): ObjectAnswer {
  const row = rows?.[0] as ReadRow | undefined;
  if (!row) throw notFound(type, key);
  return { key, body: row.object, etag: etagOf(row.state, row.object) };
}
