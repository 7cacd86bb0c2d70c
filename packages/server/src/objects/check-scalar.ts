// Checks one value of a body against one attribute. Returns the text that PostgreSQL stores, or a sentence that says
// what is wrong. Values are never rounded, truncated or guessed.

import { parseDateTime, quoteText } from '@flaghoist/source-text';
import { normaliseDecimal } from '../json/normalise-decimal.ts';
import { type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import { renderJson } from '../json/render-json.ts';
import type { ScalarAttribute } from '../model/object-type.ts';
import { textFormats } from '../model/text-formats.ts';
import { findUnusableCharacter } from '../query/attributes/unusable-character.ts';
import { storedList } from './stored-list.ts';

/** Every value is sent to PostgreSQL as text and cast there. */
export type StoredValue = string | null;

export type Checked<T> = { isGood: true; value: T } | { isGood: false; mistake: string };

export function checkScalar(attribute: ScalarAttribute, value: JsonValue): Checked<StoredValue> {
  if (value === null) return attribute.isRequired ? bad('is required and cannot be null.') : good(null);
  switch (attribute.kind) {
    case 'text':
      return checkText(attribute, value);
    case 'code':
      return checkCode(attribute, value);
    case 'decimal':
      return checkDecimal(attribute, value);
    case 'integer':
      return checkInteger(value, attribute.minimum, attribute.maximum);
    case 'key':
      return checkKey(value);
    case 'boolean':
      return typeof value === 'boolean' ? good(String(value)) : bad(`must be true or false, not ${nameOf(value)}.`);
    case 'dateTime':
      return checkDateTime(value);
    case 'binary':
      return checkBinary(value);
    case 'textList':
      return checkTextList(attribute, value);
    case 'json':
      return checkJson(value);
  }
}

function good(value: StoredValue): Checked<StoredValue> {
  return { isGood: true, value };
}

export function bad(mistake: string): { isGood: false; mistake: string } {
  return { isGood: false, mistake };
}

function checkText(
  { maxLength, format, isUnique, isRequired }: ScalarAttribute,
  value: JsonValue,
): Checked<StoredValue> {
  if (typeof value !== 'string') return bad(`must be text, not ${nameOf(value)}.`);
  if (maxLength !== undefined && value.length > maxLength) {
    const length = countCharacters(value);
    if (length > maxLength) return bad(`may have at most ${maxLength} characters; this has ${length}.`);
  }
  if (value === '' && isUnique && isRequired) return bad('cannot be empty.');
  if (format && !textFormats[format].fits(value)) return bad(`must be ${textFormats[format].requirement}.`);
  return good(value);
}

/** Counts as PostgreSQL does: a surrogate pair is one character. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function checkCode({ values }: ScalarAttribute, value: JsonValue): Checked<StoredValue> {
  if (typeof value === 'string' && values.includes(value)) return good(value);
  const given = typeof value === 'string' ? quoteText(value) : nameOf(value);
  return bad(`must be one of ${values.join(', ')}, not ${given}.`);
}

function checkDecimal({ minimum, maximum }: ScalarAttribute, value: JsonValue): Checked<StoredValue> {
  if (!(value instanceof NumberLiteral)) return bad(`must be a number, not ${nameOf(value)}.`);
  const decimal = normaliseDecimal(value.text);
  if (!decimal || decimal.digitsBefore > 16) return bad('may have at most 16 digits before the point.');
  if (decimal.digitsAfter > 8)
    return bad(`may have at most 8 digits after the point; this has ${decimal.digitsAfter}.`);
  const number = Number(decimal.text);
  if (number < minimum || number > maximum) return bad(`must be between ${minimum} and ${maximum}.`);
  return good(decimal.text);
}

function checkInteger(value: JsonValue, min: number, max: number): Checked<StoredValue> {
  if (!(value instanceof NumberLiteral)) return bad(`must be a whole number, not ${nameOf(value)}.`);
  const decimal = normaliseDecimal(value.text);
  if (!decimal || decimal.digitsAfter > 0) return bad('must be a whole number.');
  const number = Number(decimal.text);
  return number >= min && number <= max && Number.isSafeInteger(number)
    ? good(decimal.text)
    : bad(`must be between ${min} and ${max}.`);
}

export function checkKey(value: JsonValue): Checked<StoredValue> {
  return checkInteger(value, 1, Number.MAX_SAFE_INTEGER);
}

function checkDateTime(value: JsonValue): Checked<StoredValue> {
  const stored = typeof value === 'string' ? parseDateTime(value) : undefined;
  return stored === undefined
    ? bad('must be a date and time that exists, written like "2026-11-15T08:30:00" (UTC, or with a zone).')
    : good(stored);
}

function checkBinary(value: JsonValue): Checked<StoredValue> {
  if (typeof value !== 'string') return bad(`must be text in Base64, not ${nameOf(value)}.`);
  const bytes = Buffer.from(value, 'base64');
  // Buffer skips characters that are not Base64. Encoding the bytes again shows whether it skipped any.
  if (bytes.toString('base64') !== value) return bad('must be Base64 with its padding and nothing else.');
  return good(`\\x${bytes.toString('hex')}`);
}

/** The maximum number of texts in a list, and of characters in each text. */
export const listItemsMax = 100;
export const listTextLengthMax = 255;

function checkTextList(attribute: ScalarAttribute, value: JsonValue): Checked<StoredValue> {
  if (!Array.isArray(value)) return bad(`must be an array of texts, not ${nameOf(value)}.`);
  const { minItems } = attribute;
  if (value.length < minItems) return bad(`must have at least ${minItems} element${minItems > 1 ? 's' : ''}.`);
  if (value.length > listItemsMax) return bad(`may have at most ${listItemsMax} elements; this has ${value.length}.`);
  const texts = new Set<string>();
  for (const [index, element] of value.entries()) {
    const checked = checkListText(attribute, element);
    if (!checked.isGood) return bad(`[${index}] ${checked.mistake}`);
    if (texts.has(checked.value)) return bad(`[${index}] ${quoteText(checked.value)} is in the array twice.`);
    texts.add(checked.value);
  }
  return good(storedList(inOneOrder(attribute, texts)));
}

function checkListText({ values }: ScalarAttribute, value: JsonValue): Checked<string> {
  if (typeof value !== 'string') return bad(`must be text, not ${nameOf(value)}.`);
  if (values.length > 0 && !values.includes(value))
    return bad(`must be one of ${values.join(', ')}, not ${quoteText(value)}.`);
  if (value === '') return bad('cannot be empty.');
  const length = countCharacters(value);
  if (length > listTextLengthMax) return bad(`may have at most ${listTextLengthMax} characters; this has ${length}.`);
  if (findUnusableCharacter(value) >= 0) return bad('has a NUL or half of a surrogate pair.');
  return { isGood: true, value };
}

/** In a fixed order, because sending the same set in another order is not a change. */
function inOneOrder({ values }: ScalarAttribute, texts: Set<string>): string[] {
  return values.length > 0 ? values.filter((value) => texts.has(value)) : [...texts].sort();
}

function checkJson(value: JsonValue): Checked<StoredValue> {
  const text = renderJson(value);
  return text === undefined ? bad('has a number of more than 400 digits.') : good(text);
}

export function nameOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof NumberLiteral) return 'a number';
  if (value instanceof Map) return 'an object';
  return typeof value === 'string' ? 'text' : 'a boolean';
}
