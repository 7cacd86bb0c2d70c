// Renders a view as SQL. PostgreSQL writes the JSON itself, in one statement and with every digit of every decimal. The
// columns of a SELECT are named like the attributes, and `row_to_json` builds the object from them.

import { quoteLiteral, quoteName, storedValue, tableOf } from '../database/tables/identifiers.ts';
import type { ObjectType, ScalarAttribute } from '../model/object-type.ts';
import { indent, newAlias, type StatementBuilder } from './sql/statement-builder.ts';
import { isInColumn, type View, type ViewItem } from './view.ts';

/** The base URL of objects: `self` is `{restUrl}/{type}/{key}`. */
export interface Links {
  restUrl: string;
}

export interface Rendering {
  readonly builder: StatementBuilder;
  readonly links: Links;
}

/**
 * The select list that shows the view of a row. The row may come from the type's table, or from any other source with
 * the same columns.
 */
export function viewColumns(rendering: Rendering, view: View, alias: string): string {
  return view.items
    .map((item) => `${itemExpression(rendering, item, view.type, alias)} as ${quoteName(item.attribute.name)}`)
    .join(',\n');
}

/** The table columns that `viewColumns` reads, always including the key. */
export function columnsRead(view: View): string[] {
  const columns = view.items.map(({ attribute }) => {
    if ('codeOf' in attribute && attribute.codeOf) return attribute.codeOf;
    return 'column' in attribute && !('isComputed' in attribute && attribute.isComputed) ? attribute.column : 'key';
  });
  return [...new Set(['key', ...columns])];
}

function itemExpression(rendering: Rendering, item: ViewItem, type: ObjectType, alias: string): string {
  switch (item.kind) {
    case 'reference':
      return referenceExpression(rendering, item, alias);
    case 'collection':
      return collectionExpression(rendering, item, alias);
    case 'scalar':
      return item.attribute.kind === 'self'
        ? selfExpression(rendering.links, type, `${alias}."key"`)
        : scalarExpression(item.attribute, alias, rendering.links);
  }
}

function selfExpression(links: Links, type: ObjectType, key: string): string {
  return `${quoteLiteral(`${links.restUrl}/${type.name}/`)} || ${key}`;
}

function scalarExpression(attribute: ScalarAttribute, alias: string, { restUrl }: Links): string {
  const column = storedValue(attribute, alias, restUrl);
  if (attribute.isInstant) return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  if (attribute.kind === 'decimal') return `trim_scale(${column})`;
  // encode() breaks lines after 76 characters.
  if (attribute.kind === 'binary') return `replace(encode(${column}, 'base64'), chr(10), '')`;
  return column;
}

function referenceExpression(rendering: Rendering, item: Of<'reference'>, alias: string): string {
  const { attribute: reference, view } = item;
  const key = `${alias}.${quoteName(reference.column)}`;
  if (isInColumn(item)) {
    const self = selfExpression(rendering.links, view.type, key);
    return `(select row_to_json(v.*) from (select ${key} as "key", ${self} as "self" where ${key} is not null) v)`;
  }
  const row = newAlias(rendering.builder, 'r');
  const lines = [
    `select ${indent(viewColumns(rendering, view, row))}`,
    `from ${tableOf(view.type)} ${row} where ${row}."key" = ${key}`,
  ];
  return `(select row_to_json(v.*) from (\n  ${indent(lines.join('\n'))}\n) v)`;
}

/**
 * `json_agg` would put line breaks between the elements. `array_to_json` keeps the result compact, and holds half as
 * many copies of it as `string_agg` with a cast. Rows are sorted before they are rendered, not after.
 */
function collectionExpression(rendering: Rendering, { attribute, view }: Of<'collection'>, alias: string): string {
  const row = newAlias(rendering.builder, 'c');
  const { sequence } = view.type;
  const order = sequence ? `${row}.${quoteName(sequence.column)}, ${row}."key"` : `${row}."key"`;
  const owner = `${row}.${quoteName(attribute.ownerColumn)} = ${alias}."key"`;
  const lines = [
    'select row_to_json(v.*)',
    `from (select * from ${tableOf(view.type)} ${row} where ${owner} order by ${order}) ${row}, lateral (`,
    `  select ${indent(indent(viewColumns(rendering, view, row)))}`,
    ') v',
  ];
  return `array_to_json(array(\n  ${indent(lines.join('\n'))}\n))`;
}

type Of<K extends ViewItem['kind']> = Extract<ViewItem, { kind: K }>;
