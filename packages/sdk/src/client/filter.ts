// Renders filters and sorts as the service reads them (docs/how-to/query-objects.md). Values are quoted, so that none can
// end its filter.

import type { Catalogue } from '../catalogue.ts';
import { FlaghoistError } from '../flaghoist-error.ts';
import type { PathOf } from '../objects/paths.ts';

/** A text is sent as it is: `eta(NOTNULL)`, `(OR)`. */
export type Filter<T, C = Catalogue> =
  | string
  | readonly [path: PathOf<T, C>, operator: 'NULL' | 'NOTNULL']
  | readonly [path: PathOf<T, C>, operator: Comparison, value: FilterValue]
  | readonly [path: PathOf<T, C>, operator: 'IN' | 'NIN', values: readonly FilterValue[]]
  | readonly [path: PathOf<T, C>, operator: 'BETWEEN', range: readonly [from: FilterValue, to: FilterValue]];

type Comparison = 'EQ' | 'NE' | 'GT' | 'GTE' | 'LT' | 'LTE' | 'LIKE' | 'ILIKE';

export type FilterValue = string | number | boolean | Date;

type AnyFilter = string | readonly [path: string, operator: string, value?: FilterValue | readonly FilterValue[]];

export function renderFilter(filter: AnyFilter): string {
  if (typeof filter === 'string') return filter;
  const [path, operator, value] = filter;
  if (value === undefined) return `${path}(${operator})`;
  const operand = Array.isArray(value) ? `(${value.map(renderValue).join(',')})` : renderValue(value as FilterValue);
  return `${path}(${operator})${operand}`;
}

function renderValue(value: FilterValue): string {
  if (value instanceof Date) return renderDate(value);
  if (typeof value !== 'string') return String(value);
  // NUL and halves of surrogate pairs: the database cannot store them, so nothing could match.
  if (/\0|\p{Surrogate}/u.test(value))
    throw new FlaghoistError('invalidRequest', 'A filter cannot contain a NUL or half of a surrogate pair.');
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** In UTC, without milliseconds: the service has none. */
function renderDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new FlaghoistError('invalidRequest', 'A filter has an invalid date.');
  return date.toISOString().slice(0, 19);
}
