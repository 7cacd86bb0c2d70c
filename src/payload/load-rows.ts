// Asks for rows, and loads what was asked for into the store: one statement for each table, collection and kind of deleted
// row, all of them in one round trip; then those who waited go on, and may ask for more.

import type { Row, Run, Statement } from '../database/database.ts';
import { readRow, type StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import { entryOf } from './entry-of.ts';
import {
  type GoneRow,
  type InTransaction,
  selectElements,
  selectGoneElements,
  selectGoneRows,
  selectLastDeletes,
  selectRows,
} from './object-rows-table.ts';
import { type GoneRows, goneIn, goneWith, type RowStore, type Sight, sorted, tableIn } from './row-store.ts';
import type { WantedTable, WantedTables } from './wanted-tables.ts';

export interface Loading {
  readonly tables: WantedTables;
  readonly store: RowStore;
  readonly run: Run;
  asked: Asked;
  /** Those who could not go on without what was asked for. */
  pending: (() => void)[];
}

interface Asked {
  /** Table → keys. */
  readonly rows: Map<string, Set<number>>;
  /** Table → column of the owner → keys of owners. */
  readonly elements: Map<string, Map<string, Set<number>>>;
  /** Transaction → keys. */
  readonly goneRows: Map<number, Set<number>>;
  /** Transaction → keys of owners. */
  readonly goneElements: Map<number, Set<number>>;
  readonly lastDeletes: Set<number>;
}

export function startLoading(tables: WantedTables, run: Loading['run']): Loading {
  return {
    tables,
    store: { tables: new Map(), gone: new Map(), lastDeletes: new Map() },
    run,
    asked: nothing(),
    pending: [],
  };
}

/** `gone`: where the row is looked for if it is not live. */
export function askRow(
  { asked, store }: Loading,
  type: ObjectType,
  key: number,
  gone: readonly GoneRows[] = nowhere,
): void {
  const live = tableIn(store, type).rows.get(key);
  if (live === undefined) keysOf(asked.rows, type.table).add(key);
  if (live !== null) return;
  for (const { transactionId, rows } of gone) if (!rows.has(key)) keysOf(asked.goneRows, transactionId).add(key);
}

const nowhere: readonly GoneRows[] = [];

/** When an object was deleted, if it was. */
export function askLastDelete({ asked, store }: Loading, key: number): void {
  if (!store.lastDeletes.has(key)) asked.lastDeletes.add(key);
}

export function askElements(
  { asked }: Loading,
  sight: Sight,
  { of, ownerColumn }: CollectionAttribute,
  ownerKey: number,
): void {
  const gone = goneWith(sight, ownerKey);
  if (gone) {
    keysOf(asked.goneElements, gone.transactionId).add(ownerKey);
    return;
  }
  keysOf(entryOf(asked.elements, of.table, newMap<string, Set<number>>), ownerColumn).add(ownerKey);
}

export async function loadAsked(loading: Loading): Promise<void> {
  for (let loads = takeLoads(loading); loads.length > 0; loads = takeLoads(loading)) {
    const answers = await loading.run(...loads.map(({ statement }) => statement));
    for (const [index, { keep }] of loads.entries()) keep(answers[index]!);
    const goingOn = loading.pending;
    loading.pending = [];
    for (const goOn of goingOn) goOn();
  }
}

/** A statement, and what is done with its answer. */
interface Load {
  statement: Statement;
  keep: (answer: Row[]) => void;
}

function takeLoads(loading: Loading): Load[] {
  const { rows, elements, goneRows, goneElements, lastDeletes } = loading.asked;
  loading.asked = nothing();
  const loads: Load[] = [];
  for (const [name, keys] of rows) loads.push(rowsLoad(loading, loading.tables.get(name)!, keys));
  for (const [name, byColumn] of elements)
    for (const [column, keys] of byColumn) loads.push(elementsLoad(loading, loading.tables.get(name)!, column, keys));
  if (goneRows.size > 0) loads.push(goneRowsLoad(loading, goneRows));
  if (goneElements.size > 0) loads.push(goneElementsLoad(loading, goneElements));
  // After the elements: what they lack, because it was deleted in between, is found here.
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

function goneRowsLoad({ store, tables }: Loading, asked: Map<number, Set<number>>): Load {
  return {
    statement: selectGoneRows(pairsOf(asked)),
    keep: (answer) => {
      for (const { transactionId, key } of pairsOf(asked)) goneIn(store, transactionId).rows.set(key, null);
      for (const { transactionId, key, row } of goneRowsIn(answer, tables))
        goneIn(store, transactionId).rows.set(key, row);
    },
  };
}

function goneElementsLoad({ store, tables }: Loading, asked: Map<number, Set<number>>): Load {
  return {
    statement: selectGoneElements(pairsOf(asked)),
    keep: (answer) => {
      for (const { transactionId, key } of pairsOf(asked)) goneIn(store, transactionId).elements.set(key, new Map());
      for (const { transactionId, key, ownerKey, table, row } of goneRowsIn(answer, tables)) {
        const gone = goneIn(store, transactionId);
        gone.rows.set(key, row);
        entryOf(gone.elements.get(ownerKey)!, table, newMap<number, StoredRow>).set(key, row);
      }
    },
  };
}

function lastDeletesLoad({ store, tables }: Loading, keys: Set<number>): Load {
  return {
    statement: selectLastDeletes(keys),
    keep: (answer) => {
      for (const key of keys) store.lastDeletes.set(key, null);
      for (const { eventId, transactionId, key, row } of goneRowsIn(answer, tables)) {
        const gone = goneIn(store, transactionId);
        gone.rows.set(key, row);
        store.lastDeletes.set(key, { eventId, gone });
      }
    },
  };
}

interface Gone {
  eventId: number;
  transactionId: number;
  key: number;
  ownerKey: number;
  table: string;
  row: StoredRow;
}

/** Without those of types that no view leads to. */
function* goneRowsIn(answer: Row[], tables: WantedTables): Iterable<Gone> {
  const byType = new Map([...tables.values()].map((table) => [table.type.name, table]));
  for (const gone of answer as unknown as GoneRow[]) {
    const table = byType.get(gone.object_type);
    if (!table) continue;
    yield {
      eventId: Number(gone.id),
      transactionId: Number(gone.transaction_id),
      key: Number(gone.object_key),
      ownerKey: Number(gone.owner_key),
      table: table.type.table,
      row: readRow(gone.row, jsonColumnsOf(table)),
    };
  }
}

function jsonColumnsOf({ columns }: WantedTable): ReadonlySet<string> {
  return new Set([...columns].filter(([, attribute]) => attribute?.kind === 'json').map(([column]) => column));
}

function pairsOf(asked: Map<number, Set<number>>): InTransaction[] {
  return [...asked].flatMap(([transactionId, keys]) => [...keys].map((key) => ({ transactionId, key })));
}

function nothing(): Asked {
  return {
    rows: new Map(),
    elements: new Map(),
    goneRows: new Map(),
    goneElements: new Map(),
    lastDeletes: new Set(),
  };
}

function keysOf<Name>(asked: Map<Name, Set<number>>, name: Name): Set<number> {
  return entryOf(asked, name, () => new Set<number>());
}

function newMap<Key, Value>(): Map<Key, Value> {
  return new Map();
}
