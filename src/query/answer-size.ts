// Refuses an object that is too large before its text is built, because PostgreSQL holds about eight copies of the
// text. The size is estimated from the stored values: the sum over all rows that the selection reaches.
//
// The estimate is an upper bound: names and punctuation, the longest text of each number, date and code, and the real
// length of every text, list, JSON value and file. It runs only where a selection can be large: it shows a
// collection, or references lead to many values without a maximum length. A rough one comes first, which takes texts
// by their maximum length and so hardly reads more than counting the rows would. For ordinary objects it decides.

import { quoteName, storedValue, tableOf } from '../database/identifiers.ts';
import type { ScalarAttribute } from '../model/object-type.ts';
import { newAlias } from './statement-draft.ts';
import { isUnbounded, mostMegabytes, ordinaryMegabytesMax } from './unbounded-values.ts';
import { isInColumn, type View, type ViewItem } from './view.ts';
import type { Rendering } from './view-columns.ts';

/** Of a whole answer. */
export const answerBytesMax = 67_108_864;

export interface SizeBound {
  bytesMax: number;
  /** Only the rough estimate is made. */
  isRough: boolean;
}

/** Of one object, and of the answer to an array POST: a body of 16 MB, and 2 MB for what the answer has besides. */
export const objectBound: SizeBound = { bytesMax: 18_874_368, isRough: false };

/**
 * Of an object that is read by a short request. A larger one is read by a long request, of which a client has few at
 * once.
 */
export const shortObjectBound: SizeBound = { bytesMax: 2_097_152, isRough: true };

/** The part that the largest of the object's own values leaves to everything else, however large it is. */
const reservedShare = 1 / 16;

/** From one row to the next: by a reference, or to the elements of a collection. */
type Step = Exclude<ViewItem, { kind: 'scalar' }>;

interface Sizing extends Rendering, SizeBound {}

/**
 * The rows that the paths start from: a row of the enclosing statement, or those that `table` and `condition` select.
 */
interface Start {
  alias: string;
  selected?: { table: string; condition: string };
}

/**
 * SQL that holds, or fails with "program limit exceeded". Undefined for views that cannot be large. One of the
 * object's own values may be as large as a body: each can be read on its own.
 */
export function fitsCondition(
  rendering: Rendering,
  view: View,
  alias: string,
  bound = objectBound,
): string | undefined {
  const paths = collectionPaths(view);
  if (paths.length === 0 && mostMegabytes(view) <= ordinaryMegabytesMax) return undefined;
  return fits(rendering, bound, (sizing) => sumOfPaths(sizing, paths, { alias }, startBytes(sizing, view, alias)));
}

/** The same for all objects together whose keys are in an array, which stands in the statement as `keys`. */
export function allFitCondition(rendering: Rendering, view: View, keys: string): string {
  const alias = newAlias(rendering.draft, 'n');
  const selected = { table: `${tableOf(view.type)} ${alias}`, condition: `${alias}."key" = any(${keys})` };
  const start: Start = { alias, selected };
  return fits(rendering, objectBound, (sizing) =>
    sumOfPaths(sizing, collectionPaths(view), start, pathBytes(sizing, [], view, start)),
  );
}

function fits(rendering: Rendering, bound: SizeBound, estimate: (sizing: Sizing) => string): string {
  const estimates = (bound.isRough ? [true] : [true, false]).map(
    (isRough) => `${estimate({ ...rendering, ...bound, isRough })} <= ${bound.bytesMax}`,
  );
  return `flaghoist_system.must_fit(${estimates.join('\n  or ')})`;
}

/** To each collection that is shown, however deep. */
function collectionPaths(view: View): Step[][] {
  return view.items.flatMap((item) => {
    if (item.kind === 'scalar') return [];
    const below = collectionPaths(item.view).map((path) => [item, ...path]);
    return item.kind === 'collection' ? [[item], ...below] : below;
  });
}

