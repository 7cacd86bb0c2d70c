// Rejects an object that is too large before its text is built, because PostgreSQL holds about eight copies of the
// text. The size is estimated from the stored values: the sum over all rows that the selection reaches.
//
// The estimate is an upper bound. It counts names and punctuation, and the longest text of each number, date and code.
// It measures the real length of every text, list, JSON value and file. It runs only if a selection can be large: it
// shows a collection, or references lead to many values without a maximum length. A rough estimate runs first. It takes
// texts by their maximum length, so it reads hardly more than counting the rows would. For ordinary objects the rough
// estimate is enough.

import { quoteName, storedValue, tableOf } from '../database/tables/identifiers.ts';
import type { ScalarAttribute } from '../model/object-type.ts';
import { newAlias } from './sql/statement-builder.ts';
import { isUnbounded, mostMegabytes, showsLargeValues } from './unbounded-values.ts';
import { isInColumn, type View, type ViewItem } from './view.ts';
import type { Rendering } from './view-columns.ts';

/** The maximum size of a whole response. */
export const answerBytesMax = 67_108_864;

export interface SizeBound {
  bytesMax: number;
  /** Makes only the rough estimate. */
  isRough: boolean;
}

/** The limit for one object, and for the response to an array POST: a body of 16 MB, plus 2 MB for the rest. */
export const objectBound: SizeBound = { bytesMax: 18_874_368, isRough: false };

/**
 * The limit for an object that a short request reads. A larger object is read by a long request, of which a client can
 * run only a few at once.
 */
export const shortObjectBound: SizeBound = { bytesMax: 2_097_152, isRough: true };

/** The share of the limit that is kept for other values, however large the largest of the object's own values is. */
const reservedShare = 1 / 16;

/** A step from one row to the next: along a reference, or to the elements of a collection. */
type Step = Exclude<ViewItem, { kind: 'scalar' }>;

interface Sizing extends Rendering, SizeBound {}

/** The rows that the paths start from: a row of the enclosing statement, or those that `selected` describes. */
interface Start {
  alias: string;
  selected?: { table: string; condition: string };
}

/**
 * SQL that is true, or fails with "program limit exceeded". Undefined for views that cannot be large. One of the
 * object's own values may be as large as a request body, so that each value can be read on its own.
 */
export function fitsCondition(
  rendering: Rendering,
  view: View,
  alias: string,
  bound = objectBound,
): string | undefined {
  const paths = collectionPaths(view);
  if (paths.length === 0 && !showsLargeValues(view)) return undefined;
  return fits(rendering, bound, (sizing) => sumOfPaths(sizing, paths, { alias }, startBytes(sizing, view, alias)));
}

