// Parses which part of a list is requested: `limit`, `pageNumber`, and `after`, which replaces the offset.

import { quoteText } from '@flaghoist/source-text';
import { ApiError } from '../errors.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import type { SortTerm } from './sort.ts';

/** The most objects in one response, with or without paging. */
export const objectsMax = 2000;

export interface Page {
  /** Undefined: the whole list, if it has at most `objectsMax` objects. */
  limit: number | undefined;
  /** Starts at 1. With a cursor, it only numbers the links. */
  number: number;
  /** How many objects precede the page; 0 with a cursor. */
  offset: number;
  after: Cursor | undefined;
}

export interface PageTexts {
  pageNumber?: string | undefined;
  limit?: string | undefined;
  after?: string | undefined;
}

export function parsePage(texts: PageTexts, listMark: string, sorts: readonly SortTerm[]): Page {
  const isPaged = texts.limit !== undefined || texts.pageNumber !== undefined || texts.after !== undefined;
  const limit = texts.limit === undefined ? objectsMax : parseCount('limit', texts.limit, objectsMax);
  const number =
    texts.pageNumber === undefined ? 1 : parseCount('pageNumber', texts.pageNumber, Number.MAX_SAFE_INTEGER);
  const after = texts.after === undefined ? undefined : parseAfter(texts.after, listMark, sorts);
  if (!Number.isSafeInteger((number + 1) * limit))
    throw invalidPage(`"pageNumber" ${number} is beyond the end of every list.`);
  return { limit: isPaged ? limit : undefined, number, offset: after ? 0 : (number - 1) * limit, after };
}

function parseCount(name: string, text: string, max: number): number {
  const count = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw invalidPage(`"${name}" must be an integer from 1 to ${max}, but it is ${quoteText(text)}.`);
}

function parseAfter(text: string, listMark: string, sorts: readonly SortTerm[]): Cursor {
  const cursor = parseCursor(text, listMark, sorts);
  if (cursor) return cursor;
  throw invalidPage(
    '"after" is no cursor of this list. Take it from the "next" link, and keep filters and sorts as they are.',
  );
}

function invalidPage(message: string): ApiError {
  return new ApiError('invalidPage', message);
}
