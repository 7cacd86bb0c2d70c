// Builds a statement: its parameters, its aliases, and the joins from each row to the objects that it refers to. Values
// never become part of the text.

import { madeFrom, quoteLiteral, quoteName, tableOf } from '../../database/tables/identifiers.ts';
import type { ReferenceAttribute, ScalarAttribute } from '../../model/object-type.ts';

export type StatementValue = string | string[];

export interface StatementBuilder {
  readonly values: StatementValue[];
  aliasCount: number;
}

export function startStatement(): StatementBuilder {
  return { values: [], aliasCount: 0 };
}

/** Returns `$3::numeric`, or `$3::numeric[]` for a list. */
export function addValue(builder: StatementBuilder, value: StatementValue, sqlType: string): string {
  const place = builder.values.push(value);
  return `$${place}::${sqlType}${Array.isArray(value) ? '[]' : ''}`;
}

export function newAlias(builder: StatementBuilder, letter: string): string {
  builder.aliasCount++;
  return `${letter}${builder.aliasCount}`;
}

export interface RowScope {
  readonly builder: StatementBuilder;
  readonly alias: string;
  /** By path. Filters and sorts over the same path share one join. */
  readonly joins: Map<string, { alias: string; text: string }>;
}

export function openScope(builder: StatementBuilder, alias: string): RowScope {
  return { builder, alias, joins: new Map() };
}

/** A column of the object that the path leads to; null if a reference on the path is null. */
export function columnAt(scope: RowScope, path: readonly ReferenceAttribute[], column: string): string {
  const last = path.at(-1);
  // The reference itself holds the key of its object: no join is needed, and the reference's index can be used.
  if (last && column === 'key') return columnAt(scope, path.slice(0, -1), last.column);
  return `${aliasAt(scope, path)}.${quoteName(column)}`;
}

/** The same for an attribute, which need not be a column. */
export function attributeAt(
  scope: RowScope,
  path: readonly ReferenceAttribute[],
  { column, isComputed, memberName }: ScalarAttribute,
): string {
  if (isComputed) return madeFrom(column, columnAt(scope, path, 'key'));
  const value = columnAt(scope, path, column);
  return memberName === undefined ? value : `(${value} ->> ${quoteLiteral(memberName)})`;
}

export function joinsOf(scope: RowScope): string[] {
  return [...scope.joins.values()].map((join) => join.text);
}

/** The row that the path leads to. */
export function aliasAt(scope: RowScope, path: readonly ReferenceAttribute[]): string {
  const last = path.at(-1);
  if (!last) return scope.alias;
  const name = path.map((reference) => reference.name).join('.');
  const known = scope.joins.get(name);
  if (known) return known.alias;
  const reference = columnAt(scope, path.slice(0, -1), last.column);
  const alias = newAlias(scope.builder, 'r');
  scope.joins.set(name, { alias, text: `left join ${tableOf(last.target)} ${alias} on ${alias}."key" = ${reference}` });
  return alias;
}

export function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
