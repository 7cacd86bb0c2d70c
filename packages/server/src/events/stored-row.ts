// Reads rows of object tables (column → value) from the JSON that the database writes. `snapshots/live-columns.ts`
// reads live rows to the same values. No digit is lost: decimals are numbers if a double keeps their digits, else text;
// keys and integers are numbers, and `json` columns stay text.

import { entryOf } from '../entry-of.ts';
import type { ObjectType } from '../model/object-type.ts';

export type StoredRow = Readonly<Record<string, StoredColumn>>;

export type StoredColumn = string | number | boolean | null | undefined | readonly string[];

/** `text`: the image of the row in an event. */
export function readStoredRow(text: string, type: ObjectType): StoredRow {
  const jsonColumns = jsonColumnsOf(type);
  // `JSON.parse` takes a tenth of the time of reading member by member.
  const row = jsonColumns.size === 0 ? (JSON.parse(text) as StoredRow) : undefined;
  return row && !(hasLarge(row) && manyDigits.test(text)) ? row : readByMember(text, jsonColumns);
}

/**
 * A smaller number with the eight decimals of `numeric(24,8)` has at most fifteen digits, and a double keeps all of
 * them.
 */
const largeFrom = 1e7;

function hasLarge(row: StoredRow): boolean {
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'number' && (value >= largeFrom || value <= -largeFrom)) return true;
  }
  return false;
}

/**
 * Sixteen significant digits: from there on, doubles lose some. `numeric(24,8)` is written with all its zeros, and
 * trailing zeros are not significant.
 */
const manyDigits = /[\d.]{15}[1-9]/;

/** Their values are kept as text. */
function jsonColumnsOf(type: ObjectType): ReadonlySet<string> {
  return entryOf(
    jsonColumnsOfTypes,
    type,
    () => new Set(type.scalars.filter(({ kind }) => kind === 'json').map(({ column }) => column)),
  );
}

const jsonColumnsOfTypes = new WeakMap<ObjectType, ReadonlySet<string>>();

/** The text comes from PostgreSQL and is valid JSON, so only the end of each value has to be found. */
function readByMember(text: string, jsonColumns: ReadonlySet<string>): StoredRow {
  const row: Record<string, StoredColumn> = {};
  let at = text.indexOf('"');
  while (at !== -1) {
    const nameEnd = endOfString(text, at);
    const column = text.slice(at + 1, nameEnd - 1);
    const start = skip(text, nameEnd, ': ');
    const end = endOfValue(text, start);
    const value = text.slice(start, end);
    row[column] = jsonColumns.has(column) ? readJson(value) : readColumn(value);
    at = text.indexOf('"', end);
  }
  return row;
}

/** JSON null and SQL NULL are written alike and shown alike. */
export function readJson(value: string): string | null {
  return value === 'null' ? null : value;
}

function readColumn(value: string): StoredColumn {
  return /^[-\d]/.test(value) ? readNumber(value) : JSON.parse(value);
}

/** Returns the digits as text if a double would lose some. */
export function readNumber(digits: string): number | string {
  const trimmed = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  const number = Number(trimmed);
  return String(number) === trimmed || Math.abs(number) < 1e-6 ? number : trimmed;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfNested(text, start);
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end += 1;
  return end;
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const unit = text[at];
    if (unit === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (unit === '{' || unit === '[') depth += 1;
    if (unit === '}' || unit === ']') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Returns the position after the closing quote: the first quote preceded by an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function skip(text: string, start: number, skipped: string): number {
  let at = start;
  while (skipped.includes(text[at]!)) at += 1;
  return at;
}
