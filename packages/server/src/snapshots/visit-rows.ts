// Walks from the subscribed object along a load plan. Loaded rows are followed at once. Missing rows are requested, and
// the walk resumes there after the next round trip.

import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute } from '../model/object-type.ts';
import type { EventState } from './event-state.ts';
import { isLeaf, type LoadPlan } from './load-plan.ts';
import { findOrRequestElements, type Loading, requestRow } from './load-rows.ts';

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

export function visitSubscribed(walk: Walk): void {
  visitRow(walk, walk.whole, walk.key);
}

function visitRow(walk: Walk, plan: LoadPlan, key: number): void {
  const { loading, state } = walk;
  const row = state.findRow(plan.type, key);
  if (row && !isLeaf(plan)) visitInside(walk, plan, row);
  if (row !== undefined) return;
  requestRow(loading, state, plan.type, key);
  loading.pending.push(() => visitRow(walk, plan, key));
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
  const elements = findOrRequestElements(loading, state, collection, ownerKey);
  if (elements === undefined) {
    loading.pending.push(() => visitElements(walk, plan, collection, ownerKey));
    return;
  }
  if (isLeaf(plan)) return;
  for (const row of elements) {
    if (walk.rowsLeft < 0) return;
    visitInside(walk, plan, row);
  }
}
