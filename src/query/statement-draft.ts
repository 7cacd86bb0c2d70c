// A statement while it is being put together: its parameters, its aliases, and for each row that conditions speak of
// the joins to the objects which that row refers to. Values never become part of the text.

import { madeFrom, quoteName, tableOf } from '../database/identifiers.ts';
import type { Readers } from '../database/statement-batch.ts';
import type { ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';

export interface Statement {
  text: string;
  values: StatementValue[];
  isSeldom?: boolean;
  isLong?: boolean;
  readers?: Readers;
}

export type StatementValue = string | string[];

export interface StatementDraft {
  readonly values: StatementValue[];
  aliasCount: number;
}

export function startStatement(): StatementDraft {
  return { values: [], aliasCount: 0 };
}

/** `$3::numeric`, or `$3::numeric[]` for a list. */
export function addValue(draft: StatementDraft, value: StatementValue, sqlType: string): string {
  const place = draft.values.push(value);
  return `$${place}::${sqlType}${Array.isArray(value) ? '[]' : ''}`;
}

export function newAlias(draft: StatementDraft, letter: string): string {
  draft.aliasCount++;
  return `${letter}${draft.aliasCount}`;
}

export interface RowScope {
  readonly draft: StatementDraft;
  readonly alias: string;
  /** By the names of the path. Filters and sorts over the same path share one join. */
  readonly joins: Map<string, Join>;
}

export interface Join {
  alias: string;
  text: string;
}

export function openScope(draft: StatementDraft, alias: string): RowScope {
  return { draft, alias, joins: new Map() };
}

/** A column of the object that the path leads to; null where a reference on the way is. */
export function columnAt(scope: RowScope, path: readonly ReferenceAttribute[], column: string): string {
  const last = path.at(-1);
  // The key of what is referred to stands in the reference itself: no join is needed, and the reference's index serves.
  if (last && column === 'key') return columnAt(scope, path.slice(0, -1), last.column);
  return `${aliasAt(scope, path)}.${quoteName(column)}`;
}

/** The same of an attribute, which need not be a column. */
export function attributeAt(
  scope: RowScope,
  path: readonly ReferenceAttribute[],
  { column, isMade }: ScalarAttribute,
): string {
  return isMade ? madeFrom(column, columnAt(scope, path, 'key')) : columnAt(scope, path, column);
}

export function joinsOf(scope: RowScope): string[] {
  return [...scope.joins.values()].map((join) => join.text);
}

function aliasAt(scope: RowScope, path: readonly ReferenceAttribute[]): string {
  const last = path.at(-1);
  if (!last) return scope.alias;
  const name = path.map((reference) => reference.name).join('.');
  const known = scope.joins.get(name);
  if (known) return known.alias;
  const reference = columnAt(scope, path.slice(0, -1), last.column);
  const alias = newAlias(scope.draft, 'r');
  scope.joins.set(name, { alias, text: `left join ${tableOf(last.target)} ${alias} on ${alias}."key" = ${reference}` });
  return alias;
}

export function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
