// Walks from the subscribed object along a load plan. Loaded rows are followed at once. Missing rows are requested, and
// the walk resumes there after the next round trip.

import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute } from '../model/object-type.ts';
import { isLeaf, type LoadPlan } from './load-plan.ts';
import { type Loading, requestElements, requestLastDelete, requestRow } from './load-rows.ts';
import { findElements, findRow, type LastDelete, type StateRows } from './row-store.ts';

/** One view of one object, as one event sees it. */
export interface Walk {
  readonly loading: Loading;
  readonly stateRows: StateRows;
  readonly event: ChangeEvent;
  readonly whole: LoadPlan;
  /** The plans of this state whose walk stopped at the row limit. */
  readonly cutOff: Set<LoadPlan>;
  /** How many more rows the walk may visit. It is limited because nested collections multiply. */
  rowsLeft: number;
}

export const rowsMax = 20_000;

/**
 * An object that was deleted after the change is read from the images of that delete, along with the rows deleted with
 * it.
 */
export function visitSubscribed(walk: Walk, key: number): void {
  const { loading, stateRows, event, whole } = walk;
  if (key === event.key) {
    visitChanged(walk);
    return;
  }
  const row = findRow(stateRows, whole.type, key) ?? findDeleted(walk, key);
  if (row) visitInside(walk, whole, row);
  if (row !== undefined) return;
  requestRow(loading, whole.type, key, stateRows.deleted);
  loading.pending.push(() => visitSubscribed(walk, key));
}

/** Null: does not exist. Undefined: not known yet, and requested. */
function findDeleted({ loading, stateRows, whole: { type } }: Walk, key: number): StoredRow | null | undefined {
  const row = findRow(stateRows, type, key);
  if (row === undefined) return row;
  const lastDelete = loading.store.lastDeletes.get(key);
  if (lastDelete === undefined) requestLastDelete(loading, key);
  if (lastDelete) addDeleted(stateRows, lastDelete);
  return lastDelete && findRow(stateRows, type, key);
}

/**
 * Whether the object was deleted later is queried together with its related rows. A later delete is rare; if there was
 * one, the walk starts again with the deleted rows added.
 */
function visitChanged(walk: Walk): void {
  const { loading, stateRows, event, whole } = walk;
  const { row } = stateRows;
  if (!row) return;
  if (event.operation !== 'D' && !isLeaf(whole)) {
    requestLastDelete(loading, event.key);
    loading.pending.push(() => {
      const lastDelete = loading.store.lastDeletes.get(event.key);
      // A delete before the change was of another object whose key was reused.
      if (!lastDelete || lastDelete.eventId < event.id) return;
      addDeleted(stateRows, lastDelete);
      walk.rowsLeft = rowsMax;
      visitInside(walk, whole, row);
    });
  }
  visitInside(walk, whole, row);
}

function addDeleted(stateRows: StateRows, { deleted }: LastDelete): void {
  if (!stateRows.deleted.includes(deleted)) stateRows.deleted.push(deleted);
}

function visitRow(walk: Walk, plan: LoadPlan, key: number): void {
  const { loading, stateRows } = walk;
  const row = findRow(stateRows, plan.type, key);
  if (row) visitInside(walk, plan, row);
  if (row !== undefined) return;
  requestRow(loading, plan.type, key, stateRows.deleted);
  // If the row is not live, it may be among the deleted rows.
  if (stateRows.deleted.length > 0 || !isLeaf(plan)) loading.pending.push(() => visitRow(walk, plan, key));
}

function visitInside(walk: Walk, plan: LoadPlan, row: StoredRow): void {
  if (--walk.rowsLeft < 0) {
    walk.cutOff.add(walk.whole);
    return;
  }
  for (const { column, plan: inside } of plan.references) {
    const key = row[column];
    if (typeof key === 'number') visitRow(walk, inside, key);
  }
  for (const { collection, plan: inside } of plan.collections)
    visitElements(walk, inside, { collection, ownerKey: Number(row.key) });
}

interface Owned {
  collection: CollectionAttribute;
  ownerKey: number;
}

function visitElements(walk: Walk, plan: LoadPlan, owned: Owned): void {
  const { loading, stateRows } = walk;
  const elements = findElements(stateRows, owned.collection, owned.ownerKey);
  if (elements === undefined) {
    requestElements(loading, stateRows, owned.collection, owned.ownerKey);
    if (!isLeaf(plan)) loading.pending.push(() => visitElements(walk, plan, owned));
    return;
  }
  if (isLeaf(plan)) return;
  for (const row of elements) {
    if (walk.rowsLeft < 0) return;
    visitInside(walk, plan, row);
  }
}
