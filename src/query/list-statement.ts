// The statement of a list: one row with the page as finished JSON, the number of all matches, and where the next page
// starts. Values travel as parameters; only the limit and the offset, both checked integers, stand in the text.

import { quoteName, tableOf } from '../database/identifiers.ts';
import { filterCondition } from './filter/filter-condition.ts';
import { asksCollections } from './filter/filter-group.ts';
import type { ListRequest } from './list-request.ts';
import { objectsMax } from './page.ts';
import { afterCondition, orderBy, type SortColumn, sortColumns, sortValueText } from './sort-order.ts';
import {
  addValue,
  indent,
  joinsOf,
  openScope,
  type RowScope,
  type Statement,
  startStatement,
} from './statement-draft.ts';
import { columnsRead, type Links, type Rendering, viewColumns } from './view-columns.ts';

export interface ListRow {
  /** Of all matches; absent if they are not counted. */
  total?: string;
  /** JSON objects joined by commas; empty where there are none, and where there are too many for one answer. */
  objects: string;
  count: number;
  has_more: boolean;
  /** JSON of the last row's sort values and key, for `renderCursor`; null where nothing follows. */
  cursor: string | null;
}

export function compileList(request: ListRequest, links: Links): Statement {
  const { page, sorts, type } = request;
  const draft = startStatement();
  const scope = openScope(draft, 't');
  const table = `from ${tableOf(type)} t`;
  const filter = joinConditions([userCondition(scope, request), filterCondition(scope, request.filters)]);
  // What is counted needs the joins of the filters only, not those of the sorts.
  const matches = [table, ...joinsOf(scope), ...where([filter])];
  const columns = sortColumns(scope, sorts);
  const after = page.after && afterCondition(scope, columns, page.after);
  const rest = [table, ...joinsOf(scope), ...where([filter, after])];
  const carried = carriedColumns(request, joinsOf(scope).length > 0);
  const answer = [
    ...(request.countsAll ? [`${totalExpression(request, matches)} as "total"`] : []),
    `${objectsExpression({ draft, links }, request, carried)} as "objects"`,
    `least(p.found, ${limitOf(request)}) as "count"`,
    `p.found > ${limitOf(request)} as "has_more"`,
    `${cursorExpression(request)} as "cursor"`,
  ];
  const lines = [
    `with page as ${subselect(pageLines(request, carried, columns, rest))}`,
    `select\n  ${indent(answer.join(',\n'))}`,
    'from (select count(*)::integer as found from page) p',
  ];
  // The offset stands in the text: each page but the first is a text of its own.
  return { text: lines.join('\n'), values: draft.values, isSeldom: page.offset > 0 };
}

function userCondition({ draft }: RowScope, { type, onlyUser }: ListRequest): string | undefined {
  if (onlyUser === undefined) return undefined;
  return `t.${quoteName(type.ownedBy!.column)} = ${addValue(draft, String(onlyUser), 'bigint')}`;
}

function joinConditions(conditions: (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? undefined : given.join('\nand ');
}

type Carried = 'all' | 'key';

function limitOf({ page }: ListRequest): number {
  return page.limit ?? objectsMax;
}

/**
 * What the rows of the page carry. Where the table itself decides what is in it, an index is walked in the order of the
 * list up to the limit, and the page carries all that is shown. Where other tables decide, all matches are found and
 * sorted first: then by key alone, from indexes, and only the page itself is read again (at 1,000,000 rows with 500
 * matches that took 1.5 instead of 2.0 ms; on an index walk it would cost 0.2 ms more).
 */
function carriedColumns({ filters }: ListRequest, isJoined: boolean): Carried {
  return isJoined || filters.some(asksCollections) ? 'key' : 'all';
}

/** One row more than the page has tells whether anything follows. */
function pageLines(request: ListRequest, carried: Carried, columns: SortColumn[], rest: string[]): string[] {
  const stored = (carried === 'all' ? columnsRead(request.view) : ['key']).map((column) => `t.${quoteName(column)}`);
  const sorted = columns.map(({ expression }, index) => `${expression} as ${sortName(index)}`);
  const { offset } = request.page;
  const limited = [
    `select ${[...stored, ...sorted].join(', ')}`,
    ...rest,
    `order by ${orderBy(columns, 't."key"')}`,
    `limit ${limitOf(request) + 1}${offset > 0 ? ` offset ${offset}` : ''}`,
  ];
  const order = orderBy(namedColumns(request), 't."key"');
  return [`select t.*, row_number() over (order by ${order}) as "row number"`, `from ${subselect(limited)} t`];
}

/** A name with a space in it can be the column of no attribute. */
function sortName(index: number): string {
  return `"sort ${index + 1}"`;
}

/** The sort columns as they are called outside of the page's own SELECT. */
function namedColumns(request: ListRequest): SortColumn[] {
  return request.sorts.map((term, index) => ({ term, expression: `t.${sortName(index)}` }));
}

/** A list without `limit` that has too many objects is not rendered at all: the caller refuses it. */
function objectsExpression(rendering: Rendering, { type, view, page }: ListRequest, carried: Carried): string {
  const source = carried === 'all' ? 'page t' : `page k join ${tableOf(type)} t on t."key" = k."key"`;
  const place = carried === 'all' ? 't."row number"' : 'k."row number"';
  return subselect([
    `select flaghoist_system.bounded(coalesce(string_agg(row_to_json(v.*)::text, ',' order by ${place}), ''))`,
    `from ${source}, lateral ${subselect([`select ${indent(viewColumns(rendering, view, 't'))}`])} v`,
    `where ${page.limit === undefined ? `p.found <= ${objectsMax}` : `${place} <= ${page.limit}`}`,
  ]);
}

/** The last page has told already how many there are; anything else has to be counted. */
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
