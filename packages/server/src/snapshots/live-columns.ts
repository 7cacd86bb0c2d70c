// Selects and reads the columns of a live row. Each column gets the same value that `stored-row.ts` reads from the
// image of an event. Selecting columns takes the server half the time of one JSON text per row, the format of images.

import { readJson, readNumber, type StoredColumn } from '../events/stored-row.ts';
import type { StoredAttribute } from './wanted-tables.ts';

export interface LiveColumn {
  /** In SQL. */
  readonly expression: string;
  /** Reads the value of the expression. Not called for null. */
  read(bytes: Buffer, begin: number, end: number): StoredColumn;
}

/** `column`: quoted and qualified. A column without an attribute holds the key of an owner. Files are never loaded. */
export function liveColumn(attribute: StoredAttribute | undefined, column: string): LiveColumn {
  switch (attribute?.kind) {
    case undefined:
    case 'key':
    case 'integer':
    case 'reference':
      return { expression: column, read: readInteger };
    case 'decimal':
      return { expression: `trim_scale(${column})`, read: readDecimal };
    case 'boolean':
      return { expression: column, read: readBoolean };
    case 'dateTime':
      return { expression: column, read: readDateTime };
    case 'textList':
      return { expression: `array_to_json(${column})::text`, read: readList };
    case 'json':
      return { expression: `${column}::text`, read: (...place) => readJson(readText(...place)) };
    case 'text':
    case 'code':
    case 'binary':
      return { expression: column, read: readText };
  }
}

const [minus, zero, nine] = [codeOf('-'), codeOf('0'), codeOf('9')];
const [yes, no] = [codeOf('t'), codeOf('f')];

/** A number of at most this many characters, including sign and decimal point, is exact as a double. */
const safeLength = 15;

function readText(bytes: Buffer, begin: number, end: number): string {
  return bytes.toString('utf8', begin, end);
}

function readInteger(bytes: Buffer, begin: number, end: number): number | string {
  if (end - begin > safeLength) return readNumber(bytes.toString('latin1', begin, end));
  const isNegative = bytes[begin] === minus;
  let value = 0;
  for (let at = isNegative ? begin + 1 : begin; at < end; at += 1) {
    const unit = bytes[at]!;
    if (unit < zero || unit > nine) throw otherType();
    value = value * 10 + unit - zero;
  }
  return isNegative ? -value : value;
}

/** `NaN` is returned as text. Only direct SQL can store `NaN` here. */
function readDecimal(bytes: Buffer, begin: number, end: number): number | string {
  const text = bytes.toString('latin1', begin, end);
  if (bytes[begin]! > nine) return text;
  return end - begin > safeLength ? readNumber(text) : Number(text);
}

function readBoolean(bytes: Buffer, begin: number): boolean {
  const unit = bytes[begin];
  if (unit !== yes && unit !== no) throw otherType();
  return unit === yes;
}

/** As in JSON. With the date style of our connections, PostgreSQL writes a space between date and time. */
function readDateTime(bytes: Buffer, begin: number, end: number): string {
  return bytes.toString('latin1', begin, end).replace(' ', 'T');
}

function readList(bytes: Buffer, begin: number, end: number): StoredColumn {
  return JSON.parse(readText(bytes, begin, end)) as StoredColumn;
}

/**
 * The table was altered while this process was running. Delaying the notification is better than sending a wrong value.
 */
function otherType(): Error {
  return new Error('A column has another type than the model says. Start the service again.');
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}
