// The rows that were loaded for a batch of events, and how one event sees them: its own old or new row laid over the live
// ones, and behind those what the transaction of a delete took with it.

import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import { entryOf } from './entry-of.ts';

export interface RowStore {
  readonly tables: Map<string, LoadedTable>;
  /** By transaction. */
  readonly gone: Map<number, GoneRows>;
  /** By the key of an object: its last delete, or null if there was none. */
  readonly lastDeletes: Map<number, LastDelete | null>;
}

export interface LastDelete {
  readonly eventId: number;
  /** What its transaction deleted. */
  readonly gone: GoneRows;
}

export interface LoadedTable {
  /** Null: asked for, and not there. */
  readonly rows: Map<number, StoredRow | null>;
  /** Column of the owner → key of the owner → rows in their order. */
  readonly elements: Map<string, Map<number, readonly StoredRow[]>>;
}

/** What a transaction deleted. */
export interface GoneRows {
  readonly transactionId: number;
  readonly rows: Map<number, StoredRow | null>;
  /** Key of the owner → table → key → row. */
  readonly elements: Map<number, Map<string, Map<number, StoredRow>>>;
}

/** How one event sees the store. */
export interface Sight {
  readonly store: RowStore;
  /** Of the changed object. */
  readonly table: string;
  readonly key: number;
  /** Null: there is no such object in this state. */
  readonly row: StoredRow | null;
  /**
   * What was there then and is not live: before a change, what its transaction deleted; and what went with the subscribed
   * object, if that was deleted after the change.
   */
  readonly gone: GoneRows[];
  /** The changed object is the deleted one, so its sub-objects are among what its transaction deleted. */
  readonly isDeleted: boolean;
}

/** Null: not there. Undefined: not asked for yet. */
export function findRow({ store, table, key, row, gone }: Sight, type: ObjectType, wanted: number) {
  if (wanted === key && type.table === table) return row;
  const live = store.tables.get(type.table)?.rows.get(wanted);
  if (live !== null) return live;
  for (const { rows } of gone) {
    const found = rows.get(wanted);
    if (found !== null) return found;
  }
  return null;
}

/** Undefined: not asked for yet. */
export function findElements(
  sight: Sight,
  { of, ownerColumn }: CollectionAttribute,
  ownerKey: number,
): readonly StoredRow[] | undefined {
  const found = storedElements(sight, { of, ownerColumn }, ownerKey);
  return found && sight.table === of.table ? layOver(found, sight, { of, ownerColumn, ownerKey }) : found;
}

function storedElements(
  sight: Sight,
  { of, ownerColumn }: Pick<CollectionAttribute, 'of' | 'ownerColumn'>,
  ownerKey: number,
): readonly StoredRow[] | undefined {
  const gone = goneWith(sight, ownerKey);
  if (!gone) return sight.store.tables.get(of.table)?.elements.get(ownerColumn)?.get(ownerKey);
  const elements = gone.elements.get(ownerKey);
  return elements && sorted([...(elements.get(of.table)?.values() ?? [])], of);
}

/** What an owner that is gone took with it. */
export function goneWith({ gone, isDeleted, key }: Sight, ownerKey: number): GoneRows | undefined {
  return isDeleted && ownerKey === key ? gone[0] : gone.find(({ rows }) => rows.get(ownerKey));
}

export function tableIn(store: RowStore, { table }: ObjectType): LoadedTable {
  return entryOf(store.tables, table, () => ({ rows: new Map(), elements: new Map() }));
}

export function goneIn(store: RowStore, transactionId: number): GoneRows {
  return entryOf(store.gone, transactionId, () => ({ transactionId, rows: new Map(), elements: new Map() }));
}

/** By sequence, then key: as `query/view-columns.ts` has it. */
export function sorted(rows: readonly StoredRow[], { sequence }: ObjectType): readonly StoredRow[] {
  if (rows.length < 2) return rows;
  return [...rows].sort((a, b) => compareRows(a, b, sequence?.column));
}

interface Place {
  of: ObjectType;
  ownerColumn: string;
  ownerKey: number;
}

/** The changed row belongs where it says itself, wherever the live one has moved to. */
function layOver(live: readonly StoredRow[], { key, row }: Sight, { of, ownerColumn, ownerKey }: Place) {
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
