// The place in a list where a page ends, as the opaque `after` of a link: the sort values and the key of the page's last
// object, tied to the type, filters and sorts of the list. Whatever is written meanwhile, the next page starts there.

import { createHash } from 'node:crypto';
import { isKeyText, readValue } from './attribute-value.ts';
import type { SortTerm } from './sort.ts';
import { findUnusableCharacter } from './unusable-character.ts';

export interface Cursor {
  /** One for each sort term. */
  values: (string | null)[];
  key: string;
}

/** A short name for a list: a cursor of one list means nothing in another. */
export function listMark(typeName: string, filters: readonly string[], sorts: readonly string[]): string {
  const description = JSON.stringify([typeName, filters, sorts]);
  return createHash('sha256').update(description).digest('base64url').slice(0, 12);
}

/** `position` is the JSON array that the list statement answers: the sort values and, last, the key. */
export function renderCursor(position: string, mark: string): string {
  return Buffer.from(`${mark}${position}`).toString('base64url');
}

/** Nothing for what is no cursor of this list. The mark is no secret, so every value is checked like one of a filter. */
export function parseCursor(text: string, mark: string, sorts: readonly SortTerm[]): Cursor | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64url').toString();
  if (!decoded.startsWith(mark)) return undefined;
  const parts = parseTexts(decoded.slice(mark.length));
  if (parts?.length !== sorts.length + 1) return undefined;
  const key = parts.pop();
  if (typeof key !== 'string' || !isKeyText(key)) return undefined;
  const values = sorts.map((term, index) => checkValue(term, parts[index] ?? null));
  return values.includes(undefined) ? undefined : { values: values as (string | null)[], key };
}

function parseTexts(json: string): (string | null)[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isTexts = Array.isArray(value) && value.every((part) => part === null || typeof part === 'string');
    return isTexts ? value : undefined;
  } catch {
    return undefined;
  }
}

function checkValue({ attribute }: SortTerm, text: string | null): string | null | undefined {
  if (text === null) return null;
  if (findUnusableCharacter(text) >= 0) return undefined;
  // A code in lower case, as it is sorted by where case is ignored, is none of the code's values.
  if (attribute.kind === 'code' || attribute.kind === 'text') return text;
  const read = readValue(attribute, text);
  return read.kind === 'value' ? read.text : undefined;
}
