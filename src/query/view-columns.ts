// Renders a view as SQL: PostgreSQL itself writes the JSON, in one statement and with every digit of every decimal. The
// columns of a SELECT carry the attribute names, and `row_to_json` makes the object of them.

import { quoteLiteral, quoteName, storedValue, tableOf } from '../database/identifiers.ts';
import type { CollectionAttribute, ObjectType, ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';
import { indent, newAlias, type StatementDraft } from './statement-draft.ts';
import { isKeyOrSelf, type View, type ViewItem } from './view.ts';

/** Where objects are found: `self` is `{restUrl}/{type}/{key}`. */
export interface Links {
  restUrl: string;
}

export interface Rendering {
  readonly draft: StatementDraft;
  readonly links: Links;
}

/** The select list that shows the view over a row of its type's table, or of anything else with the same columns. */
export function viewColumns(rendering: Rendering, view: View, alias: string): string {
  return view.items
    .map((item) => `${itemExpression(rendering, item, view.type, alias)} as ${quoteName(item.attribute.name)}`)
    .join(',\n');
}

/** The table columns that `viewColumns` reads; the key is always one of them. */
export function columnsRead(view: View): string[] {
  const columns = view.items.map(({ attribute }) =>
    'column' in attribute && !('isMade' in attribute && attribute.isMade) ? attribute.column : 'key',
  );
  return [...new Set(['key', ...columns])];
}

function itemExpression(rendering: Rendering, item: ViewItem, type: ObjectType, alias: string): string {
  switch (item.kind) {
    case 'reference':
      return referenceExpression(rendering, item.attribute, item.view, alias);
    case 'collection':
      return collectionExpression(rendering, item.attribute, item.view, alias);
    case 'scalar':
      return item.attribute.kind === 'self'
        ? selfExpression(rendering.links, type, `${alias}."key"`)
        : scalarExpression(item.attribute, alias);
  }
}

function selfExpression(links: Links, type: ObjectType, key: string): string {
  return `${quoteLiteral(`${links.restUrl}/${type.name}/`)} || ${key}`;
}

function scalarExpression(attribute: ScalarAttribute, alias: string): string {
  const column = storedValue(attribute, alias);
  if (attribute.kind === 'decimal') return `trim_scale(${column})`;
  // encode() breaks its lines after 76 characters.
  if (attribute.kind === 'binary') return `replace(encode(${column}, 'base64'), chr(10), '')`;
  return column;
}

function referenceExpression(rendering: Rendering, reference: ReferenceAttribute, view: View, alias: string): string {
  const key = `${alias}.${quoteName(reference.column)}`;
  const isInColumn = view.items.every((item) => isKeyOrSelf(item.attribute));
  if (isInColumn) {
    const self = selfExpression(rendering.links, view.type, key);
    return `(select row_to_json(v.*) from (select ${key} as "key", ${self} as "self" where ${key} is not null) v)`;
  }
  const row = newAlias(rendering.draft, 'r');
  const lines = [
    `select ${indent(viewColumns(rendering, view, row))}`,
    `from ${tableOf(view.type)} ${row} where ${row}."key" = ${key}`,
  ];
  return `(select row_to_json(v.*) from (\n  ${indent(lines.join('\n'))}\n) v)`;
}

/** `json_agg` would put a line break between the elements; `string_agg` leaves the answer compact. */
function collectionExpression(
  rendering: Rendering,
  collection: CollectionAttribute,
  view: View,
  alias: string,
): string {
  const row = newAlias(rendering.draft, 'c');
  const { sequence } = view.type;
  const order = sequence ? `${row}.${quoteName(sequence.column)}, ${row}."key"` : `${row}."key"`;
  const lines = [
    `select ('[' || coalesce(string_agg(row_to_json(v.*)::text, ',' order by ${order}), '') || ']')::json`,
    `from ${tableOf(view.type)} ${row}, lateral (`,
    `  select ${indent(indent(viewColumns(rendering, view, row)))}`,
    ') v',
    `where ${row}.${quoteName(collection.ownerColumn)} = ${alias}."key"`,
  ];
  return `(\n  ${indent(lines.join('\n'))}\n)`;
}