/** The same for all objects together whose keys are in the array `keys`, an SQL expression. */
export function allFitCondition(rendering: Rendering, view: View, keys: string): string {
  const alias = newAlias(rendering.builder, 'n');
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

/** The paths to all shown collections, at any depth. */
function collectionPaths(view: View): Step[][] {
  return view.items.flatMap((item) => {
    if (item.kind === 'scalar') return [];
    const below = collectionPaths(item.view).map((path) => [item, ...path]);
    return item.kind === 'collection' ? [[item], ...below] : below;
  });
}

/**
 * Adds up one path after another, shorter paths before their extensions. Stops once the sum is too large, because a
 * long path may reach millions of rows. `offset 0` keeps the planner from evaluating a sum twice.
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
 * The values without a maximum length, of the row and of the rows that its references lead to. The other values are too
 * few to matter. Inside an aggregate, PostgreSQL frees the measured values before it builds the object; outside, it
 * would keep them.
 */
function startBytes(sizing: Sizing, view: View, alias: string): string {
  const own = unboundedBytes(sizing, view, alias);
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

/** Reduces the largest value to its share, unless even a whole response cannot hold it. */
function ownBytes(values: readonly string[], { bytesMax }: Sizing): string {
  if (values.length === 0) return '0';
  const largest = `greatest(${values.join(', ')})`;
  const cut = `greatest(${largest} - ${Math.floor(bytesMax * (1 - reservedShare))}, 0)`;
  return `${sumOf(values)} - case when ${largest} > ${answerBytesMax} then 0 else ${cut} end`;
}

function unboundedBytes(rendering: Rendering, view: View, alias: string): string[] {
  return view.items.filter(isUnbounded).map((item) => valueBytes(rendering, item, alias));
}

function referredBytes(rendering: Rendering, view: View, alias: string, joins: string[]): string[] {
  return view.items.flatMap((item) => {
    if (item.kind !== 'reference' || mostMegabytes(item.view) === 0) return [];
    const row = join(rendering, item, alias, joins);
    return [...unboundedBytes(rendering, item.view, row), ...referredBytes(rendering, item.view, row, joins)];
  });
}

/**
 * The bytes of the rows at the end of a path, each with the rows that its references lead to. Reads only as many rows
 * as the decision needs.
 */
function pathBytes(sizing: Sizing, path: readonly Step[], view: View, start: Start): string {
  const tables = start.selected ? [start.selected.table] : [];
  const conditions = start.selected ? [start.selected.condition] : [];
  let { alias } = start;
  for (const step of path) {
    const next = newAlias(sizing.builder, 'n');
    tables.push(`${tableOf(step.view.type)} ${next}`);
    conditions.push(link(step, alias, next));
    alias = next;
  }
  const joins: string[] = [];
  const bytes = rowBytes(sizing, view, alias, joins);
  const rowsMax = Math.floor(sizing.bytesMax / fixedBytes(view, sizing)) + 1;
  const from = [tables.join(' cross join '), ...joins].join(' ');
  const rows = `select ${bytes} as bytes from ${from} where ${conditions.join(' and ')} limit ${rowsMax}`;
  return `(select coalesce(sum(reached.bytes), 0) from (${rows}) reached)`;
}

function join(rendering: Rendering, reference: Step, alias: string, joins: string[]): string {
  const row = newAlias(rendering.builder, 'n');
  joins.push(`left join ${tableOf(reference.view.type)} ${row} on ${link(reference, alias, row)}`);
  return row;
}

function link(step: Step, from: string, to: string): string {
  return step.kind === 'reference'
    ? `${to}."key" = ${from}.${quoteName(step.attribute.column)}`
    : `${to}.${quoteName(step.attribute.ownerColumn)} = ${from}."key"`;
}

/** SQL: the most bytes of a row as the view shows it, with the rows behind its references, without collections. */
function rowBytes(sizing: Sizing, view: View, alias: string, joins: string[]): string {
  const measured = view.items.flatMap((item) => {
    if (longestBytes(item, view, sizing) !== undefined) return [];
    if (item.kind !== 'reference') return [valueBytes(sizing, item, alias)];
    const row = join(sizing, item, alias, joins);
    return [`case when ${row}."key" is null then 4 else ${rowBytes(sizing, item.view, row, joins)} end`];
  });
  return sumOf([String(fixedBytes(view, sizing)), ...measured]);
}

function sumOf(bytes: readonly string[]): string {
  return bytes.length === 0 ? '0' : bytes.join(' + ');
}

/** The braces, the name of each member with its quotes, colon and comma, and the values that are not measured. */
function fixedBytes(view: View, sizing: Sizing): number {
  const members = view.items.map(
    (item) => item.attribute.name.length + '"":,'.length + (longestBytes(item, view, sizing) ?? 0),
  );
  return members.reduce((sum, bytes) => sum + bytes, '{},'.length);
}

/** SQL for an item without `longestBytes`. */
function valueBytes({ links }: Rendering, item: ViewItem, alias: string): string {
  const attribute = item.attribute as ScalarAttribute;
  const value = storedValue(attribute, alias, links.restUrl);
  // The length of a file is known without reading it.
  if (attribute.kind === 'binary') return `coalesce((octet_length(${value}) + 2) / 3 * 4 + 2, 4)`;
  return `coalesce(octet_length(to_json(${value})::text), 4)`;
}

/** No installation has used a million million keys. */
const keyBytes = 12;

/**
 * Undefined: the length depends on the value, or on the row that a reference leads to. Elements of collections are
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
      return (attribute.isInstant ? '"2026-01-31T00:00:00.000000Z"' : '"2026-01-31T00:00:00"').length;
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
      if (sizing.isRough && mostMegabytes((item as Step).view) === 0) return fixedBytes((item as Step).view, sizing);
      return undefined;
    default:
      return undefined;
  }
}

/** JSON writes a control character as `\u001f`; no other character is longer. */
const escapedBytes = 6;
