// Locks an object for the length of the transaction, and with `If-Match` its whole tree, once it has the state that is
// named there: nobody can change what was compared before it is written.

import type { Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';
import { compileState } from '../query/state-statement.ts';
import { statesOf } from './etag.ts';
import { lockObject, lockTree } from './object-table.ts';
import { notFound } from './refuse-change.ts';

export interface HeldObject {
  type: ObjectType;
  key: number;
  /** The user whose it has to be; undefined: anybody's. */
  onlyUser: number | undefined;
}

export async function holdObject(
  transaction: Transaction,
  { type, key, onlyUser }: HeldObject,
  ifMatch: string | undefined,
): Promise<void> {
  if (ifMatch === undefined || onlyUser !== undefined) {
    const [locked] = await transaction.run(lockObject(type, key, onlyUser));
    if (locked?.length === 0) throw notFound(type, key);
  }
  if (ifMatch === undefined) return;
  const answers = await transaction.run(...lockTree(type, key), { text: compileState(type), values: [key] });
  const state = answers.at(-1)?.[0]?.state;
  if (state === undefined) throw notFound(type, key);
  const states = statesOf(ifMatch);
  if (!states.includes('*') && !states.includes(state as string)) {
    throw new ApiError(
      'stale',
      `${type.name} ${key} has changed since it was read. Read it again, and send its new ETag.`,
    );
  }
}
