// Lists of a type whose table has one partition per day, in the order of `createdDate`. PostgreSQL reads the days one
// after the other, and stops when the page is full, if it knows that no other partition has rows in between. The default
// partition could have some. So the days are read by a query of their own, and what is in no day by another.
//
// Otherwise the first match of every day is looked for: with one match in a month, the whole month is read.

import type { Statement } from '../database/database.ts';
import { quoteLiteral, tableOf } from '../database/tables/identifiers.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { ListRequest } from './list-request.ts';

/** From the oldest day to the one after the newest. If some have been added or dropped since, only time is lost. */
export interface KeptDays {
  from: string;
  to: string;
}

/** Returns a row of `KeptDays`, with nulls if there are none. */
export function selectKeptDays(type: ObjectType): Statement {
  return {
    text: `select flaghoist_system.oldest_day($1::regclass)::text as "from",
  (flaghoist_system.newest_day($1::regclass) + 1)::text as "to"`,
    values: [tableOf(type)],
  };
}

/** Whether the list is in the order of `createdDate`, and from its beginning or a cursor. */
export function isByDay({ type, sorts, page }: ListRequest): boolean {
  const [first] = sorts;
  return type.isKeptInDays && first?.path.length === 0 && first.attribute.name === 'createdDate' && page.offset === 0;
}

/** SQL conditions: the rows of the days, and the others. Dates are part of the text, because the plan depends on them. */
export function dayConditions({ from, to }: KeptDays): [inDays: string, inNone: string] {
  const [first, last] = [from, to].map((day) => `timestamp ${quoteLiteral(day)}`);
  return [
    `t.created_date >= ${first} and t.created_date < ${last}`,
    `(t.created_date < ${first} or t.created_date >= ${last})`,
  ];
}
