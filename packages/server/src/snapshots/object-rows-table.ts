// The SQL that loads rows for a batch of events. Live rows, found by key or by owner, are selected as columns
// (`live-columns.ts`). Rows that a transaction deleted are selected as images.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { quoteName, tableOf } from '../database/tables/identifiers.ts';
import { entryOf } from '../entry-of.ts';
import type { ObjectType } from '../model/object-type.ts';
import { liveColumn, liveColumnsOf } from './live-columns.ts';

/**
 * Returns a `StoredRow` for each object whose column has one of the values. The column is `key`, or a column that holds
 * the key of an owner.
 */
export function selectLive(type: ObjectType, column: string, values: Iterable<number>): Statement {
  const selections = entryOf(selectionsOfTypes, type, () => new Map<string, Selection>());
  const selection = entryOf(selections, column, () => selectionOf(type, column));
  return { ...selection, values: [numberArray([...values])] };
}

type Selection = Pick<Statement, 'text' | 'readers'>;

/** By type and column. */
const selectionsOfTypes = new WeakMap<ObjectType, Map<string, Selection>>();

function selectionOf(type: ObjectType, column: string): Selection {
  const stored = liveColumnsOf(type);
  // The subscriber may not see the attribute that refers to the owner.
  const columns = stored.some(({ name }) => name === column) ? stored : [...stored, liveColumn(column, 'key')];
  const list = columns.map(({ name, expression }) => `${expression} as ${quoteName(name)}`).join(', ');
  return {
    text: `select ${list}\nfrom ${tableOf(type)} t where t.${quoteName(column)} = any($1::bigint[])`,
    readers: new Map(columns.map(({ name, read }) => [name, read])),
  };
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

/** The rows that the given transactions deleted: those with these keys, or the sub-objects of these owners. */
export function selectDeleted(column: 'object_key' | 'owner_key', wanted: readonly InTransaction[]): Statement {
  return {
    // The lateral join forces an index lookup per pair, whatever table size the planner assumes.
    text: `select ${deletedColumns}
from unnest($1::text[], $2::bigint[]) as wanted (transaction_id, "key") cross join lateral (
  select * from flaghoist_system.event e where e.${column} = wanted."key" and e.operation = 'D'
    and e.transaction_id = wanted.transaction_id::xid8 offset 0) e
order by e.id`,
    values: [numberArray(wanted.map(({ transactionId }) => transactionId)), numberArray(wanted.map(({ key }) => key))],
  };
}

/** The objects with these keys as of their last delete, whenever it happened. */
export function selectLastDeletes(keys: Iterable<number>): Statement {
  return {
    text: `select distinct on (e.object_key) ${deletedColumns}
from flaghoist_system.event e where e.object_key = any($1::bigint[]) and e.operation = 'D'
order by e.object_key, e.id desc`,
    values: [numberArray([...keys])],
  };
}

const deletedColumns = `e.id::text as "id", e.transaction_id::text as "transaction_id", e.object_type,
  e.object_key::text as "object_key", e.owner_key::text as "owner_key", e.old_row::text as "row"`;
