// Compiles the statements that read objects by key as finished JSON, each with its references, sub-objects and state.

import type { Readers } from '../database/statement-batch.ts';
import { quoteName, tableOf } from '../database/tables/identifiers.ts';
import { allFitCondition, objectBound } from './answer-size.ts';
import { selectView } from './select-view.ts';
import { stateExpression } from './sql/state-expression.ts';
import { indent, startStatement } from './sql/statement-builder.ts';
import type { View } from './view.ts';
import { type Links, type Rendering, viewColumns } from './view-columns.ts';

export interface ReadRow {
  /** JSON. */
  object: Buffer;
  state: string;
}

/** For statements that return a `ReadRow`: the object is passed on as it is. */
export const readReaders: Readers = new Map([['object', (text) => Buffer.from(text)]]);

/** Takes the key as its parameter. Returns a `ReadRow`, or no row. Fails if the object is larger than `bound`. */
export function compileRead(view: View, links: Links, bound = objectBound): string {
  const rendering: Rendering = { builder: startStatement(), links };
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

/** The same for objects that belong to users. Takes the key, and the key of the user who must own the object. */
export function compileReadOwn(view: View, links: Links, bound = objectBound): string {
  return `${compileRead(view, links, bound)} and t.${quoteName(view.type.ownedBy!.column)} = $2::bigint`;
}

export interface ReadManyRow {
  /** JSON. */
  object: string;
}

/** Takes an array of keys as its parameter. Returns a `ReadManyRow` for each existing object, in the array's order. */
export function compileReadMany(view: View, links: Links): string {
  return readMany({ builder: startStatement(), links }, view);
}

/** The same for the response to an array POST. Fails if the objects together are too large for one response. */
export function compileReadCreated(view: View, links: Links): string {
  const rendering: Rendering = { builder: startStatement(), links };
  return `${readMany(rendering, view)}\nwhere ${allFitCondition(rendering, view, '$1::bigint[]')}`;
}

/** Returns one row per object, as lists do, so that PostgreSQL never holds the text of more than one. */
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
