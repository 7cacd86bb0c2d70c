// Renders the object of a notification as rows for a person: labels in words, references by name, collections by size.

import { type JsonObject, type JsonValue, NumberLiteral } from '../../json/parse-json.ts';
import type { MailRow } from './mail-page.ts';
import { renderDateTime, shorten } from './mail-text.ts';

export interface ReadableObject {
  rows: MailRow[];
  /** The number of further rows. */
  omitted: number;
}

export function readableObject(object: JsonObject): ReadableObject {
  const shown = [...object].filter(([name, value]) => !notShown.has(name) && value !== null);
  const rows = shown
    .slice(0, rowsMax)
    .map(([name, value]) => ({ label: labelOf(name), value: shorten(readableValue(name, value), valueMax) }));
  return { rows, omitted: Math.max(0, shown.length - rowsMax) };
}

const rowsMax = 40;
const valueMax = 300;

/** Shown elsewhere in the mail, or not of interest to people. */
const notShown = new Set(['key', 'self', 'createdDate', 'modifiedDate', 'createdById', 'changedById']);

/** `bunkerOrderStatus` to `Bunker order status`. */
export function labelOf(name: string): string {
  const words = wordsOf(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_]+/)
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ');
}

const abbreviations = new Set(['cp', 'dwt', 'eta', 'etb', 'etd', 'fo', 'id', 'imo', 'lo', 'tc', 'un', 'url', 'vat']);

function readableValue(name: string, value: JsonValue): string {
  if (Array.isArray(value)) return readableList(name, value);
  if (value instanceof Map) return readableReference(value);
  return readableScalar(value);
}

function readableScalar(value: Exclude<JsonValue, JsonValue[] | JsonObject>): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof NumberLiteral) return value.text;
  return renderDateTime(value);
}

function readableList(name: string, list: readonly JsonValue[]): string {
  const isOfObjects = list.every((element) => element instanceof Map || Array.isArray(element));
  if (list.length > 0 && !isOfObjects) return list.map((element) => readableValue(name, element)).join(', ');
  const words = wordsOf(name);
  if (list.length === 0) return `no ${words}`;
  return list.length === 1 ? `1 ${singular(words)}` : `${list.length} ${words}`;
}

function singular(words: string): string {
  return words.endsWith('ies') ? `${words.slice(0, -3)}y` : words.replace(/(?<!s)s$/, '');
}

/** By its first scalar attributes, such as code and name, then those of its references; by its key if it has none. */
function readableReference(reference: JsonObject): string {
  const inside = [...reference.values()].filter((value) => value instanceof Map);
  const parts = [reference, ...inside].flatMap(scalarParts).slice(0, partsMax);
  const key = reference.get('key');
  if (parts.length > 0) return parts.join(' · ');
  return key instanceof NumberLiteral ? `key ${key.text}` : '–';
}

function scalarParts(object: JsonObject): string[] {
  return [...object]
    .filter(
      ([name, value]) => !notShown.has(name) && !(value instanceof Map) && !Array.isArray(value) && value !== null,
    )
    .map(([name, value]) =>
      value instanceof NumberLiteral ? `${wordsOf(name)} ${value.text}` : readableValue(name, value),
    );
}

const partsMax = 4;
