// Collects requests for rows and loads them into the store and the states. Each round trip has one statement per table
// and collection, and one for each kind of past row. Pending callbacks run after each round trip and may request more.

import type { Row, Run, Statement } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { readStoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, Model, ObjectType } from '../model/object-type.ts';
import { type EventState, type LeftRow, type LiveRow, liveRowsOf, type RowStore, sorted } from './event-state.ts';
import { selectAnyLeft, selectLive } from './object-rows-table.ts';
import { type PastRowFound, type StateAndKey, selectLeft, selectPast } from './past-rows-table.ts';

export interface LoadingParts {
  run: Run;
  /** The whole model, which events have their types from. */
  model: Model;
}

export interface Loading extends LoadingParts {
  readonly store: RowStore;
  /** The first transaction that some state of the batch may not include. */
  firstExcluded: number;
  /** Whether rows may have left their owners since. Known at the latest when the first elements are loaded. */
  mayHaveLeft: boolean;
  roundTrips: number;
  requests: Requests;
  /** Callbacks that wait for the requested rows. */
  pending: (() => void)[];
}

interface Requests {
  /** Type → column (`key`, or that of the owner) → keys. */
  readonly live: Map<ObjectType, Map<string, Set<number>>>;
  /** What objects were like in a state. */
  readonly past: Map<EventState, Set<number>>;
  /** What has left these owners since a state. */
  readonly left: Map<EventState, Set<number>>;
}

export function startLoading(parts: LoadingParts): Loading {
  const bounds = { firstExcluded: Number.POSITIVE_INFINITY, mayHaveLeft: false };
  return { ...parts, ...bounds, roundTrips: 0, store: new Map(), requests: noRequests(), pending: [] };
}

export function requestRow({ requests }: Loading, state: EventState, type: ObjectType, key: number): void {
  if (state.missingOf(type, key) === 'live') requestLive(requests, type, 'key', key);
  else entryOf(requests.past, state, newSet).add(key);
}

/** Returns the elements, or requests what is missing to find them. */
export function findOrRequestElements(
  loading: Loading,
  state: EventState,
  collection: CollectionAttribute,
  ownerKey: number,
): ReturnType<EventState['findElements']> {
  const { of, ownerColumn } = collection;
  const requestLeft = () => entryOf(loading.requests.left, state, newSet).add(ownerKey);
  return state.findElements(collection, ownerKey, {
    elements: () => {
      requestLive(loading.requests, of, ownerColumn, ownerKey);
      if (loading.mayHaveLeft) requestLeft();
    },
    left: requestLeft,
    row: (key) => requestRow(loading, state, of, key),
  });
}

export function requestLive({ live }: Requests, type: ObjectType, column: string, key: number): void {
  const byColumn = entryOf(live, type, () => new Map<string, Set<number>>());
  entryOf(byColumn, column, newSet).add(key);
}

export async function loadRequested(loading: Loading): Promise<void> {
  for (let loads = takeLoads(loading); loads.length > 0; loads = takeLoads(loading)) {
    loading.roundTrips += 1;
    const results = await loading.run(...loads.map(({ statement }) => statement));
    // In reverse, because the last one says whether elements have left.
    for (let at = loads.length - 1; at >= 0; at -= 1) loads[at]!.store(results[at]!);
    const { pending } = loading;
    loading.pending = [];
    for (const resume of pending) resume();
  }
}

/** A statement, and a callback that stores its rows. */
interface Load {
  statement: Statement;
  store(rows: Row[]): void;
}

function takeLoads(loading: Loading): Load[] {
  const { live, past, left } = loading.requests;
  loading.requests = noRequests();
  const loads: Load[] = [];
  for (const [type, byColumn] of live)
    for (const [column, keys] of byColumn) loads.push(liveLoad(loading, { type, column, keys }));
  if (past.size > 0) loads.push(pastLoad(loading, pairsOf(past)));
  if (left.size > 0) loads.push(leftLoad(loading, pairsOf(left)));
  const hasElements = [...live.values()].some((byColumn) => byColumn.size > 1 || !byColumn.has('key'));
  if (hasElements && !loading.mayHaveLeft) loads.push(anyLeftLoad(loading));
  return loads;
}

interface LiveRequest {
  type: ObjectType;
  column: string;
  keys: ReadonlySet<number>;
}

/**
 * A row that was loaded before is kept: states were derived from it, and another transaction may have changed it since.
 */
function liveLoad(loading: Loading, { type, column, keys }: LiveRequest): Load {
  const { rows, elements } = liveRowsOf(loading.store, type);
  return {
    statement: selectLive(type, column, keys),
    store: (found) => {
      const byOwner = new Map<number, LiveRow[]>();
      for (const row of found as LiveRow[]) {
        entryOf(rows, Number(row.key), () => row);
        if (column !== 'key') entryOf(byOwner, Number(row[column]), () => []).push(row);
      }
      if (column === 'key') {
        for (const key of keys) entryOf(rows, key, () => null);
        return;
      }
      const ofColumn = entryOf(elements, column, () => new Map());
      const { mayHaveLeft, roundTrips: loadedAt } = loading;
      for (const key of keys) ofColumn.set(key, { rows: sorted(byOwner.get(key) ?? [], type), mayHaveLeft, loadedAt });
    },
  };
}

/** Runs after the elements are read. Those that are missing because they have left meanwhile are noticed here. */
function anyLeftLoad(loading: Loading): Load {
  return {
    statement: selectAnyLeft(loading.firstExcluded),
    store: ([row]) => {
      loading.mayHaveLeft = row!.is_any as boolean;
    },
  };
}

function pastLoad({ model }: Loading, wanted: readonly StateAndKey[]): Load {
  return {
    statement: selectPast(wanted),
    store: (found) => {
      for (const { state, key } of wanted) state.setPast(key, 'unchanged');
      for (const row of found as unknown as PastRowFound[]) storePast(wanted[row.no - 1]!.state, row, model);
    },
  };
}

function leftLoad(loading: Loading, wanted: readonly StateAndKey[]): Load {
  return {
    statement: selectLeft(wanted),
    store: (found) => {
      const left = wanted.map((): LeftRow[] => []);
      for (const row of found as unknown as PastRowFound[]) {
        storePast(wanted[row.no - 1]!.state, row, loading.model);
        left[row.no - 1]!.push({ typeName: row.object_type, key: Number(row.object_key) });
      }
      const { roundTrips: loadedAt } = loading;
      for (const [index, { state, key }] of wanted.entries()) state.setLeft(key, { rows: left[index]!, loadedAt });
    },
  };
}

/** Of a type that the model no longer has, nothing is shown. */
function storePast(state: EventState, { object_type, object_key, row }: PastRowFound, model: Model): void {
  const type = model.types.get(object_type);
  state.setPast(Number(object_key), row === null || !type ? null : readStoredRow(row, type));
}

function pairsOf(requested: Map<EventState, Set<number>>): StateAndKey[] {
  return [...requested].flatMap(([state, keys]) => [...keys].map((key) => ({ state, key })));
}

function noRequests(): Requests {
  return { live: new Map(), past: new Map(), left: new Map() };
}

function newSet(): Set<number> {
  return new Set();
}
