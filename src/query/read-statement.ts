// The statement that reads objects by their keys, each with its references, sub-objects and state, as finished JSON.

import { quoteName, tableOf } from '../database/identifiers.ts';
import { keepBytes } from '../database/keep-bytes.ts';
import type { Readers } from '../database/statement-batch.ts';
import { allFitCondition, objectBound } from './answer-size.ts';
import { selectView } from './select-view.ts';
import { stateExpression } from './state-expression.ts';
import { indent, startStatement } from './statement-draft.ts';
import type { View } from './view.ts';
import { type Links, type Rendering, viewColumns } from './view-columns.ts';

export interface ReadRow {
  /** JSON. */
  object: Buffer;
  state: string;
}

/** For statements that answer a `ReadRow`: the object goes out as the bytes that came. */
export const readReaders: Readers = new Map([['object', keepBytes]]);

/** Takes the key as its parameter; answers a `ReadRow`, or no row. Fails where the object is larger than `bound`. */
export function compileRead(view: View, links: Links, bound = objectBound): string {
  const rendering: Rendering = { draft: startStatement(), links };
  return [
    'select row_to_json(v.*) as "object",',
    `  ${indent(stateExpression(view.type, 't'))} as "state"`,
    `from ${tableOf(view.type)} t`,
    'cross join lateral (',
    `  ${indent(selectView(rendering, view, 't', bound))}`,
    ') v',
    'where t."key" = $1::bigint',
  ].join('\n');
}

/** The same for objects that belong to users: takes the key, and that of the user whose object it has to be. */
export function compileReadOwn(view: View, links: Links, bound = objectBound): string {
  return `${compileRead(view, links, bound)} and t.${quoteName(view.type.ownedBy!.column)} = $2::bigint`;
}

export interface ReadManyRow {
  /** JSON. */
  object: string;
}

/** Takes an array of keys as its parameter; answers a `ReadManyRow` for each that exists, in the order of the array. */
export function compileReadMany(view: View, links: Links): string {
  return readMany({ draft: startStatement(), links }, view);
}

/** The same for the answer to an array POST. Fails where the objects together are too large for one answer. */
export function compileReadCreated(view: View, links: Links): string {
  const rendering: Rendering = { draft: startStatement(), links };
  return `${readMany(rendering, view)}\nwhere ${allFitCondition(rendering, view, '$1::bigint[]')}`;
}

/** One row for each object, as lists have: PostgreSQL never holds the text of more than one. */
function readMany(rendering: Rendering, view: View): string {
  const wanted = 'unnest($1::bigint[]) with ordinality as wanted ("key", place)';
  return [
    'select row_to_json(v.*)::text as "object"',
    `from (select t.* from ${wanted} join ${tableOf(view.type)} t on t."key" = wanted."key" order by wanted.place) t`,
    'cross join lateral (',
    `  select ${indent(viewColumns(rendering, view, 't'))}`,
    ') v',
  ].join('\n');
}
