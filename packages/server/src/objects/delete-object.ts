// Deletes one object with its sub-objects and remarks. The database checks for remaining references at COMMIT.

import type { ObjectType } from '../model/object-type.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { lockForChange } from './lock-for-change.ts';
import { notFound } from './object-errors.ts';
import { deleteObjects } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';

export interface DeleteRequest {
  type: ObjectType;
  key: number;
  caller: Caller;
  ifMatch: string | undefined;
}

export async function deleteObject(context: ObjectsContext, request: DeleteRequest): Promise<void> {
  const { type, key, caller, ifMatch } = request;
  const rules = context.rules.get(type.name);
  const onlyUser = onlyUserFor(type, caller);
  const statement = deleteObjects(type, [key]);
  if (ifMatch === undefined && onlyUser === undefined && !rules?.delete) {
    const [deleted] = await context.database.runTogether(caller, [statement]);
    if (deleted?.length === 0) throw notFound(type, key);
    return;
  }
  await context.database.transaction(caller, async (transaction) => {
    const object = { type, key, onlyUser, lockFor: 'delete', columns: rules?.currentColumns } as const;
    const current = await lockForChange(transaction, object, ifMatch);
    await rules?.delete?.(key, current, transaction);
    await transaction.commitWith(statement);
  });
}
