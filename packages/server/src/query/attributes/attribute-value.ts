// Parses a value of a filter or a cursor by the kind of its attribute, into the text that PostgreSQL receives. Nothing
// is rounded or guessed: a value that does not fit is a mistake.

import { parseDateTime, quoteText } from '@flaghoist/source-text';
import { normaliseDecimal } from '../../json/normalise-decimal.ts';
import type { ScalarAttribute } from '../../model/object-type.ts';

export type ReadValue = { kind: 'value'; text: string } | { kind: 'mistake'; problem: string };

export function readValue(attribute: ScalarAttribute, text: string): ReadValue {
  switch (attribute.kind) {
    case 'text':
      return value(text);
    case 'code':
      return readCode(attribute, text);
    case 'boolean':
      return readBoolean(text);
    case 'integer':
      return readInteger(text);
    case 'key':
      return readKeyText(text);
    case 'decimal':
      return readDecimal(text);
    case 'dateTime':
      return readDateTime(text);
    case 'binary':
      return mistake('a file cannot be compared');
    case 'textList':
      return attribute.values.length > 0 ? readCode(attribute, text) : value(text);
    case 'json':
      return mistake('JSON cannot be compared');
  }
}

/** The SQL type that a value of this kind, or an element of it, is cast to. */
export function sqlTypeOf(attribute: ScalarAttribute): string {
  switch (attribute.kind) {
    case 'text':
    case 'code':
    case 'textList':
      return 'text';
    case 'boolean':
      return 'boolean';
    case 'integer':
      return 'integer';
    case 'key':
      return 'bigint';
    case 'decimal':
      return 'numeric';
    case 'dateTime':
      return 'timestamp';
    case 'binary':
      return 'bytea';
    case 'json':
      return 'jsonb';
  }
}

/** Keys come from one sequence that stays below 2^53. */
export function isKeyText(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
}

function readKeyText(text: string): ReadValue {
  return isKeyText(text) ? value(text) : mistake(`${quoteText(text)} is not a key; a positive integer was expected.`);
}

function readCode(attribute: ScalarAttribute, text: string): ReadValue {
  if (attribute.values.includes(text)) return value(text);
  return mistake(`${quoteText(text)} is no ${attribute.name}; it is one of ${attribute.values.join(', ')}.`);
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

function readDateTime(text: string): ReadValue {
  const moment = parseDateTime(text);
  if (moment !== undefined) return value(moment);
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
