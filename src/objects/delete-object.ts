// Deletes one object; its sub-objects and remarks go with it. What still refers to it is found by the database at COMMIT.

import type { ObjectType } from '../model/object-type.ts';
import { type Caller, userSeen } from './caller.ts';
import { holdObject } from './hold-object.ts';
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
  const onlyUser = userSeen(type, caller);
  const held = rules.get(type.name)?.held;
  if (ifMatch === undefined && onlyUser === undefined && !held) {
    const [deleted] = await database.runTogether(caller, [statement]);
    if (deleted?.length === 0) throw notFound(type, key);
    return;
  }
  await database.transaction(caller, async (transaction) => {
    const object = { type, key, onlyUser, lockFor: 'delete', columns: held?.columns } as const;
    const present = await holdObject(transaction, object, ifMatch);
    await held?.delete?.(key, present, transaction);
    await transaction.commitWith(statement);
  });
}
