// Prepares the statements that carry out checked changes: looks up what they depend on, resolves them, and orders the
// rows. Triggers of the database write the event of each change in the same transaction, so no event can be missed.

import type { Statement, Transaction } from '../database/database.ts';
import { ApiError, type Violation } from '../errors.ts';
import { ownerPaths } from '../model/hierarchy.ts';
import type { ObjectType } from '../model/object-type.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { checkOwnersEdition } from './check-edition.ts';
import type { StoredValue } from './check-scalar.ts';
import { type Findings, keyOfTarget, lookUp } from './look-up.ts';
import { type ObjectChange, withElements } from './object-change.ts';
import { rejectViolations, violationsShown } from './object-errors.ts';
import { deleteObjects, detachObjects, insertObjects, lockInOrder, updateObject } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';
import { type Rows, resolveChanges, type UpdatedRow } from './resolve-changes.ts';

export interface PreparedWrite {
  /** The keys of the requested objects, in order. */
  keys: number[];
  rows: Rows;
  statements: Statement[];
}

/** `mistakes`: those already found in the body. They are reported together with those that the lookup reveals. */
export async function prepareWrite(
  transaction: Transaction,
  changes: ObjectChange[],
  mistakes: readonly Violation[],
  context: ObjectsContext,
  caller: Caller,
): Promise<PreparedWrite> {
  // Further mistakes would not be shown, so the lookup is skipped.
  if (mistakes.length >= violationsShown) rejectViolations(mistakes);
  const findings = await lookUp(transaction, changes, context, caller);
  await checkOwnersEdition(transaction, changes, findings, caller);
  rejectForeignUser(changes, findings, caller);
  const { rows, violations } = resolveChanges(changes, findings);
  rejectViolations([...mistakes, ...violations]);
  return { keys: rows.keys, rows, statements: statementsOf(rows, context) };
}

/** Runs before mistakes are reported, because a caller must not learn whether another user exists. */
function rejectForeignUser(changes: ObjectChange[], findings: Findings, caller: Caller): void {
  for (const { type, key, references } of changes.flatMap((change) => [...withElements(change)])) {
    const user = key === undefined ? onlyUserFor(type, caller) : undefined;
    if (user === undefined) continue;
    const owner = references.find(({ attribute }) => attribute === type.ownedBy);
    if (owner && keyOfTarget(owner, findings) === user) continue;
    throw new ApiError(
      'notPermitted',
      `Only a client with the scope admin may create a ${type.name} for another user.`,
    );
  }
}

/** Whether the change can be written without a lookup. */
export function isPlain({ type, key, references, collections, sentBack }: ObjectChange): boolean {
  const needsNoLookup = references.length === 0 && collections.length === 0 && sentBack.length === 0;
  return key !== undefined && needsNoLookup && !type.scalars.some(({ isObjectKey }) => isObjectKey);
}

export function plainStatements({ type, key, columns }: ObjectChange, context: ObjectsContext): Statement[] {
  return key === undefined || columns.size === 0 ? [] : [updateObject(wholeType(type, context), key, columns)];
}

/** The service also fills in attributes that the caller's version of the type lacks. */
function wholeType({ name }: ObjectType, { model }: ObjectsContext): ObjectType {
  return model.types.get(name)!;
}

/**
 * The trigger that numbers sub-objects locks their owner. Locking the owners here, in key order, makes two requests
 * that add to the same owners wait for each other instead of deadlocking.
 */
function lockOwnersOf(inserted: Rows['inserted']): Statement[] {
  return [...inserted].flatMap(([{ owner, sequence }, rows]) => {
    const keys = owner && sequence ? rows.flatMap((row) => row.get(owner.column) ?? []) : [];
    return owner && keys.length > 1 ? [lockInOrder(owner.target, keys.map(Number))] : [];
  });
}

/** A sub-object can be inserted only after its owner. */
function ownersFirst(inserted: Rows['inserted']): [ObjectType, Map<string, StoredValue>[]][] {
  return [...inserted].sort(([one], [other]) => ownerPaths(one).length - ownerPaths(other).length);
}

/** Removals come first, so that a unique value of a removed object is free for a new one. */
export function statementsOf({ removed, updated, inserted, attached }: Rows, context: ObjectsContext): Statement[] {
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
