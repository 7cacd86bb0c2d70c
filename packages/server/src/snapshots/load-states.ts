// Loads the states before and after each event of a batch. All rows that the wanted views lead to are loaded breadth
// first, one round trip per level, whatever the number of events.

import type { Run } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { type LoadPlan, planOf } from './load-plan.ts';
import { type Loading, loadRequested, requestRow, startLoading } from './load-rows.ts';
import type { ObjectState } from './object-state.ts';
import { deletedIn, findElements, findRow, type StateRows } from './row-store.ts';
import { rowsMax, visitSubscribed } from './visit-rows.ts';
import { tablesFor } from './wanted-tables.ts';

export interface Wanted {
  event: ChangeEvent;
  /** The type of the subscribed object. */
  type: ObjectType;
  key: number;
  after: Iterable<View>;
  before: Iterable<View>;
}

export interface EventStates {
  readonly after: ObjectState;
  readonly before: ObjectState;
}

/** The states of the object with this key before and after an event. */
export type StatesOf = (event: ChangeEvent, key: number) => EventStates;

export async function loadStates(wanted: readonly Wanted[], run: Run): Promise<StatesOf> {
  const visits = wanted.flatMap(visitsOf);
  const loading = startLoading(tablesFor(new Set(visits.map(({ plan }) => plan))), run);
  await loadMissing(loading, visits);
  const states = new Map<ChangeEvent, Map<number, LazyStates>>();
  const statesOf = (event: ChangeEvent, key: number): LazyStates =>
    entryOf(
      entryOf(states, event, () => new Map<number, LazyStates>()),
      key,
      () => new LazyStates(loading, event),
    );
  for (const { event, side, plan, key } of visits) {
    const { stateRows, cutOff } = statesOf(event, key)[side];
    visitSubscribed({ loading, stateRows, event, whole: plan, cutOff, rowsLeft: rowsMax }, key);
  }
  await loadRequested(loading);
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

/** An image lacks attributes that were added to the model after its event. Their values come from the live row. */
async function loadMissing(loading: Loading, visits: readonly Visit[]): Promise<void> {
  const seen = { after: new Set<ChangeEvent>(), before: new Set<ChangeEvent>() };
  for (const { event, side } of visits) {
    if (seen[side].has(event)) continue;
    seen[side].add(event);
    if (event.operation !== 'D' && isMissing(loading, event, side)) requestRow(loading, event.type, event.key);
  }
  await loadRequested(loading);
}

function isMissing({ tables }: Loading, event: ChangeEvent, side: keyof EventStates): boolean {
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
  readonly stateRows: StateRows;
  readonly cutOff: Set<LoadPlan>;
}

/**
 * Builds each side on first access, because reading an image parses it.
 *
 * This is a class because getters of an object literal would give each object its own hidden class. A hidden class
 * keeps everything its getters capture alive until the next full garbage collection.
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
    this.#after ??= stateOf(stateRowsOf(this.#loading, this.#event, 'after'));
    return this.#after;
  }

  get before(): LoadedState {
    this.#before ??= stateOf(stateRowsOf(this.#loading, this.#event, 'before'));
    return this.#before;
  }
}

function stateRowsOf({ store }: Loading, event: ChangeEvent, side: keyof EventStates): StateRows {
  const { type, key, operation, transactionId } = event;
  const image = imageOf(event, side);
  const live = store.tables.get(type.table)?.rows.get(key);
  return {
    store,
    table: type.table,
    key,
    row: image && live && operation !== 'D' ? { ...live, ...image } : image,
    deleted: side === 'before' ? [deletedIn(store, transactionId)] : [],
    isDeleted: operation === 'D',
  };
}

function stateOf(stateRows: StateRows): LoadedState {
  const cutOff = new Set<LoadPlan>();
  return {
    stateRows,
    cutOff,
    row(type, key) {
      const row = findRow(stateRows, type, key);
      return row === undefined ? { key } : (row ?? undefined);
    },
    elements: (collection, ownerKey) => findElements(stateRows, collection, ownerKey) ?? none,
    isCutOff: (view) => cutOff.size > 0 && cutOff.has(planOf(view)),
  };
}

const none: readonly StoredRow[] = [];
