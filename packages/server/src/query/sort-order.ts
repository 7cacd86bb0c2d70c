// The order of a list as SQL: the sort values, the ORDER BY, and the condition for rows after a cursor.

import { sqlTypeOf } from './attributes/attribute-value.ts';
import type { Cursor } from './cursor.ts';
import type { SortTerm } from './sort.ts';
import { addValue, attributeAt, type RowScope } from './sql/statement-builder.ts';

export interface SortColumn {
  term: SortTerm;
  /** The value that rows are sorted by, over the columns of the row and its joins. */
  expression: string;
}

export function sortColumns(scope: RowScope, terms: readonly SortTerm[]): SortColumn[] {
  return terms.map((term) => ({ term, expression: sortExpression(scope, term) }));
}

/** Nulls come last ascending and first descending. That is PostgreSQL's default, so no NULLS clause is needed. */
export function orderBy(columns: readonly SortColumn[], key: string): string {
  return [...columns.map(({ expression, term }) => `${expression}${term.isDescending ? ' desc' : ''}`), key].join(', ');
}

/** The value as the text that `readValue` parses, independent of the session's date style. */
export function sortValueText(term: SortTerm, expression: string): string {
  return term.attribute.kind === 'dateTime' ? `to_json(${expression}) #>> '{}'` : `${expression}::text`;
}

/**
 * Selects the rows after (v1, v2, …, key): s1 after v1, or s1 equal and (s2 after v2, or …). It is written out, because
 * a row comparison supports neither mixed directions nor nulls.
 */
export function afterCondition(scope: RowScope, columns: readonly SortColumn[], cursor: Cursor): string {
  const [first, ...rest] = columns;
  const [value = null, ...values] = cursor.values;
  if (!first) return `${scope.alias}."key" > ${addValue(scope.builder, cursor.key, 'bigint')}`;
  const { expression, term } = first;
  const placed = value === null ? undefined : addValue(scope.builder, value, sqlTypeOf(term.attribute));
  const equal = placed === undefined ? `${expression} is null` : `${expression} = ${placed}`;
  const later = comesLater(expression, placed, term.isDescending);
  const tied = `${equal} and ${afterCondition(scope, rest, { values, key: cursor.key })}`;
  if (later === undefined) return `(${tied})`;
  // The bound follows from the rest. Unlike that, it can be found by an index, and leaves out partitions.
  const isBounded = term.isDescending && placed !== undefined;
  return isBounded ? `(${expression} <= ${placed} and (${later} or ${tied}))` : `(${later} or ${tied})`;
}

/** Undefined if nothing can come later. */
function comesLater(expression: string, value: string | undefined, isDescending: boolean): string | undefined {
  if (value === undefined) return isDescending ? `${expression} is not null` : undefined;
  return isDescending ? `${expression} < ${value}` : `${expression} > ${value} or ${expression} is null`;
}

function sortExpression(scope: RowScope, { path, attribute, ignoresCase }: SortTerm): string {
  const column = attributeAt(scope, path, attribute);
  const isLong = attribute.kind === 'text' && (attribute.maxLength ?? Number.POSITIVE_INFINITY) > sortedLengthMax;
  const compared = isLong ? `left(${column}, ${sortedLengthMax})` : column;
  return ignoresCase ? `lower(${compared})` : compared;
}

// Long texts are sorted by their first characters only, because the cursor must fit in a URL.
const sortedLengthMax = 256;
