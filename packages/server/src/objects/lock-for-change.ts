// Locks an object until the end of the transaction. With `If-Match` it locks the whole tree and compares its state, so
// that the compared state cannot change before the write.

import type { Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';
import { compileState } from '../query/read-statement.ts';
import type { StoredValue } from './check-scalar.ts';
import { statesOf } from './etag.ts';
import { notFound } from './object-errors.ts';
import { type LockFor, lockObject, lockTree } from './object-table.ts';
import type { LockedRow } from './type-rules.ts';

export interface ObjectToLock {
  type: ObjectType;
  key: number;
  /** The user who must own the object; undefined: any user. */
  onlyUser: number | undefined;
  lockFor: LockFor;
  /** The columns whose current values the caller needs. */
  columns?: readonly string[] | undefined;
}

export async function lockForChange(
  transaction: Transaction,
  { type, key, onlyUser, lockFor, columns = [] }: ObjectToLock,
  ifMatch: string | undefined,
): Promise<LockedRow> {
  let current: LockedRow = new Map();
  if (ifMatch === undefined || onlyUser !== undefined || columns.length > 0) {
    const [locked] = await transaction.run(lockObject(type, key, { lockFor, onlyUser, columns }));
    const row = locked?.[0];
    if (!row) throw notFound(type, key);
    current = new Map(columns.map((column) => [column, row[column] as StoredValue]));
  }
  if (ifMatch !== undefined) await compareState(transaction, { type, key, lockFor }, ifMatch);
  return current;
}

async function compareState(
  transaction: Transaction,
  { type, key, lockFor }: Pick<ObjectToLock, 'type' | 'key' | 'lockFor'>,
  ifMatch: string,
): Promise<void> {
  const answers = await transaction.run(...lockTree(type, key, lockFor), { text: compileState(type), values: [key] });
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
