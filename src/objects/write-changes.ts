// Makes the statements that carry out checked changes: looks up what they depend on, settles, and puts the rows in order.
// The event of each change is written by the database's triggers in the same transaction; nothing here can leave it out.

import type { Statement, Transaction } from '../database/database.ts';
import { ApiError, type Violation } from '../errors.ts';
import { ownerPaths } from '../model/hierarchy.ts';
import type { ObjectType } from '../model/object-type.ts';
import { type Caller, userSeen } from './caller.ts';
import { checkOwnersEdition } from './check-edition.ts';
import type { StoredValue } from './check-scalar.ts';
import { type Findings, lookUp } from './look-up.ts';
import { type ObjectChange, withElements } from './object-change.ts';
import { deleteObjects, detachObjects, insertObjects, lockInOrder, updateObject } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';
import { refuseViolations, violationsShown } from './refuse-change.ts';
import { type Rows, settleChanges, type UpdatedRow } from './settle-change.ts';

export interface PreparedWrite {
  /** Of the objects that were asked for, in order. */
  keys: number[];
  rows: Rows;
  statements: Statement[];
}

/** `mistakes`: those that were found in the body already. They are told together with what the database says. */
export async function prepareWrite(
  transaction: Transaction,
  changes: ObjectChange[],
  mistakes: readonly Violation[],
  context: ObjectsContext,
  caller: Caller,
): Promise<PreparedWrite> {
  // As many as are shown: the database has nothing to add.
  if (mistakes.length >= violationsShown) refuseViolations(mistakes);
  const findings = await lookUp(transaction, changes, context, caller);
  await checkOwnersEdition(transaction, changes, findings, caller);
  refuseForeignUser(changes, findings, caller);
  const { rows, violations } = settleChanges(changes, findings);
  refuseViolations([...mistakes, ...violations]);
  return { keys: rows.keys, rows, statements: statementsOf(rows, context) };
}

/** Before mistakes are told: whether there is such a user is not for others to know. */
function refuseForeignUser(changes: ObjectChange[], { targets }: Findings, caller: Caller): void {
  for (const { type, key, references } of changes.flatMap((change) => [...withElements(change)])) {
    const user = key === undefined ? userSeen(type, caller) : undefined;
    if (user === undefined) continue;
    const target = references.find(({ attribute }) => attribute === type.ownedBy)?.target;
    const codes = targets.get(type.ownedBy!.target)?.codes;
    if (target && (target.kind === 'key' ? target.key : codes?.get(target.code)) === user) continue;
    throw new ApiError(
      'notPermitted',
      `Only a client with the scope admin may create a ${type.name} for another user.`,
    );
  }
}

/** Whether the change can be written without asking the database anything first. */
export function isPlain({ type, key, references, collections, echoes }: ObjectChange): boolean {
  const isSettled = references.length === 0 && collections.length === 0 && echoes.length === 0;
  return key !== undefined && isSettled && !type.scalars.some(({ isObjectKey }) => isObjectKey);
}

export function plainStatements({ type, key, columns }: ObjectChange, context: ObjectsContext): Statement[] {
  return key === undefined || columns.size === 0 ? [] : [updateObject(wholeType(type, context), key, columns)];
}

/** The service also fills in what the caller's version of the type lacks. */
function wholeType({ name }: ObjectType, { model }: ObjectsContext): ObjectType {
  return model.types.get(name)!;
}

/**
 * The trigger that numbers sub-objects locks their owner. Locked here, in the order of their keys, two requests that add to
 * the same owners wait for each other instead of running into a deadlock.
 */
function lockOwnersOf(inserted: Rows['inserted']): Statement[] {
  return [...inserted].flatMap(([{ owner, sequence }, rows]) => {
    const keys = owner && sequence ? rows.flatMap((row) => row.get(owner.column) ?? []) : [];
    return owner && keys.length > 1 ? [lockInOrder(owner.target, keys.map(Number))] : [];
  });
}

/** A sub-object needs its owner to be there. */
function ownersFirst(inserted: Rows['inserted']): [ObjectType, Map<string, StoredValue>[]][] {
  return [...inserted].sort(([one], [other]) => ownerPaths(one).length - ownerPaths(other).length);
}

/** What is removed goes first, so that what it held (a unique value) is free for what comes. */
function statementsOf({ removed, updated, inserted, attached }: Rows, context: ObjectsContext): Statement[] {
  const update = ({ type, key, columns }: UpdatedRow) => updateObject(wholeType(type, context), key, columns);
  return [
    ...lockOwnersOf(inserted),
    ...removed.map(({ collection, keys }) =>
      collection.isDetachable ? detachObjects(collection, keys) : deleteObjects(collection.of, keys),
    ),
    ...updated.map(update),
    ...ownersFirst(inserted).map(([type, rows]) => insertObjects(wholeType(type, context), rows)),
    ...attached.map(update),
  ];
}
