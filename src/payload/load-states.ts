// From a batch of events to the states before and after each: all rows that the wanted views lead to are loaded breadth
// first, each level in one round trip, whatever the number of events.

import type { Run } from '../database/database.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { entryOf } from './entry-of.ts';
import { type LoadPlan, planOf } from './load-plan.ts';
import { askRow, type Loading, loadAsked, startLoading } from './load-rows.ts';
import type { ObjectState } from './object-state.ts';
import { findElements, findRow, goneIn, type Sight } from './row-store.ts';
import { rowsMax, visitSubscribed } from './visit-rows.ts';
import { tablesFor } from './wanted-tables.ts';

export interface Wanted {
  event: ChangeEvent;
  /** Of the subscribed object. */
  type: ObjectType;
  key: number;
  after: Iterable<View>;
  before: Iterable<View>;
}

export interface EventStates {
  readonly after: ObjectState;
  readonly before: ObjectState;
}

/** How an event has left the object with this key, and how it was before. */
export type StatesOf = (event: ChangeEvent, key: number) => EventStates;

export async function loadStates(wanted: readonly Wanted[], run: Run): Promise<StatesOf> {
  const visits = wanted.flatMap(visitsOf);
  const loading = startLoading(tablesFor(new Set(visits.map(({ plan }) => plan))), run);
  await loadLacking(loading, visits);
  const states = new Map<ChangeEvent, Map<number, LazyStates>>();
  const statesOf = (event: ChangeEvent, key: number): LazyStates =>
    entryOf(
      entryOf(states, event, () => new Map<number, LazyStates>()),
      key,
      () => new LazyStates(loading, event),
    );
  for (const { event, side, plan, key } of visits) {
    const { sight, cutOff } = statesOf(event, key)[side];
    visitSubscribed({ loading, sight, event, whole: plan, cutOff, rowsLeft: rowsMax }, key);
  }
  await loadAsked(loading);
  return statesOf;
}

interface Visit {
  event: ChangeEvent;
  side: keyof EventStates;
  plan: LoadPlan;
  key: number;
}

function visitsOf({ event, key, after, before }: Wanted): Visit[] {
  const visits: Visit[] = [];
  for (const view of new Set(after)) visits.push({ event, side: 'after', plan: planOf(view), key });
  for (const view of new Set(before)) visits.push({ event, side: 'before', plan: planOf(view), key });
  return visits;
}

/** An image has no attribute that the model got later: these come from the live row. */
async function loadLacking(loading: Loading, visits: readonly Visit[]): Promise<void> {
  const seen = { after: new Set<ChangeEvent>(), before: new Set<ChangeEvent>() };
  for (const { event, side } of visits) {
    if (seen[side].has(event)) continue;
    seen[side].add(event);
    if (event.operation !== 'D' && isLacking(loading, event, side)) askRow(loading, event.type, event.key);
  }
  await loadAsked(loading);
}

function isLacking({ tables }: Loading, event: ChangeEvent, side: keyof EventStates): boolean {
  const table = tables.get(event.type.table);
  const image = table && imageOf(event, side);
  if (!image) return false;
  for (const column of table.columns.keys()) if (image[column] === undefined) return true;
  return false;
}

function imageOf(event: ChangeEvent, side: keyof EventStates): StoredRow | null {
  return side === 'after' ? event.newRow : event.oldRow;
}

interface LoadedState extends ObjectState {
  readonly sight: Sight;
  readonly cutOff: Set<LoadPlan>;
}

/**
 * Looking at an image parses it, so a side that nobody wants is never made. A class: getters of an object literal would give each object a
 * shape of its own, and shapes keep what their getters see alive until the next full garbage collection.
 */
class LazyStates implements EventStates {
  readonly #loading: Loading;
  readonly #event: ChangeEvent;
  #after: LoadedState | undefined;
  #before: LoadedState | undefined;

  constructor(loading: Loading, event: ChangeEvent) {
    this.#loading = loading;
    this.#event = event;
  }

  get after(): LoadedState {
    this.#after ??= stateOf(sightOf(this.#loading, this.#event, 'after'));
    return this.#after;
  }

  get before(): LoadedState {
    this.#before ??= stateOf(sightOf(this.#loading, this.#event, 'before'));
    return this.#before;
  }
}

function sightOf({ store }: Loading, event: ChangeEvent, side: keyof EventStates): Sight {
  const { type, key, operation, transactionId } = event;
  const image = imageOf(event, side);
  const live = store.tables.get(type.table)?.rows.get(key);
  return {
    store,
    table: type.table,
    key,
    row: image && live && operation !== 'D' ? { ...live, ...image } : image,
    gone: side === 'before' ? [goneIn(store, transactionId)] : [],
    isDeleted: operation === 'D',
  };
}

function stateOf(sight: Sight): LoadedState {
  const cutOff = new Set<LoadPlan>();
  return {
    sight,
    cutOff,
    row(type, key) {
      const row = findRow(sight, type, key);
      return row === undefined ? { key } : (row ?? undefined);
    },
    elements: (collection, ownerKey) => findElements(sight, collection, ownerKey) ?? none,
    isCutOff: (view) => cutOff.size > 0 && cutOff.has(planOf(view)),
  };
}

const none: readonly StoredRow[] = [];
