// Locks an object for the length of the transaction, and with `If-Match` its whole tree, once it has the state that is
// named there: nobody can change what was compared before it is written.

import type { Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';
import { compileState } from '../query/state-statement.ts';
import type { StoredValue } from './check-scalar.ts';
import { statesOf } from './etag.ts';
import { type LockFor, lockObject, lockTree } from './object-table.ts';
import { notFound } from './refuse-change.ts';
import type { HeldRow } from './type-rules.ts';

export interface HeldObject {
  type: ObjectType;
  key: number;
  /** The user whose it has to be; undefined: anybody's. */
  onlyUser: number | undefined;
  lockFor: LockFor;
  /** What has to be known of it as it is now. */
  columns?: readonly string[] | undefined;
}

export async function holdObject(
  transaction: Transaction,
  { type, key, onlyUser, lockFor, columns = [] }: HeldObject,
  ifMatch: string | undefined,
): Promise<HeldRow> {
  let present: HeldRow = new Map();
  if (ifMatch === undefined || onlyUser !== undefined || columns.length > 0) {
    const [locked] = await transaction.run(lockObject(type, key, { lockFor, onlyUser, columns }));
    const row = locked?.[0];
    if (!row) throw notFound(type, key);
    present = new Map(columns.map((column) => [column, row[column] as StoredValue]));
  }
  if (ifMatch !== undefined) await compareState(transaction, { type, key, lockFor }, ifMatch);
  return present;
}

async function compareState(
  transaction: Transaction,
  { type, key, lockFor }: Pick<HeldObject, 'type' | 'key' | 'lockFor'>,
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
