// Parses a value of a filter or a cursor by the kind of its attribute, into the text that PostgreSQL receives. Nothing
// is rounded or guessed: a value that does not fit is a mistake.

import { parseDateTime, quoteText } from '@flaghoist/source-text';
import { normaliseDecimal } from '../../json/normalise-decimal.ts';
import type { ScalarAttribute } from '../../model/object-type.ts';

export type ReadValue = { kind: 'value'; text: string } | { kind: 'mistake'; problem: string };

export function readValue(attribute: ScalarAttribute, text: string): ReadValue {
  return readers[attribute.kind](text, attribute);
}

/** The SQL type that a value of this kind, or an element of it, is cast to. */
export function sqlTypeOf({ kind }: ScalarAttribute): string {
  return sqlTypes[kind];
}

const readers: Record<ScalarAttribute['kind'], (text: string, attribute: ScalarAttribute) => ReadValue> = {
  text: value,
  code: readCode,
  boolean: readBoolean,
  integer: readInteger,
  key: readKey,
  decimal: readDecimal,
  dateTime: readDateTime,
  textList: (text, attribute) => (attribute.values.length > 0 ? readCode(text, attribute) : value(text)),
  binary: () => mistake('a file cannot be compared'),
  json: () => mistake('JSON cannot be compared'),
};

const sqlTypes: Record<ScalarAttribute['kind'], string> = {
  text: 'text',
  code: 'text',
  boolean: 'boolean',
  integer: 'integer',
  key: 'bigint',
  decimal: 'numeric',
  dateTime: 'timestamp',
  textList: 'text',
  binary: 'bytea',
  json: 'jsonb',
};

/** Keys come from one sequence that stays below 2^53. */
export function isKeyText(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
}

function readKey(text: string): ReadValue {
  return isKeyText(text) ? value(text) : mistake(`${quoteText(text)} is not a key; a positive integer was expected.`);
}

function readCode(text: string, { name, values }: ScalarAttribute): ReadValue {
  if (values.includes(text)) return value(text);
  return mistake(`${quoteText(text)} is not a value of ${name}; expected one of ${values.join(', ')}.`);
}

function readBoolean(text: string): ReadValue {
  if (text === 'true' || text === '1') return value('true');
  if (text === 'false' || text === '0') return value('false');
  return mistake(`${quoteText(text)} is not a boolean; true, false, 1 or 0 was expected.`);
}

function readInteger(text: string): ReadValue {
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= -(2 ** 31) && number < 2 ** 31) return value(String(number));
  return mistake(`${quoteText(text)} is not an integer from -2147483648 to 2147483647.`);
}

function readDecimal(text: string): ReadValue {
  const decimal = normaliseDecimal(text);
  if (decimal === undefined)
    return mistake(`${quoteText(text)} is not a decimal number; one like 1250.75 was expected.`);
  if (decimal.digitsBefore <= 16 && decimal.digitsAfter <= 8) return value(decimal.text);
  return mistake(`${quoteText(text)} has too many digits; 16 before the point and 8 after it are allowed.`);
}

function readDateTime(text: string, { isInstant }: ScalarAttribute): ReadValue {
  const moment = parseDateTime(text);
  const [fraction = ''] = (isInstant && /\.\d{1,6}/.exec(text)) || [];
  if (moment !== undefined) return value(moment + fraction);
  // Query strings decode a plain "+" to a space, which loses the sign of a zone.
  const hint = / \d\d:?\d\d$/.test(text) ? ' The "+" of a zone is written %2B in a URL.' : '';
  return mistake(`${quoteText(text)} is not a date; one like 2026-11-15 or 2026-11-15T01:53:22 was expected.${hint}`);
}

function value(text: string): ReadValue {
  return { kind: 'value', text };
}

function mistake(problem: string): ReadValue {
  return { kind: 'mistake', problem };
}
