// Collects requests for rows and loads them into the store. Each round trip has one statement per table, collection and
// kind of deleted row. Pending callbacks run after each round trip and may request more rows.

import type { Row, Run, Statement } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { readStoredRow, type StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, Model, ObjectType } from '../model/object-type.ts';
import { type DeletedRows, deletedIn, type EventState, liveRowsOf, type RowStore, sorted } from './event-state.ts';
import {
  type DeletedRow,
  type InTransaction,
  selectDeleted,
  selectLastDeletes,
  selectLive,
} from './object-rows-table.ts';

export interface LoadingParts {
  run: Run;
  /** The whole model, which events have their types from. */
  model: Model;
}

export interface Loading extends LoadingParts {
  readonly store: RowStore;
  requests: Requests;
  /** Callbacks that wait for the requested rows. */
  pending: (() => void)[];
}

interface Requests {
  /** Type → column (`key`, or that of the owner) → keys. */
  readonly live: Map<ObjectType, Map<string, Set<number>>>;
  /** Of objects and of owners: transaction → keys. */
  readonly deleted: Record<'object_key' | 'owner_key', Map<number, Set<number>>>;
  readonly lastDeletes: Set<number>;
}

export function startLoading(parts: LoadingParts): Loading {
  const store = { live: new Map(), deleted: new Map(), lastDeletes: new Map() };
  return { ...parts, store, requests: noRequests(), pending: [] };
}

/** `deleted`: the deleted rows to search if the row is not live. */
export function requestRow(
  { requests, store }: Loading,
  type: ObjectType,
  key: number,
  deleted: readonly DeletedRows[] = [],
): void {
  const live = liveRowsOf(store, type).rows.get(key);
  if (live === undefined) requestLive(requests, type, 'key', key);
  if (live !== null) return;
  for (const { transactionId, rows } of deleted)
    if (!rows.has(key)) entryOf(requests.deleted.object_key, transactionId, newSet).add(key);
}

/** Requests the last delete of an object, if there was one. */
export function requestLastDelete({ requests, store }: Loading, key: number): void {
  if (!store.lastDeletes.has(key)) requests.lastDeletes.add(key);
}

export function requestElements(
  { requests }: Loading,
  state: EventState,
  { of, ownerColumn }: CollectionAttribute,
  ownerKey: number,
): void {
  const deleted = state.deletedWith(ownerKey);
  if (deleted) entryOf(requests.deleted.owner_key, deleted.transactionId, newSet).add(ownerKey);
  else requestLive(requests, of, ownerColumn, ownerKey);
}

function requestLive({ live }: Requests, type: ObjectType, column: string, key: number): void {
  const byColumn = entryOf(live, type, () => new Map<string, Set<number>>());
  entryOf(byColumn, column, newSet).add(key);
}

export async function loadRequested(loading: Loading): Promise<void> {
  for (let loads = takeLoads(loading); loads.length > 0; loads = takeLoads(loading)) {
    const results = await loading.run(...loads.map(({ statement }) => statement));
    for (const [index, { store }] of loads.entries()) store(results[index]!);
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
  const { live, deleted, lastDeletes } = loading.requests;
  loading.requests = noRequests();
  const loads: Load[] = [];
  for (const [type, byColumn] of live)
    for (const [column, keys] of byColumn) loads.push(liveLoad(loading.store, type, column, keys));
  for (const column of ['object_key', 'owner_key'] as const)
    if (deleted[column].size > 0) loads.push(deletedLoad(loading, column, pairsOf(deleted[column])));
  // Runs after the elements. Rows that are missing from them because of a concurrent delete are found here.
  if (lastDeletes.size > 0) loads.push(lastDeletesLoad(loading, lastDeletes));
  return loads;
}

function liveLoad(store: RowStore, type: ObjectType, column: string, keys: ReadonlySet<number>): Load {
  const { rows, elements } = liveRowsOf(store, type);
  return {
    statement: selectLive(type, column, keys),
    store: (found) => {
      if (column === 'key') for (const key of keys) rows.set(key, null);
      const byOwner = new Map<number, StoredRow[]>();
      for (const row of found as StoredRow[]) {
        rows.set(Number(row.key), row);
        if (column !== 'key') entryOf(byOwner, Number(row[column]), () => []).push(row);
      }
      if (column === 'key') return;
      const ofColumn = entryOf(elements, column, () => new Map<number, readonly StoredRow[]>());
      for (const key of keys) ofColumn.set(key, sorted(byOwner.get(key) ?? [], type));
    },
  };
}

function deletedLoad(loading: Loading, column: 'object_key' | 'owner_key', wanted: readonly InTransaction[]): Load {
  const { store } = loading;
  return {
    statement: selectDeleted(column, wanted),
    store: (found) => {
      for (const { transactionId, key } of wanted) {
        const { rows, elements } = deletedIn(store, transactionId);
        if (column === 'object_key') rows.set(key, null);
        else elements.set(key, new Map());
      }
      for (const { deleted, key, ownerKey, table, row } of readDeleted(loading, found)) {
        deleted.rows.set(key, row);
        if (column === 'object_key') continue;
        entryOf(deleted.elements.get(ownerKey)!, table, () => new Map<number, StoredRow>()).set(key, row);
      }
    },
  };
}

function lastDeletesLoad(loading: Loading, keys: ReadonlySet<number>): Load {
  const { lastDeletes } = loading.store;
  return {
    statement: selectLastDeletes(keys),
    store: (found) => {
      for (const key of keys) lastDeletes.set(key, null);
      for (const { eventId, deleted, key, row } of readDeleted(loading, found)) {
        deleted.rows.set(key, row);
        lastDeletes.set(key, { eventId, deleted });
      }
    },
  };
}

/** Skips rows of types that the model no longer has. */
function* readDeleted({ store, model }: Loading, found: Row[]) {
  for (const row of found as unknown as DeletedRow[]) {
    const type = model.types.get(row.object_type);
    if (!type) continue;
    yield {
      eventId: Number(row.id),
      deleted: deletedIn(store, Number(row.transaction_id)),
      key: Number(row.object_key),
      ownerKey: Number(row.owner_key),
      table: type.table,
      row: readStoredRow(row.row, type),
    };
  }
}

function pairsOf(requested: Map<number, Set<number>>): InTransaction[] {
  return [...requested].flatMap(([transactionId, keys]) => [...keys].map((key) => ({ transactionId, key })));
}

function noRequests(): Requests {
  return { live: new Map(), deleted: { object_key: new Map(), owner_key: new Map() }, lastDeletes: new Set() };
}

function newSet(): Set<number> {
  return new Set();
}
