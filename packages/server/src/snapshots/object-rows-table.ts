// The SQL that loads rows as they stand, by key or by owner, as columns (`live-columns.ts`).

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { quoteName, tableOf } from '../database/tables/identifiers.ts';
import { entryOf } from '../entry-of.ts';
import type { ObjectType } from '../model/object-type.ts';
import { liveColumn, liveColumnsOf } from './live-columns.ts';

/**
 * Returns a `LiveRow` for each object whose column has one of the values. The column is `key`, or a column that holds
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
    text: `select ${list}, t.xmin\nfrom ${tableOf(type)} t where t.${quoteName(column)} = any($1::bigint[])`,
    readers: new Map([...columns.map(({ name, read }) => [name, read] as const), ['xmin', Number]]),
  };
}

/**
 * Whether any object was deleted or moved to another owner by this transaction or a later one. Looks at the last one
 * only, which the index has at its end.
 */
export function selectAnyLeft(transactionId: number): Statement {
  return {
    text: `select coalesce((select e.transaction_id from flaghoist_system.event e where e.owner_key is not null
  order by e.transaction_id desc limit 1) >= $1::text::xid8, false) as is_any`,
    values: [String(transactionId)],
  };
}
