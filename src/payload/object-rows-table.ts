// The SQL that loads rows for a batch of events: live ones by key or by owner, which come as their columns (`live-columns.ts`), and
// those that a transaction deleted, which come as their images.

import type { Statement } from '../database/database.ts';
import { quoteName, tableOf } from '../database/identifiers.ts';
import type { Readers } from '../database/statement-batch.ts';
import { entryOf } from './entry-of.ts';
import { liveColumn } from './live-columns.ts';
import type { WantedTable } from './wanted-tables.ts';

/** Answers a `StoredRow` for each object that is there. */
export function selectRows(table: WantedTable, keys: Iterable<number>): Statement {
  return selectWhere(table, 'key', keys);
}

/** Answers a `StoredRow` for each object that belongs to one of the owners. */
export function selectElements(table: WantedTable, ownerColumn: string, ownerKeys: Iterable<number>): Statement {
  return selectWhere(table, ownerColumn, ownerKeys);
}

export interface InTransaction {
  transactionId: number;
  key: number;
}

export interface GoneRow {
  id: string;
  transaction_id: string;
  object_type: string;
  object_key: string;
  owner_key: string | null;
  row: string;
}

/** The objects with these keys that these transactions deleted. */
export function selectGoneRows(wanted: readonly InTransaction[]): Statement {
  return selectGone('object_key', wanted);
}

/** What these transactions deleted of the objects with these keys. */
export function selectGoneElements(owners: readonly InTransaction[]): Statement {
  return selectGone('owner_key', owners);
}

/** The objects with these keys as they were when they were deleted, whenever that was. */
export function selectLastDeletes(keys: Iterable<number>): Statement {
  return {
    text: `select distinct on (e.object_key) ${goneColumns}
from flaghoist_system.event e where e.object_key = any($1::bigint[]) and e.operation = 'D'
order by e.object_key, e.id desc`,
    values: [arrayOf(keys)],
  };
}

const goneColumns = `e.id::text as "id", e.transaction_id::text as "transaction_id", e.object_type, e.object_key::text as "object_key",
  e.owner_key::text as "owner_key", e.old_row::text as "row"`;

function selectWhere(table: WantedTable, column: string, keys: Iterable<number>): Statement {
  const { texts, from, readers } = entryOf(selections, table, () => selectionOf(table));
  const text = entryOf(texts, column, () => `${from} where t.${quoteName(column)} = any($1::bigint[])`);
  return { text, values: [arrayOf(keys)], readers };
}

/** What statements of a table have in common; made once. */
interface Selection {
  readonly from: string;
  readonly readers: Readers;
  /** By the column that is looked at. */
  readonly texts: Map<string, string>;
}

const selections = new WeakMap<WantedTable, Selection>();

function selectionOf({ type, columns }: WantedTable): Selection {
  // Sorted, so that the text is the same however the columns were gathered.
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

function selectGone(column: 'object_key' | 'owner_key', wanted: readonly InTransaction[]): Statement {
  return {
    // By index for each, whatever the planner thinks of the size of the table.
    text: `select ${goneColumns}
from unnest($1::text[], $2::bigint[]) as wanted (transaction_id, "key") cross join lateral (
  select * from flaghoist_system.event e where e.${column} = wanted."key" and e.operation = 'D'
    and e.transaction_id = wanted.transaction_id::xid8 offset 0) e
order by e.id`,
    values: [arrayOf(wanted.map(({ transactionId }) => transactionId)), arrayOf(wanted.map(({ key }) => key))],
  };
}

/** As PostgreSQL writes an array of numbers; the driver would quote each of them. */
function arrayOf(numbers: Iterable<number>): string {
  return `{${[...numbers].join(',')}}`;
}
