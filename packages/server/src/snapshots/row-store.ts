// The rows loaded for a batch of events, and how one event sees them. An event's own old or new row replaces the live
// row. Rows that are not live are looked up among those deleted by a transaction.

import { entryOf } from '../entry-of.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';

export interface RowStore {
  readonly tables: Map<string, LoadedTable>;
  /** By transaction. */
  readonly deleted: Map<number, DeletedRows>;
  /** By object key: the last delete of the object, or null if there was none. */
  readonly lastDeletes: Map<number, LastDelete | null>;
}

export interface LastDelete {
  readonly eventId: number;
  /** Everything that the transaction of the delete deleted. */
  readonly deleted: DeletedRows;
}

export interface LoadedTable {
  /** Null: requested, and does not exist. */
  readonly rows: Map<number, StoredRow | null>;
  /** Owner column → owner key → rows in order. */
  readonly elements: Map<string, Map<number, readonly StoredRow[]>>;
}

/** The rows that a transaction deleted. */
export interface DeletedRows {
  readonly transactionId: number;
  readonly rows: Map<number, StoredRow | null>;
  /** Owner key → table → key → row. */
  readonly elements: Map<number, Map<string, Map<number, StoredRow>>>;
}

/** The store as one event sees it. */
export interface StateRows {
  readonly store: RowStore;
  /** The table of the changed object. */
  readonly table: string;
  readonly key: number;
  /** Null: the object does not exist in this state. */
  readonly row: StoredRow | null;
  /**
   * Rows that existed in this state and are no longer live. In the state before a change, these are the rows that its
   * transaction deleted. If the subscribed object was deleted after the change, the rows deleted with it are added.
   */
  readonly deleted: DeletedRows[];
  /** The change deleted the changed object, so its sub-objects are among the rows that the transaction deleted. */
  readonly isDeleted: boolean;
}

/** Null: does not exist. Undefined: not requested yet. */
export function findRow({ store, table, key, row, deleted }: StateRows, type: ObjectType, wanted: number) {
  if (wanted === key && type.table === table) return row;
  const live = store.tables.get(type.table)?.rows.get(wanted);
  if (live !== null) return live;
  for (const { rows } of deleted) {
    const found = rows.get(wanted);
    if (found !== null) return found;
  }
  return null;
}

/** Undefined: not requested yet. */
export function findElements(
  stateRows: StateRows,
  { of, ownerColumn }: CollectionAttribute,
  ownerKey: number,
): readonly StoredRow[] | undefined {
  const found = storedElements(stateRows, { of, ownerColumn }, ownerKey);
  return found && stateRows.table === of.table
    ? withChangedRow(found, stateRows, { of, ownerColumn, ownerKey })
    : found;
}

function storedElements(
  stateRows: StateRows,
  { of, ownerColumn }: Pick<CollectionAttribute, 'of' | 'ownerColumn'>,
  ownerKey: number,
): readonly StoredRow[] | undefined {
  const deleted = deletedWith(stateRows, ownerKey);
  if (!deleted) return stateRows.store.tables.get(of.table)?.elements.get(ownerColumn)?.get(ownerKey);
  const elements = deleted.elements.get(ownerKey);
  return elements && sorted([...(elements.get(of.table)?.values() ?? [])], of);
}

/** The rows deleted together with an owner; undefined if the owner was not deleted. */
export function deletedWith({ deleted, isDeleted, key }: StateRows, ownerKey: number): DeletedRows | undefined {
  return isDeleted && ownerKey === key ? deleted[0] : deleted.find(({ rows }) => rows.get(ownerKey));
}

export function tableIn(store: RowStore, { table }: ObjectType): LoadedTable {
  return entryOf(store.tables, table, () => ({ rows: new Map(), elements: new Map() }));
}

export function deletedIn(store: RowStore, transactionId: number): DeletedRows {
  return entryOf(store.deleted, transactionId, () => ({ transactionId, rows: new Map(), elements: new Map() }));
}

/** By sequence, then key, in the same order as `query/view-columns.ts`. */
export function sorted(rows: readonly StoredRow[], { sequence }: ObjectType): readonly StoredRow[] {
  if (rows.length < 2) return rows;
  return [...rows].sort((a, b) => compareRows(a, b, sequence?.column));
}

interface OwnedRows {
  of: ObjectType;
  ownerColumn: string;
  ownerKey: number;
}

/** The changed row belongs to the owner in its own image, even if the live row has moved to another owner. */
function withChangedRow(live: readonly StoredRow[], { key, row }: StateRows, { of, ownerColumn, ownerKey }: OwnedRows) {
  const belongs = row !== null && row[ownerColumn] === ownerKey;
  if (!belongs && !live.some((element) => element.key === key)) return live;
  const others = live.filter((element) => element.key !== key);
  if (!belongs) return others;
  const before = others.findIndex((element) => compareRows(row, element, of.sequence?.column) < 0);
  others.splice(before === -1 ? others.length : before, 0, row);
  return others;
}

function compareRows(a: StoredRow, b: StoredRow, sequence: string | undefined): number {
  const bySequence = sequence === undefined ? 0 : Number(a[sequence]) - Number(b[sequence]);
  return bySequence || Number(a.key) - Number(b.key);
}
