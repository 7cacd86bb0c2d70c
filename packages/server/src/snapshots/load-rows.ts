// Collects requests for rows and loads them into the store. Each round trip has one statement per table, collection and
// kind of deleted row. Pending callbacks run after each round trip and may request more rows.

import type { Row, Run, Statement } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { readRow, type StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import {
  type DeletedRow,
  type InTransaction,
  selectDeletedElements,
  selectDeletedRows,
  selectElements,
  selectLastDeletes,
  selectRows,
} from './object-rows-table.ts';
import {
  type DeletedRows,
  deletedIn,
  deletedWith,
  type RowStore,
  type StateRows,
  sorted,
  tableIn,
} from './row-store.ts';
import type { WantedTable, WantedTables } from './wanted-tables.ts';

export interface Loading {
  readonly tables: WantedTables;
  readonly store: RowStore;
  readonly run: Run;
  asked: RequestedRows;
  /** Callbacks that wait for the requested rows. */
  pending: (() => void)[];
}

interface RequestedRows {
  /** Table → keys. */
  readonly rows: Map<string, Set<number>>;
  /** Table → owner column → owner keys. */
  readonly elements: Map<string, Map<string, Set<number>>>;
  /** Transaction → keys. */
  readonly deletedRows: Map<number, Set<number>>;
  /** Transaction → owner keys. */
  readonly deletedElements: Map<number, Set<number>>;
  readonly lastDeletes: Set<number>;
}

export function startLoading(tables: WantedTables, run: Loading['run']): Loading {
  return {
    tables,
    store: { tables: new Map(), deleted: new Map(), lastDeletes: new Map() },
    run,
    asked: nothing(),
    pending: [],
  };
}

/** `deleted`: the deleted rows to search if the row is not live. */
export function requestRow(
  { asked, store }: Loading,
  type: ObjectType,
  key: number,
  deleted: readonly DeletedRows[] = nowhere,
): void {
  const live = tableIn(store, type).rows.get(key);
  if (live === undefined) keysOf(asked.rows, type.table).add(key);
  if (live !== null) return;
  for (const { transactionId, rows } of deleted) if (!rows.has(key)) keysOf(asked.deletedRows, transactionId).add(key);
}

const nowhere: readonly DeletedRows[] = [];

/** Requests the last delete of an object, if there was one. */
export function requestLastDelete({ asked, store }: Loading, key: number): void {
  if (!store.lastDeletes.has(key)) asked.lastDeletes.add(key);
}

export function requestElements(
  { asked }: Loading,
  stateRows: StateRows,
  { of, ownerColumn }: CollectionAttribute,
  ownerKey: number,
): void {
  const deleted = deletedWith(stateRows, ownerKey);
  if (deleted) {
    keysOf(asked.deletedElements, deleted.transactionId).add(ownerKey);
    return;
  }
  keysOf(entryOf(asked.elements, of.table, newMap<string, Set<number>>), ownerColumn).add(ownerKey);
}

export async function loadRequested(loading: Loading): Promise<void> {
  for (let loads = takeLoads(loading); loads.length > 0; loads = takeLoads(loading)) {
    const answers = await loading.run(...loads.map(({ statement }) => statement));
    for (const [index, { keep }] of loads.entries()) keep(answers[index]!);
    const goingOn = loading.pending;
    loading.pending = [];
    for (const goOn of goingOn) goOn();
  }
}

/** A statement, and a callback that stores its rows. */
interface Load {
  statement: Statement;
  keep: (answer: Row[]) => void;
}

function takeLoads(loading: Loading): Load[] {
  const { rows, elements, deletedRows, deletedElements, lastDeletes } = loading.asked;
  loading.asked = nothing();
  const loads: Load[] = [];
  for (const [name, keys] of rows) loads.push(rowsLoad(loading, loading.tables.get(name)!, keys));
  for (const [name, byColumn] of elements)
    for (const [column, keys] of byColumn) loads.push(elementsLoad(loading, loading.tables.get(name)!, column, keys));
  if (deletedRows.size > 0) loads.push(deletedRowsLoad(loading, deletedRows));
  if (deletedElements.size > 0) loads.push(deletedElementsLoad(loading, deletedElements));
  // Runs after the elements. Rows that are missing from them because of a concurrent delete are found here.
  if (lastDeletes.size > 0) loads.push(lastDeletesLoad(loading, lastDeletes));
  return loads;
}

function rowsLoad({ store }: Loading, table: WantedTable, keys: Set<number>): Load {
  const { rows } = tableIn(store, table.type);
  return {
    statement: selectRows(table, keys),
    keep: (answer) => {
      for (const key of keys) rows.set(key, null);
      for (const row of answer as StoredRow[]) rows.set(Number(row.key), row);
    },
  };
}

function elementsLoad({ store }: Loading, table: WantedTable, ownerColumn: string, ownerKeys: Set<number>): Load {
  const loaded = tableIn(store, table.type);
  return {
    statement: selectElements(table, ownerColumn, ownerKeys),
    keep: (answer) => {
      const byOwner = new Map<number, StoredRow[]>();
      for (const row of answer as StoredRow[]) {
        loaded.rows.set(Number(row.key), row);
        entryOf(byOwner, Number(row[ownerColumn]), () => []).push(row);
      }
      const elements = entryOf(loaded.elements, ownerColumn, newMap<number, readonly StoredRow[]>);
      for (const key of ownerKeys) elements.set(key, sorted(byOwner.get(key) ?? [], table.type));
    },
  };
}

function deletedRowsLoad({ store, tables }: Loading, asked: Map<number, Set<number>>): Load {
  return {
    statement: selectDeletedRows(pairsOf(asked)),
    keep: (answer) => {
      for (const { transactionId, key } of pairsOf(asked)) deletedIn(store, transactionId).rows.set(key, null);
      for (const { transactionId, key, row } of deletedRowsIn(answer, tables))
        deletedIn(store, transactionId).rows.set(key, row);
    },
  };
}

function deletedElementsLoad({ store, tables }: Loading, asked: Map<number, Set<number>>): Load {
  return {
    statement: selectDeletedElements(pairsOf(asked)),
    keep: (answer) => {
      for (const { transactionId, key } of pairsOf(asked)) deletedIn(store, transactionId).elements.set(key, new Map());
      for (const { transactionId, key, ownerKey, table, row } of deletedRowsIn(answer, tables)) {
        const deleted = deletedIn(store, transactionId);
        deleted.rows.set(key, row);
        entryOf(deleted.elements.get(ownerKey)!, table, newMap<number, StoredRow>).set(key, row);
      }
    },
  };
}

function lastDeletesLoad({ store, tables }: Loading, keys: Set<number>): Load {
  return {
    statement: selectLastDeletes(keys),
    keep: (answer) => {
      for (const key of keys) store.lastDeletes.set(key, null);
      for (const { eventId, transactionId, key, row } of deletedRowsIn(answer, tables)) {
        const deleted = deletedIn(store, transactionId);
        deleted.rows.set(key, row);
        store.lastDeletes.set(key, { eventId, deleted });
      }
    },
  };
}

interface DeletedToLoad {
  eventId: number;
  transactionId: number;
  key: number;
  ownerKey: number;
  table: string;
  row: StoredRow;
}

/** Skips rows of types that no view leads to. */
function* deletedRowsIn(answer: Row[], tables: WantedTables): Iterable<DeletedToLoad> {
  const byType = new Map([...tables.values()].map((table) => [table.type.name, table]));
  for (const deleted of answer as unknown as DeletedRow[]) {
    const table = byType.get(deleted.object_type);
    if (!table) continue;
    yield {
      eventId: Number(deleted.id),
      transactionId: Number(deleted.transaction_id),
      key: Number(deleted.object_key),
      ownerKey: Number(deleted.owner_key),
      table: table.type.table,
      row: readRow(deleted.row, jsonColumnsOf(table)),
    };
  }
}

function jsonColumnsOf({ columns }: WantedTable): ReadonlySet<string> {
  return new Set([...columns].filter(([, attribute]) => attribute?.kind === 'json').map(([column]) => column));
}

function pairsOf(asked: Map<number, Set<number>>): InTransaction[] {
  return [...asked].flatMap(([transactionId, keys]) => [...keys].map((key) => ({ transactionId, key })));
}

function nothing(): RequestedRows {
  return {
    rows: new Map(),
    elements: new Map(),
    deletedRows: new Map(),
    deletedElements: new Map(),
    lastDeletes: new Set(),
  };
}

function keysOf<Name>(asked: Map<Name, Set<number>>, name: Name): Set<number> {
  return entryOf(asked, name, () => new Set<number>());
}

function newMap<Key, Value>(): Map<Key, Value> {
  return new Map();
}
