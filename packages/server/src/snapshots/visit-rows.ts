// Walks from the subscribed object along a load plan. Loaded rows are followed at once. Missing rows are requested, and
// the walk resumes there after the next round trip.

import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute } from '../model/object-type.ts';
import type { EventState, LastDelete } from './event-state.ts';
import { isLeaf, type LoadPlan } from './load-plan.ts';
import { type Loading, requestElements, requestLastDelete, requestRow } from './load-rows.ts';

/** One view of one object, as one event sees it. */
export interface Walk {
  readonly loading: Loading;
  readonly state: EventState;
  /** Of the subscribed object. */
  readonly key: number;
  readonly whole: LoadPlan;
  /** How many more rows the walk may visit. It is limited because nested collections multiply. */
  rowsLeft: number;
}

export const rowsMax = 20_000;

/**
 * An object that was deleted after the change is read from the images of that delete, along with the rows deleted with
 * it.
 */
export function visitSubscribed(walk: Walk): void {
  const { loading, state, key, whole } = walk;
  if (key === state.event.key) {
    visitChanged(walk);
    return;
  }
  const row = state.findRow(whole.type, key) ?? findDeleted(walk);
  if (row) visitInside(walk, whole, row);
  if (row !== undefined) return;
  requestRow(loading, whole.type, key, state.deleted);
  loading.pending.push(() => visitSubscribed(walk));
}

/** Null: does not exist. Undefined: not known yet, and requested. */
function findDeleted({ loading, state, key, whole: { type } }: Walk): StoredRow | null | undefined {
  if (state.findRow(type, key) === undefined) return undefined;
  const lastDelete = loading.store.lastDeletes.get(key);
  if (lastDelete === undefined) requestLastDelete(loading, key);
  if (lastDelete) addDeleted(state, lastDelete);
  return lastDelete && state.findRow(type, key);
}

/**
 * Whether the object was deleted later is queried together with its related rows. A later delete is rare; if there was
 * one, the walk starts again with the deleted rows added.
 */
function visitChanged(walk: Walk): void {
  const { loading, state, whole } = walk;
  const { event, changedRow: row } = state;
  if (!row) return;
  if (event.operation !== 'D' && !isLeaf(whole)) {
    requestLastDelete(loading, event.key);
    loading.pending.push(() => {
      const lastDelete = loading.store.lastDeletes.get(event.key);
      // A delete before the change was of another object whose key was reused.
      if (!lastDelete || lastDelete.eventId < event.id) return;
      addDeleted(state, lastDelete);
      walk.rowsLeft = rowsMax;
      visitInside(walk, whole, row);
    });
  }
  visitInside(walk, whole, row);
}

function addDeleted(state: EventState, { deleted }: LastDelete): void {
  if (!state.deleted.includes(deleted)) state.deleted.push(deleted);
}

function visitRow(walk: Walk, plan: LoadPlan, key: number): void {
  const { loading, state } = walk;
  const row = state.findRow(plan.type, key);
  if (row) visitInside(walk, plan, row);
  if (row !== undefined) return;
  requestRow(loading, plan.type, key, state.deleted);
  // If the row is not live, it may be among the deleted rows.
  if (state.deleted.length > 0 || !isLeaf(plan)) loading.pending.push(() => visitRow(walk, plan, key));
}

function visitInside(walk: Walk, plan: LoadPlan, row: StoredRow): void {
  if (--walk.rowsLeft < 0) {
    walk.state.plans.set(walk.whole, 'cut off');
    return;
  }
  for (const { column, plan: inside } of plan.references) {
    const key = row[column];
    if (typeof key === 'number') visitRow(walk, inside, key);
  }
  for (const { collection, plan: inside } of plan.collections) visitElements(walk, inside, collection, Number(row.key));
}

function visitElements(walk: Walk, plan: LoadPlan, collection: CollectionAttribute, ownerKey: number): void {
  const { loading, state } = walk;
  const elements = state.findElements(collection, ownerKey);
  if (elements === undefined) {
    requestElements(loading, state, collection, ownerKey);
    if (!isLeaf(plan)) loading.pending.push(() => visitElements(walk, plan, collection, ownerKey));
    return;
  }
  if (isLeaf(plan)) return;
  for (const row of elements) {
    if (walk.rowsLeft < 0) return;
    visitInside(walk, plan, row);
  }
}
