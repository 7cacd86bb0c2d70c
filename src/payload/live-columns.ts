// The columns of a live row: how each is selected, and how its bytes are read, so that it has the value which `stored-row.ts` reads from
// the image of an event. (One JSON text for each row, as images have it, takes the server twice the time of its columns.)

import type { ReadValue } from '../database/statement-batch.ts';
import { readNumber, type StoredColumn } from '../events/stored-row.ts';
import type { StoredAttribute } from './wanted-tables.ts';

/** `name`: of the column, quoted. */
export function selectColumn(attribute: StoredAttribute | undefined, name: string): string {
  switch (attribute?.kind) {
    case 'decimal':
      return `trim_scale(${name})`;
    case 'json':
      return `${name}::text`;
    case 'textList':
      return `array_to_json(${name})::text`;
    default:
      return name;
  }
}

/** A column without an attribute has the key of an owner. */
export function columnReader(attribute: StoredAttribute | undefined): ReadValue {
  switch (attribute?.kind) {
    case undefined:
    case 'key':
    case 'integer':
    case 'reference':
      return readInteger;
    case 'decimal':
      return readDecimal;
    case 'boolean':
      return (bytes, begin) => bytes[begin] === letterT;
    case 'dateTime':
      // As JSON has it; PostgreSQL sets a space between day and time.
      return (bytes, begin, end) => bytes.toString('latin1', begin, end).replace(' ', 'T');
    case 'textList':
      return (bytes, begin, end) => JSON.parse(bytes.toString('utf8', begin, end)) as StoredColumn;
    case 'text':
    case 'code':
    case 'json':
    case 'binary':
      return (bytes, begin, end) => bytes.toString('utf8', begin, end);
  }
}

const [minus, zero, nine, letterT] = [45, 48, 57, 116];

/** A number of so many digits loses none of them as a double. */
const safeDigits = 15;

function readInteger(bytes: Buffer, begin: number, end: number): StoredColumn {
  if (end - begin > safeDigits) return readNumber(bytes.toString('latin1', begin, end));
  const isNegative = bytes[begin] === minus;
  let value = 0;
  for (let at = isNegative ? begin + 1 : begin; at < end; at += 1) value = value * 10 + bytes[at]! - zero;
  return isNegative ? -value : value;
}

/** `NaN`, which only SQL can write there, is a text. */
function readDecimal(bytes: Buffer, begin: number, end: number): StoredColumn {
  const text = bytes.toString('latin1', begin, end);
  const first = bytes[begin] === minus ? bytes[begin + 1]! : bytes[begin]!;
  if (first > nine) return text;
  return end - begin > safeDigits ? readNumber(text) : Number(text);
}
