// Deletes one object with its sub-objects and remarks. The database checks for remaining references at COMMIT.

import type { ObjectType } from '../model/object-type.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { lockForChange } from './lock-for-change.ts';
import { deleteObjects } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';
import { notFound } from './refuse-change.ts';

export interface DeleteRequest {
  type: ObjectType;
  key: number;
  caller: Caller;
  ifMatch: string | undefined;
}

export async function deleteObject(
  { database, rules }: ObjectsContext,
  { type, key, caller, ifMatch }: DeleteRequest,
): Promise<void> {
  const statement = deleteObjects(type, [key]);
  const onlyUser = onlyUserFor(type, caller);
  const lockedRules = rules.get(type.name)?.locked;
  if (ifMatch === undefined && onlyUser === undefined && !lockedRules) {
    const [deleted] = await database.runTogether(caller, [statement]);
    if (deleted?.length === 0) throw notFound(type, key);
    return;
  }
  await database.transaction(caller, async (transaction) => {
    const object = { type, key, onlyUser, lockFor: 'delete', columns: lockedRules?.columns } as const;
    const present = await lockForChange(transaction, object, ifMatch);
    await lockedRules?.delete?.(key, present, transaction);
    await transaction.commitWith(statement);
  });
}
