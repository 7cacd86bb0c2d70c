// Encodes the end of a page as the opaque `after` of a link: the sort values and the key of the page's last object. A
// cursor is tied to the type, filters and sorts of its list. The next page starts there, whatever is written meanwhile.

import { createHash } from 'node:crypto';
import { isKeyText, readValue } from './attributes/attribute-value.ts';
import { findUnusableCharacter } from './attributes/unusable-character.ts';
import type { SortTerm } from './sort.ts';

export interface Cursor {
  /** One value per sort term. */
  values: (string | null)[];
  key: string;
}

/** A short hash that identifies a list: a cursor is valid for its own list only. */
export function listMark(typeName: string, filters: readonly string[], sorts: readonly string[]): string {
  const description = JSON.stringify([typeName, filters, sorts]);
  return createHash('sha256').update(description).digest('base64url').slice(0, 12);
}

/** `position`: the JSON array that the list statement returns, with the sort values and, last, the key. */
export function renderCursor(position: string, mark: string): string {
  return Buffer.from(`${mark}${position}`).toString('base64url');
}

/**
 * Returns undefined if the text is not a cursor of this list. The mark is not secret, so every value is checked in the
 * same way as a filter value.
 */
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
  // Where a sort ignores case, a code is in lower case, which is not one of its values.
  if (attribute.kind === 'code' || attribute.kind === 'text') return text;
  const read = readValue(attribute, text);
  return read.kind === 'value' ? read.text : undefined;
}
