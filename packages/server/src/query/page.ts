// Parses which part of a list is requested: `limit`, `pageNumber`, and `after`, which replaces the offset.

import { quoteText } from '@flaghoist/source-text';
import { ApiError } from '../errors.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import { firstValue, type QueryParameter } from './query-parameter.ts';
import type { SortTerm } from './sort.ts';

/** The most objects in one response, with or without paging. */
export const objectsMax = 2000;

/** With the largest limit, the number of the last object on the page after it is still exact. */
export const pageNumberMax = Math.floor(Number.MAX_SAFE_INTEGER / objectsMax) - 1;

export interface Page {
  /** Undefined: the whole list, if it has at most `objectsMax` objects. */
  limit: number | undefined;
  /** Starts at 1. With a cursor, it only numbers the links. */
  number: number;
  /** How many objects precede the page; 0 with a cursor. */
  offset: number;
  after: Cursor | undefined;
}

export function parsePage(query: readonly QueryParameter[], listMark: string, sorts: readonly SortTerm[]): Page {
  const isPaged = query.some(([name]) => name === 'limit' || name === 'pageNumber' || name === 'after');
  const limit = parseCount(query, 'limit', objectsMax) ?? objectsMax;
  const number = parseCount(query, 'pageNumber', pageNumberMax) ?? 1;
  const after = parseAfter(firstValue(query, 'after'), listMark, sorts);
  return { limit: isPaged ? limit : undefined, number, offset: after ? 0 : (number - 1) * limit, after };
}

function parseCount(query: readonly QueryParameter[], name: string, max: number): number | undefined {
  const text = firstValue(query, name);
  if (text === undefined) return undefined;
  const count = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw invalidPage(`"${name}" must be an integer from 1 to ${max}, but it is ${quoteText(text)}.`);
}

function parseAfter(text: string | undefined, listMark: string, sorts: readonly SortTerm[]): Cursor | undefined {
  if (text === undefined) return undefined;
  const cursor = parseCursor(text, listMark, sorts);
  if (cursor) return cursor;
  throw invalidPage(
    '"after" is not a cursor of this list. Take it from the "next" link, and keep filters and sorts as they are.',
  );
}

function invalidPage(message: string): ApiError {
  return new ApiError('invalidPage', message);
}
