// The SQL that finds what is, or was, in the hierarchy of an object: one step down from some of its objects.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { quoteLiteral, quoteName, tableOf } from '../database/tables/identifiers.ts';
import type { CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';

export interface MemberFound {
  key: string;
}

/** The sub-objects of these owners, with those that were deleted or moved to another owner. */
export function selectElements(
  { of, ownerColumn }: CollectionAttribute,
  keys: readonly number[],
  membersMax: number,
): Statement {
  return {
    text: `select m."key"::text as "key" from (
  select t."key" from ${tableOf(of)} t where t.${quoteName(ownerColumn)} = any($1::bigint[])
  union
  select e.object_key from flaghoist_system.event e
  where e.owner_key = any($1::bigint[]) and e.object_type = ${quoteLiteral(of.name)}) m
limit $2::int`,
    values: [numberArray(keys), membersMax],
  };
}

/** The objects that a reference of these objects leads to, or led to before one of their changes. */
export function selectReferred(
  type: ObjectType,
  { column }: ReferenceAttribute,
  keys: readonly number[],
  membersMax: number,
): Statement {
  const before = (row: string) => `(e.${row} ->> ${quoteLiteral(column)})::bigint`;
  return {
    text: `select m."key"::text as "key" from (
  select t.${quoteName(column)} as "key" from ${tableOf(type)} t where t."key" = any($1::bigint[])
  union
  select k from flaghoist_system.event e cross join lateral (values (${before('old_row')}), (${before('new_row')})) v (k)
  where e.object_key = any($1::bigint[]) and e.object_type = ${quoteLiteral(type.name)}) m
where m."key" is not null limit $2::int`,
    values: [numberArray(keys), membersMax],
  };
}
