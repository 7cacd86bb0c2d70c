// Compiles the statements that read objects by key as finished JSON, each with its references, sub-objects and state.

import type { Readers } from '../database/statement-batch.ts';
import { quoteName, tableOf } from '../database/tables/identifiers.ts';
import type { ObjectType } from '../model/object-type.ts';
import { allFitCondition, fitsCondition, objectBound, type SizeBound } from './answer-size.ts';
import { indent, startStatement } from './sql/statement-builder.ts';
import type { View } from './view.ts';
import { type Links, type Rendering, viewColumns } from './view-columns.ts';

export interface ReadRow {
  /** JSON. */
  object: Buffer;
  state: string;
}

/** For statements that return an `object`: its bytes are passed on as they are. */
export const objectReaders: Readers = new Map([['object', (text) => Buffer.from(text)]]);

/** Takes the key as its parameter. Returns a `ReadRow`, or no row. Fails if the object is larger than `bound`. */
export function compileRead(view: View, links: Links, bound = objectBound): string {
  return compileReadOf('$1::bigint', view, links, bound);
}

/** The same for the object with this key, an SQL expression. */
export function compileReadOf(key: string, view: View, links: Links, bound: SizeBound): string {
  const rendering: Rendering = { builder: startStatement(), links };
  return [
    'select row_to_json(v.*) as "object",',
    `  ${indent(stateExpression(view.type, 't'))} as "state"`,
    `from ${tableOf(view.type)} t`,
    'cross join lateral (',
    `  ${indent(selectView(rendering, view, 't', bound))}`,
    ') v',
    `where t."key" = ${key}`,
  ].join('\n');
}

/** The same for objects that belong to users. Takes the key, and the key of the user who must own the object. */
export function compileReadOwn(view: View, links: Links, bound = objectBound): string {
  return `${compileRead(view, links, bound)} and t.${quoteName(view.type.ownedBy!.column)} = $2::bigint`;
}

/** Reads only the state, to compare it with an `If-Match`. Takes the key. Returns a row with `state`, or no row. */
export function compileState(type: ObjectType): string {
  return `select ${stateExpression(type, 't')} as "state" from ${tableOf(type)} t where t."key" = $1::bigint`;
}

export interface ReadManyRow {
  /** JSON. */
  object: string;
}

/** Takes an array of keys as its parameter. Returns a `ReadManyRow` for each existing object, in the array's order. */
export function compileReadMany(view: View, links: Links): string {
  return readMany({ builder: startStatement(), links }, view);
}

/** The same for the response to an array POST. Fails if the objects together are too large for one response. */
export function compileReadCreated(view: View, links: Links): string {
  const rendering: Rendering = { builder: startStatement(), links };
  return `${readMany(rendering, view)}\nwhere ${allFitCondition(rendering, view, '$1::bigint[]')}`;
}

/** The SELECT that renders a view of a row. Selects one row, or fails if the row would be too large. */
export function selectView(rendering: Rendering, view: View, alias: string, bound?: SizeBound): string {
  const condition = fitsCondition(rendering, view, alias, bound);
  const columns = `select ${indent(viewColumns(rendering, view, alias))}`;
  return condition === undefined ? columns : `${columns}\nwhere ${condition}`;
}

/** Returns one row per object, as lists do, so that PostgreSQL never holds the text of more than one. */
function readMany(rendering: Rendering, view: View): string {
  const wanted = 'unnest($1::bigint[]) with ordinality as wanted ("key", place)';
  return [
    'select row_to_json(v.*)::text as "object"',
    `from (select t.* from ${wanted} join ${tableOf(view.type)} t on t."key" = wanted."key" order by wanted.place) t`,
    'cross join lateral (',
    `  select ${indent(viewColumns(rendering, view, 't'))}`,
    ') v',
  ].join('\n');
}

/**
 * The state of an object, for its ETag: up to 16 hexadecimal digits over the object and all its sub-objects, at every
 * level. It changes with every write to any of them, in whatever order they are read. Remarks are not part of it. The
 * row must come from the type's table itself, which alone has `xmin`.
 */
function stateExpression(type: ObjectType, alias: string): string {
  return `to_hex(${rowState(type, alias, 1)})`;
}

/** `xmin` is the transaction that wrote the row. Together with the key, it identifies one version of one row. */
function rowState(type: ObjectType, alias: string, depth: number): string {
  const own = `hashint8extended(${alias}."key", ${alias}.xmin::text::bigint)`;
  const owned = type.collections.filter((collection) => collection.isOwned);
  const parts = owned.map((collection) => {
    const element = `s${depth}`;
    const lines = [
      `select bit_xor(${rowState(collection.of, element, depth + 1)})`,
      `from ${tableOf(collection.of)} ${element} where ${element}.${quoteName(collection.ownerColumn)} ` +
        `= ${alias}."key"`,
    ];
    return `coalesce((\n  ${indent(lines.join('\n'))}\n), 0)`;
  });
  return [own, ...parts].join(' # ');
}
