// Compiles the statement of a list. The first row holds the number of matches and the position of the next page. Each
// further row is one object as finished JSON, so that the server never holds a whole page as text. Values are sent as
// parameters; only the limit and the offset, both checked integers, are part of the text.

import type { Statement } from '../database/database.ts';
import { quoteName, tableOf } from '../database/tables/identifiers.ts';
import { filterCondition } from './filter/filter-condition.ts';
import { asksCollections } from './filter/filter-group.ts';
import { dayConditions, type KeptDays } from './kept-days.ts';
import type { ListRequest } from './list-request.ts';
import { isLongList } from './long-request.ts';
import { objectsMax } from './page.ts';
import { objectReaders, selectView } from './read-statement.ts';
import { afterCondition, orderBy, type SortColumn, sortColumns, sortValueText } from './sort-order.ts';
import { addValue, indent, joinsOf, openScope, type RowScope, startStatement } from './sql/statement-builder.ts';
import { columnsRead, type Links, type Rendering } from './view-columns.ts';

export interface ListHead {
  /** The number of all matches; null if they are not counted. */
  total: string | null;
  count: number;
  has_more: boolean;
  /** JSON of the last row's sort values and key, for `renderCursor`; null if no page follows. */
  cursor: string | null;
}

export interface ListRows {
  head: ListHead;
  /** JSON objects; empty if there are too many for one response. */
  objects: Buffer[];
}

/** The head comes first, then the objects in list order. Columns that a row does not use are null. */
export function splitList([head, ...rows]: readonly unknown[]): ListRows {
  return { head: head as ListHead, objects: rows.map((row) => (row as { object: Buffer }).object) };
}

/** `days`: for a list by day (`kept-days.ts`). */
export function compileList(request: ListRequest, links: Links, days?: KeptDays): Statement & { values: unknown[] } {
  const { page, sorts, type } = request;
  const builder = startStatement();
  const scope = openScope(builder, 't');
  const table = `from ${tableOf(type)} t`;
  const conditions = [userCondition(scope, request), filterCondition(scope, request.filters)];
  // Counting needs only the joins of the filters, not those of the sorts.
  const matches = [table, ...joinsOf(scope), ...where(conditions)];
  const columns = sortColumns(scope, sorts);
  const after = page.after && afterCondition(scope, columns, page.after);
  const joined = [table, ...joinsOf(scope)];
  const rests = (days ? dayConditions(days) : [undefined]).map((part) => [
    ...joined,
    ...where([...conditions, after, part]),
  ]);
  const carried = carriedColumns(request, joinsOf(scope).length > 0);
  const head = [
    `${request.countsAll ? totalExpression(request, matches) : 'null::text'} as "total"`,
    `least(p.found, ${limitOf(request)}) as "count"`,
    `p.found > ${limitOf(request)} as "has_more"`,
    `${cursorExpression(request)} as "cursor"`,
    'null::json as "object"',
  ];
  const lines = [
    `with page as ${subselect(pageLines(request, carried, columns, rests))},`,
    'p as (select count(*)::integer as found from page)',
    `select\n  ${indent(head.join(',\n'))}`,
    'from p',
    'union all',
    ...objectLines({ builder, links }, request, carried),
  ];
  return {
    text: lines.join('\n'),
    values: builder.values,
    isSeldom: isPlannedAnew(request),
    isLong: isLongList(request),
    readers: objectReaders,
  };
}

/**
 * The offset is part of the text, so every page except the first has its own text. A plan that is kept for a filter of
 * the log does not know its value: it would walk a million notifications for the twenty of a rare type.
 */
function isPlannedAnew({ page, type, filters, onlyUser }: ListRequest): boolean {
  return page.offset > 0 || (type.isKeptInDays && (filters.length > 0 || onlyUser !== undefined));
}

function userCondition({ builder }: RowScope, { type, onlyUser }: ListRequest): string | undefined {
  if (onlyUser === undefined) return undefined;
  return `t.${quoteName(type.ownedBy!.column)} = ${addValue(builder, String(onlyUser), 'bigint')}`;
}

type Carried = 'all' | 'key';

function limitOf({ page }: ListRequest): number {
  return page.limit ?? objectsMax;
}

