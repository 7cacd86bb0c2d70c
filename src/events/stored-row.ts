// A row of an object table: column → value. Here as the database writes it in JSON; `payload/live-columns.ts` reads live ones to the same
// values. Nothing loses a digit: keys and integers are numbers, decimals too where a double gives the same digits back, else they are
// their digits; `json` columns stay text.

import type { ObjectType } from '../model/object-type.ts';

export type StoredRow = Readonly<Record<string, StoredColumn>>;

export type StoredColumn = string | number | boolean | null | undefined | readonly string[];

/** `text`: an image of the row, as an event has it. */
export function readStoredRow(text: string, type: ObjectType): StoredRow {
  return readRow(text, jsonColumnsOf(type));
}

/** `jsonColumns`: those that stand in the text as JSON, and are kept as they stand there. */
export function readRow(text: string, jsonColumns: ReadonlySet<string>): StoredRow {
  // JSON.parse takes a tenth of the time that reading member by member does.
  const row = jsonColumns.size === 0 ? (JSON.parse(text) as StoredRow) : undefined;
  return row && !(hasLarge(row) && manyDigits.test(text)) ? row : readByMember(text, jsonColumns);
}

/** Below that, and with the eight decimals of `numeric(24,8)`, a number has fifteen digits at most, of which a double loses none. */
const largeFrom = 1e7;

function hasLarge(row: StoredRow): boolean {
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'number' && (value >= largeFrom || value <= -largeFrom)) return true;
  }
  return false;
}

/**
 * Sixteen digits that count, which is when doubles begin to lose some. `numeric(24,8)` is written with all its zeros, and
 * those at the end count for nothing.
 */
const manyDigits = /[\d.]{15}[1-9]/;

function jsonColumnsOf(type: ObjectType): ReadonlySet<string> {
  let columns = jsonColumns.get(type);
  if (!columns) {
    columns = new Set(type.scalars.filter(({ kind }) => kind === 'json').map(({ column }) => column));
    jsonColumns.set(type, columns);
  }
  return columns;
}

const jsonColumns = new WeakMap<ObjectType, ReadonlySet<string>>();

/** The text comes from PostgreSQL, so it is JSON; only where a value ends has to be found. */
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

/** The JSON null and the null of SQL are written alike, and are shown alike. */
export function readJson(value: string): string | null {
  return value === 'null' ? null : value;
}

function readColumn(value: string): StoredColumn {
  return /^[-\d]/.test(value) ? readNumber(value) : JSON.parse(value);
}

/** The digits themselves where a double would lose some. */
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

/** After the closing quote: the first that has an even number of backslashes before it. */
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
