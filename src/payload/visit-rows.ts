// Walks from the subscribed object along a plan, over rows that are loaded, and asks for those that are not; whoever has to
// wait goes on after the next round trip.

import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute } from '../model/object-type.ts';
import { isLeaf, type LoadPlan } from './load-plan.ts';
import { askElements, askLastDelete, askRow, type Loading } from './load-rows.ts';
import { findElements, findRow, type LastDelete, type Sight } from './row-store.ts';

/** One view of one object, as one event sees it. */
export interface Walk {
  readonly loading: Loading;
  readonly sight: Sight;
  readonly event: ChangeEvent;
  readonly whole: LoadPlan;
  /** The plans of the state that were not walked to their end. */
  readonly cutOff: Set<LoadPlan>;
  /** How many more rows are visited: collections inside each other multiply. */
  rowsLeft: number;
}

export const rowsMax = 20_000;

/** An object that was deleted after the change is seen as it was then, with what went with it. */
export function visitSubscribed(walk: Walk, key: number): void {
  const { loading, sight, event, whole } = walk;
  if (key === event.key) {
    visitChanged(walk);
    return;
  }
  const row = findRow(sight, whole.type, key) ?? findDeleted(walk, key);
  if (row) visitInside(walk, whole, row);
  if (row !== undefined) return;
  askRow(loading, whole.type, key, sight.gone);
  loading.pending.push(() => visitSubscribed(walk, key));
}

/** Null: not there. Undefined: not known yet, and asked for. */
function findDeleted({ loading, sight, whole: { type } }: Walk, key: number): StoredRow | null | undefined {
  const row = findRow(sight, type, key);
  if (row === undefined) return row;
  const lastDelete = loading.store.lastDeletes.get(key);
  if (lastDelete === undefined) askLastDelete(loading, key);
  if (lastDelete) addGone(sight, lastDelete);
  return lastDelete && findRow(sight, type, key);
}

/** Whether it was deleted since is asked along with what it leads to, and seldom changes anything. */
function visitChanged(walk: Walk): void {
  const { loading, sight, event, whole } = walk;
  const { row } = sight;
  if (!row) return;
  if (event.operation !== 'D' && !isLeaf(whole)) {
    askLastDelete(loading, event.key);
    loading.pending.push(() => {
      const lastDelete = loading.store.lastDeletes.get(event.key);
      // One before the change was that of another object, whose key was given anew.
      if (!lastDelete || lastDelete.eventId < event.id) return;
      addGone(sight, lastDelete);
      walk.rowsLeft = rowsMax;
      visitInside(walk, whole, row);
    });
  }
  visitInside(walk, whole, row);
}

function addGone(sight: Sight, { gone }: LastDelete): void {
  if (!sight.gone.includes(gone)) sight.gone.push(gone);
}

function visitRow(walk: Walk, plan: LoadPlan, key: number): void {
  const { loading, sight } = walk;
  const row = findRow(sight, plan.type, key);
  if (row) visitInside(walk, plan, row);
  if (row !== undefined) return;
  askRow(loading, plan.type, key, sight.gone);
  // A live row that is not there may be among what is gone.
  if (sight.gone.length > 0 || !isLeaf(plan)) loading.pending.push(() => visitRow(walk, plan, key));
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
  const { loading, sight } = walk;
  const elements = findElements(sight, owned.collection, owned.ownerKey);
  if (elements === undefined) {
    askElements(loading, sight, owned.collection, owned.ownerKey);
    if (!isLeaf(plan)) loading.pending.push(() => visitElements(walk, plan, owned));
    return;
  }
  if (isLeaf(plan)) return;
  for (const row of elements) {
    if (walk.rowsLeft < 0) return;
    visitInside(walk, plan, row);
  }
}