/**
 * Which columns the rows of the page carry. If only the type's own table decides, an index is walked in list order up
 * to the limit. The page then carries everything that is shown. If other tables decide, all matches are found and
 * sorted first. The rows then carry only the key, from indexes, and only the objects of the page are read again. At
 * 1,000,000 rows with 500 matches that took 1.5 ms instead of 2.0 ms; on an index walk it would cost 0.2 ms more.
 */
function carriedColumns({ filters }: ListRequest, isJoined: boolean): Carried {
  return isJoined || filters.some(asksCollections) ? 'key' : 'all';
}

/**
 * Reads one row more than the page has, to find out whether another page follows. `rests`: FROM and WHERE of one query,
 * or of several whose rows are put together.
 */
function pageLines(request: ListRequest, carried: Carried, columns: SortColumn[], rests: string[][]): string[] {
  const stored = (carried === 'all' ? columnsRead(request.view) : ['key']).map((column) => `t.${quoteName(column)}`);
  const sorted = columns.map(({ expression }, index) => `${expression} as ${sortName(index)}`);
  const { offset } = request.page;
  const limit = `limit ${limitOf(request) + 1}`;
  const limited = rests.map((rest) => [
    `select ${[...stored, ...sorted].join(', ')}`,
    ...rest,
    `order by ${orderBy(columns, 't."key"')}`,
    `${limit}${offset > 0 ? ` offset ${offset}` : ''}`,
  ]);
  const order = orderBy(namedColumns(request), 't."key"');
  const numbered = `select t.*, row_number() over (order by ${order}) as "row number"`;
  if (limited.length === 1) return [numbered, `from ${subselect(limited[0]!)} t`];
  const all = subselect([limited.map((lines) => subselect(lines)).join('\nunion all\n')]);
  return [numbered, `from ${all} t`, `order by ${order}`, limit];
}

/** No attribute has a column with a space in its name. */
function sortName(index: number): string {
  return `"sort ${index + 1}"`;
}

/** The sort columns, by their names outside of the page's own SELECT. */
function namedColumns(request: ListRequest): SortColumn[] {
  return request.sorts.map((term, index) => ({ term, expression: `t.${sortName(index)}` }));
}

/**
 * A list without `limit` that has too many objects is not rendered, because the caller rejects it. Rows are sorted
 * before they are rendered: sorting the finished texts would hold all of them at once.
 */
function objectLines(rendering: Rendering, request: ListRequest, carried: Carried): string[] {
  return [
    'select null, null, null, null, row_to_json(v.*)',
    `from ${subselect(orderedLines(request, carried))} t`,
    `cross join lateral ${subselect([selectView(rendering, request.view, 't')])} v`,
  ];
}

function orderedLines({ type, page }: ListRequest, carried: Carried): string[] {
  const isShown = page.limit === undefined ? `p.found <= ${objectsMax}` : `k."row number" <= ${page.limit}`;
  const source = page.limit === undefined ? 'p cross join page k' : 'page k';
  if (carried === 'all') return ['select k.*', `from ${source}`, `where ${isShown}`, 'order by k."row number"'];
  return [
    'select t.*',
    `from ${source} join ${tableOf(type)} t on t."key" = k."key"`,
    `where ${isShown}`,
    'order by k."row number"',
  ];
}

/** On the last page the total is already known. Otherwise the matches are counted. */
function totalExpression(request: ListRequest, matches: string[]): string {
  const { after, offset } = request.page;
  const counted = subselect(['select count(*)', ...matches]);
  if (after) return `${counted}::text`;
  const isKnown = `p.found <= ${limitOf(request)}${offset > 0 ? ' and p.found > 0' : ''}`;
  return `(case when ${isKnown} then ${offset} + p.found::bigint else ${counted} end)::text`;
}

function cursorExpression(request: ListRequest): string {
  const limit = limitOf(request);
  const values = namedColumns(request).map(({ term, expression }) => sortValueText(term, expression));
  return subselect([
    `select json_build_array(${[...values, 't."key"::text'].join(', ')})::text`,
    `from page t where t."row number" = ${limit} and p.found > ${limit}`,
  ]);
}

function where(conditions: (string | undefined)[]): string[] {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? [] : [`where ${given.join('\nand ')}`];
}

function subselect(lines: string[]): string {
  return `(\n  ${indent(lines.join('\n'))}\n)`;
}