/**
 * Path after path, shorter ones before those that go on from them, and none once the sum is too large: a long path
 * may go through millions of rows. `offset 0` keeps the planner from evaluating a sum twice.
 */
function sumOfPaths(sizing: Sizing, paths: readonly Step[][], start: Start, first: string): string {
  const pathSums = paths.map((path) => pathBytes(sizing, path, path.at(-1)!.view, start));
  if (paths.every(({ length }) => length === 1)) return `(${sumOf([first, ...pathSums])})`;
  const sums = pathSums.map((sum, index) => {
    const before = `b${index}.bytes`;
    const added = `case when ${before} > ${sizing.bytesMax} then ${before} else ${before} + ${sum} end`;
    return `lateral (select ${added} as bytes offset 0) b${index + 1}`;
  });
  const lines = [`(select ${first} as bytes offset 0) b0`, ...sums].join(',\n    ');
  return `(select b${paths.length}.bytes from\n    ${lines})`;
}

/**
 * The values without a maximum length, of the row and of those that its references lead to; the others are too few to
 * matter. Within an aggregate PostgreSQL frees the values that it has measured before it builds the object; outside
 * it would keep them.
 */
function startBytes(sizing: Sizing, view: View, alias: string): string {
  const own = unboundedBytes(view, alias);
  const joins: string[] = [];
  const referred = referredBytes(sizing, view, alias, joins);
  if (own.length + referred.length === 0) return '0';
  const columns = own.map((bytes, index) => `${bytes} as own${index}`);
  const from = joins.length === 0 ? '' : ` from (select 1) s ${joins.join(' ')}`;
  const row = `select ${[...columns, `${sumOf(referred)} as referred`].join(', ')}${from} offset 0`;
  const counted = ownBytes(
    own.map((_, index) => `v.own${index}`),
    sizing,
  );
  return `(select sum(${counted} + v.referred) from (${row}) v)`;
}

/** The largest value is cut down to its share, unless not even a whole answer can hold it. */
function ownBytes(values: readonly string[], { bytesMax }: Sizing): string {
  if (values.length === 0) return '0';
  const largest = `greatest(${values.join(', ')})`;
  const cut = `greatest(${largest} - ${Math.floor(bytesMax * (1 - reservedShare))}, 0)`;
  return `${sumOf(values)} - case when ${largest} > ${answerBytesMax} then 0 else ${cut} end`;
}

function unboundedBytes(view: View, alias: string): string[] {
  return view.items.filter(isUnbounded).map((item) => valueBytes(item, alias));
}

function referredBytes(rendering: Rendering, view: View, alias: string, joins: string[]): string[] {
  return view.items.flatMap((item) => {
    if (item.kind !== 'reference' || mostMegabytes(item.view) === 0) return [];
    const row = join(rendering, item, alias, joins);
    return [...unboundedBytes(item.view, row), ...referredBytes(rendering, item.view, row, joins)];
  });
}

/** Of the rows at the end of a path, each with those that its references lead to. Reads no more rows than decide it. */
function pathBytes(sizing: Sizing, path: readonly Step[], view: View, start: Start): string {
  const { tables, conditions, alias } = rowsOf(sizing, path, start);
  const joins: string[] = [];
  const bytes = rowBytes(sizing, view, alias, joins);
  const rowsMax = Math.floor(sizing.bytesMax / fixedBytes(view, sizing)) + 1;
  const from = [tables.join(' cross join '), ...joins].join(' ');
  const rows = `select ${bytes} as bytes from ${from} where ${conditions.join(' and ')} limit ${rowsMax}`;
  return `(select coalesce(sum(reached.bytes), 0) from (${rows}) reached)`;
}

interface Rows {
  tables: string[];
  conditions: string[];
  /** Of the last table. */
  alias: string;
}

function rowsOf(rendering: Rendering, path: readonly Step[], { alias, selected }: Start): Rows {
  const rows: Rows = {
    tables: selected ? [selected.table] : [],
    conditions: selected ? [selected.condition] : [],
    alias,
  };
  for (const step of path) {
    const next = newAlias(rendering.draft, 'n');
    rows.tables.push(`${tableOf(step.view.type)} ${next}`);
    rows.conditions.push(link(step, rows.alias, next));
    rows.alias = next;
  }
  return rows;
}

