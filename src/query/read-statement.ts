// The statement that reads objects by their keys, each with its references, sub-objects and state, as finished JSON.

import { quoteName, tableOf } from '../database/identifiers.ts';
import { keepBytes } from '../database/keep-bytes.ts';
import type { Readers } from '../database/statement-batch.ts';
import { selectView } from './select-view.ts';
import { stateExpression } from './state-expression.ts';
import { indent, startStatement } from './statement-draft.ts';
import type { View } from './view.ts';
import type { Links, Rendering } from './view-columns.ts';

export interface ReadRow {
  /** JSON. */
  object: Buffer;
  state: string;
}

/** For statements that answer a `ReadRow`: the object goes out as the bytes that came. */
export const readReaders: Readers = new Map([['object', keepBytes]]);

export interface ReadManyRow {
  key: string;
  /** JSON. */
  object: string;
  state: string;
}

/** Takes the key as its parameter; answers a `ReadRow`, or no row. */
export function compileRead(view: View, links: Links): string {
  return [`select ${shownColumns(view, links)}`, `where t."key" = $1::bigint`].join('\n');
}

/** The same for objects that belong to users: takes the key, and that of the user whose object it has to be. */
export function compileReadOwn(view: View, links: Links): string {
  return `${compileRead(view, links)} and t.${quoteName(view.type.ownedBy!.column)} = $2::bigint`;
}

/** Takes an array of keys as its parameter; answers one row: `array`, a JSON array in the order of the keys. */
export function compileReadArray(view: View, links: Links): string {
  const rendering: Rendering = { draft: startStatement(), links };
  return [
    `select flaghoist_system.bounded('[' || coalesce(string_agg(row_to_json(v.*)::text, ',' order by wanted.place), '') || ']') as "array"`,
    `from ${tableOf(view.type)} t`,
    `join unnest($1::bigint[]) with ordinality as wanted ("key", place) on wanted."key" = t."key"`,
    `cross join lateral (`,
    `  ${indent(selectView(rendering, view, 't'))}`,
    `) v`,
  ].join('\n');
}

/** Takes an array of keys as its parameter; answers a `ReadManyRow` for each that exists, in the order of the array. */
export function compileReadMany(view: View, links: Links): string {
  return [
    `select t."key"::text as "key", ${shownColumns(view, links)}`,
    `join unnest($1::bigint[]) with ordinality as wanted ("key", place) on wanted."key" = t."key"`,
    'order by wanted.place',
  ].join('\n');
}

function shownColumns(view: View, links: Links): string {
  const rendering: Rendering = { draft: startStatement(), links };
  return [
    `flaghoist_system.bounded(row_to_json(v.*)::text) as "object",`,
    `  ${indent(stateExpression(view.type, 't'))} as "state"`,
    `from ${tableOf(view.type)} t`,
    `cross join lateral (`,
    `  ${indent(selectView(rendering, view, 't'))}`,
    `) v`,
  ].join('\n');
}
