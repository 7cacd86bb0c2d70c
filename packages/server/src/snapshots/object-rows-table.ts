// The SQL that loads rows for a batch of events. Live rows, found by key or by owner, are selected as columns
// (`live-columns.ts`). Rows that a transaction deleted are selected as images.

import type { Statement } from '../database/database.ts';
import type { Readers } from '../database/statement-batch.ts';
import { quoteName, tableOf } from '../database/tables/identifiers.ts';
import { entryOf } from '../entry-of.ts';
import { liveColumn } from './live-columns.ts';
import type { WantedTable } from './wanted-tables.ts';

/** Returns a `StoredRow` for each object that exists. */
export function selectRows(table: WantedTable, keys: Iterable<number>): Statement {
  return selectWhere(table, 'key', keys);
}

/** Returns a `StoredRow` for each object that belongs to one of the owners. */
export function selectElements(table: WantedTable, ownerColumn: string, ownerKeys: Iterable<number>): Statement {
  return selectWhere(table, ownerColumn, ownerKeys);
}

export interface InTransaction {
  transactionId: number;
  key: number;
}

export interface DeletedRow {
  id: string;
  transaction_id: string;
  object_type: string;
  object_key: string;
  owner_key: string | null;
  row: string;
}

/** The objects with these keys, if the given transactions deleted them. */
export function selectDeletedRows(wanted: readonly InTransaction[]): Statement {
  return selectDeleted('object_key', wanted);
}

/** The sub-objects of these owners that the given transactions deleted. */
export function selectDeletedElements(owners: readonly InTransaction[]): Statement {
  return selectDeleted('owner_key', owners);
}

/** The objects with these keys as of their last delete, whenever it happened. */
export function selectLastDeletes(keys: Iterable<number>): Statement {
  return {
    text: `select distinct on (e.object_key) ${deletedColumns}
from flaghoist_system.event e where e.object_key = any($1::bigint[]) and e.operation = 'D'
order by e.object_key, e.id desc`,
    values: [arrayOf(keys)],
  };
}

const deletedColumns = `e.id::text as "id", e.transaction_id::text as "transaction_id", e.object_type, e.object_key::text as "object_key",
  e.owner_key::text as "owner_key", e.old_row::text as "row"`;

function selectWhere(table: WantedTable, column: string, keys: Iterable<number>): Statement {
  const { texts, from, readers } = entryOf(selections, table, () => selectionOf(table));
  const text = entryOf(texts, column, () => `${from} where t.${quoteName(column)} = any($1::bigint[])`);
  return { text, values: [arrayOf(keys)], readers };
}

/** The parts shared by all statements on a table; built once. */
interface Selection {
  readonly from: string;
  readonly readers: Readers;
  /** By the column in the WHERE clause. */
  readonly texts: Map<string, string>;
}

const selections = new WeakMap<WantedTable, Selection>();

function selectionOf({ type, columns }: WantedTable): Selection {
  // Sorted, so that the statement text does not depend on the order in which columns were collected.
  const shown = [...columns.keys()]
    .sort()
    .map((name) => ({ name, ...liveColumn(columns.get(name), `t.${quoteName(name)}`) }));
  const list = shown.map(({ name, expression }) => `${expression} as ${quoteName(name)}`).join(', ');
  return {
    from: `select ${list}\nfrom ${tableOf(type)} t`,
    readers: new Map(shown.map(({ name, read }) => [name, read])),
    texts: new Map(),
  };
}

function selectDeleted(column: 'object_key' | 'owner_key', wanted: readonly InTransaction[]): Statement {
  return {
    // The lateral join forces an index lookup per pair, whatever table size the planner assumes.
    text: `select ${deletedColumns}
from unnest($1::text[], $2::bigint[]) as wanted (transaction_id, "key") cross join lateral (
  select * from flaghoist_system.event e where e.${column} = wanted."key" and e.operation = 'D'
    and e.transaction_id = wanted.transaction_id::xid8 offset 0) e
order by e.id`,
    values: [arrayOf(wanted.map(({ transactionId }) => transactionId)), arrayOf(wanted.map(({ key }) => key))],
  };
}

/** A PostgreSQL array literal. The driver would quote each number. */
function arrayOf(numbers: Iterable<number>): string {
  return `{${[...numbers].join(',')}}`;
}
