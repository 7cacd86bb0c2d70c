// Parses the query and headers of a GET, of a list (`parseListRequest`) or of one object (`parseReadRequest`).

import { quoteText } from '@flaghoist/source-text';
import { ApiError } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';
import { listMark } from './cursor.ts';
import { parseFieldSelectionText } from './field-selection.ts';
import type { FilterGroup } from './filter/filter-group.ts';
import { parseFilters } from './filter/parse-filters.ts';
import { type Page, parsePage } from './page.ts';
import { checkParameters, firstValue, type KnownParameters, type QueryParameter, valuesOf } from './query-parameter.ts';
import { parseSorts, type SortTerm } from './sort.ts';
import { minimizedView, type View, wholeView } from './view.ts';

export interface ListRequest {
  readonly type: ObjectType;
  readonly view: View;
  /** At least one of them must match; if empty, everything matches. */
  readonly filters: readonly FilterGroup[];
  readonly sorts: readonly SortTerm[];
  readonly page: Page;
  readonly countsAll: boolean;
  /** The user whose objects are listed; undefined: those of all users. */
  readonly onlyUser: number | undefined;
  /** Ties the cursors to this list. */
  readonly mark: string;
  /** The query as sent, for the links to the other pages. */
  readonly query: readonly QueryParameter[];
}

export interface ListLimits {
  filtersMax: number;
}

export interface RequestHeaders {
  fields?: string | undefined;
  noCount?: string | undefined;
}

export function parseListRequest(
  type: ObjectType,
  query: readonly QueryParameter[],
  headers: RequestHeaders,
  limits: ListLimits = { filtersMax: 100 },
  onlyUser?: number,
): ListRequest {
  checkParameters(query, listParameters);
  const view = requestedView(type, query, headers) ?? minimizedView(type);
  const filterTexts = valuesOf(query, 'filter');
  const sortTexts = valuesOf(query, 'sort');
  const filters = parseFilters(filterTexts, type, limits.filtersMax);
  const sorts = parseSorts(sortTexts, type);
  const mark = listMark(type.name, filterTexts, sortTexts);
  const page = parsePage(query, mark, sorts);
  return { type, view, filters, sorts, page, countsAll: !parseNoCount(headers.noCount), onlyUser, mark, query };
}

/** The view that a GET of one object, or the response to a write, shows. */
export function parseReadRequest(type: ObjectType, query: readonly QueryParameter[], headers: RequestHeaders): View {
  checkParameters(query, readParameters);
  return requestedView(type, query, headers) ?? wholeView(type);
}

const listParameters: KnownParameters = new Map([
  ['fields', 'once'],
  ['filter', 'repeatable'],
  ['sort', 'repeatable'],
  ['pageNumber', 'once'],
  ['limit', 'once'],
  ['after', 'once'],
]);

const readParameters: KnownParameters = new Map([['fields', 'once']]);

function requestedView(type: ObjectType, query: readonly QueryParameter[], headers: RequestHeaders): View | undefined {
  const parameter = firstValue(query, 'fields');
  if (parameter !== undefined && headers.fields !== undefined && parameter !== headers.fields) {
    throw new ApiError('invalidFields', 'The header "fields" and the query parameter "fields" differ; give only one.');
  }
  const text = parameter ?? headers.fields;
  if (text === undefined) return undefined;
  return text.trim() === wholeObject ? wholeView(type) : parseFieldSelectionText(text, type);
}

/** `fields` in place of a selection: each object is shown as a request for it alone shows it, in lists too. */
const wholeObject = '"*"';

function parseNoCount(header = 'NO'): boolean {
  const value = header.toUpperCase();
  if (value === 'YES' || value === 'NO') return value === 'YES';
  throw new ApiError('invalidHeader', `The header "noCount" must be YES or NO, but it is ${quoteText(header)}.`);
}