function join(rendering: Rendering, reference: Step, alias: string, joins: string[]): string {
  const row = newAlias(rendering.draft, 'n');
  joins.push(`left join ${tableOf(reference.view.type)} ${row} on ${link(reference, alias, row)}`);
  return row;
}

function link(step: Step, from: string, to: string): string {
  return step.kind === 'reference'
    ? `${to}."key" = ${from}.${quoteName(step.attribute.column)}`
    : `${to}.${quoteName(step.attribute.ownerColumn)} = ${from}."key"`;
}

/**
 * SQL: the most bytes of a row that is shown like that, with the rows that its references lead to, and without
 * collections.
 */
function rowBytes(sizing: Sizing, view: View, alias: string, joins: string[]): string {
  const measured = view.items.flatMap((item) => {
    if (longestBytes(item, view, sizing) !== undefined) return [];
    if (item.kind !== 'reference') return [valueBytes(item, alias)];
    const row = join(sizing, item, alias, joins);
    return [`case when ${row}."key" is null then 4 else ${rowBytes(sizing, item.view, row, joins)} end`];
  });
  return sumOf([String(fixedBytes(view, sizing)), ...measured]);
}

function sumOf(bytes: readonly string[]): string {
  return bytes.length === 0 ? '0' : bytes.join(' + ');
}

/** The braces, for each member a name in quotes, a colon and a comma, and the values that are not measured. */
function fixedBytes(view: View, sizing: Sizing): number {
  const members = view.items.map(
    (item) => item.attribute.name.length + '"":,'.length + (longestBytes(item, view, sizing) ?? 0),
  );
  return members.reduce((sum, bytes) => sum + bytes, '{},'.length);
}

/** SQL, of an item that has no `longestBytes`. */
function valueBytes(item: ViewItem, alias: string): string {
  const attribute = item.attribute as ScalarAttribute;
  const value = storedValue(attribute, alias);
  // Its length is known without reading it.
  if (attribute.kind === 'binary') return `coalesce((octet_length(${value}) + 2) / 3 * 4 + 2, 4)`;
  return `coalesce(octet_length(to_json(${value})::text), 4)`;
}

/** No installation has used up a million million keys. */
const keyBytes = 12;

/**
 * Undefined: it depends on the value, or on the row that a reference leads to. The elements of collections are
 * counted on their own.
 */
function longestBytes(item: ViewItem, { type }: View, sizing: Sizing): number | undefined {
  const selfBytes = (name: string) => `"${sizing.links.restUrl}/${name}/"`.length + keyBytes;
  const { attribute } = item;
  switch (attribute.kind) {
    case 'self':
      return selfBytes(type.name);
    case 'key':
      return keyBytes;
    case 'decimal':
      return '-1234567890123456.12345678'.length;
    case 'integer':
      return '-2147483648'.length;
    case 'dateTime':
      return '"2026-01-31T00:00:00"'.length;
    case 'boolean':
      return 'false'.length;
    case 'code':
      return Math.max('null'.length, ...attribute.values.map((value) => value.length + '""'.length));
    case 'collection':
      return '[]'.length;
    case 'text':
      return sizing.isRough && attribute.maxLength !== undefined ? attribute.maxLength * escapedBytes + 2 : undefined;
    case 'reference':
      if (isInColumn(item)) return '{"key":,"self":}'.length + keyBytes + selfBytes(attribute.target.name);
      return sizing.isRough ? longestReferred(item as Step, sizing) : undefined;
    default:
      return undefined;
  }
}

/** A control character in JSON is `\u001f`; no other character is longer. */
const escapedBytes = 6;

function longestReferred({ view }: Step, sizing: Sizing): number | undefined {
  return mostMegabytes(view) === 0 ? fixedBytes(view, sizing) : undefined;
}
