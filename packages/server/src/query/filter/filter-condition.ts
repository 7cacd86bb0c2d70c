// Compiles filter groups into one SQL condition on a row. References become left joins of the row, collections EXISTS.

import { quoteName, tableOf } from '../../database/tables/identifiers.ts';
import { ApiError } from '../../errors.ts';
import { isKeyText, sqlTypeOf } from '../attributes/attribute-value.ts';
import {
  addValue,
  aliasAt,
  attributeAt,
  columnAt,
  indent,
  joinsOf,
  newAlias,
  openScope,
  type RowScope,
  type StatementBuilder,
} from '../sql/statement-builder.ts';
import type { ElementGroup, FilterGroup, FilterTest, ValueTest } from './filter-group.ts';
import { operators } from './operators.ts';

/** Returns undefined if there is no filter. */
export function filterCondition(scope: RowScope, groups: readonly FilterGroup[]): string | undefined {
  const conditions = groups.map((group) => groupCondition(scope, group));
  if (conditions.length < 2) return conditions[0];
  return `(${conditions.join('\nor ')})`;
}

// Planning time grows with the square of the number of tables in a group: 30 tables take 50 ms, 100 tables 3 s.
const reachMax = 40;

function groupCondition(scope: RowScope, group: FilterGroup): string {
  const before = scope.builder.aliasCount;
  const condition = groupConditions(scope, group).join('\nand ');
  const reach = scope.builder.aliasCount - before;
  if (reach <= reachMax) return condition;
  const problem = `go over ${reach} references and collections; at most ${reachMax} are allowed in one group.`;
  throw new ApiError('invalidFilter', `The filters ${problem}`);
}

function groupConditions(scope: RowScope, group: FilterGroup): string[] {
  return [
    ...group.tests.map((test) => testCondition(scope, test)),
    ...group.elements.map((element) => existsElement(scope, element)),
  ];
}

function testCondition(scope: RowScope, test: FilterTest): string {
  if (test.kind === 'value') {
    const lookup = uniqueLookup(scope, test) ?? codeLookup(scope, test);
    if (lookup !== undefined) return lookup;
    const compared = comparison(scope.builder, test, attributeAt(scope, test.path, test.attribute));
    return [compared, ...impliedCondition(scope, test)].join(' and ');
  }
  const exists = existsElement(scope, { ...test, group: { tests: [], elements: [] } });
  return test.isEmpty ? `not ${exists}` : exists;
}

/**
 * Over a reference, a unique attribute identifies one object. Its key is looked up once, and the referring rows are
 * then read from the reference's index in key order. A join would have to sort them all.
 */
function uniqueLookup(scope: RowScope, test: ValueTest): string | undefined {
  const { path, attribute, operator } = test;
  const reference = path.at(-1);
  if (!reference || !attribute.isUnique || attribute.name === 'key') return undefined;
  if (operator !== 'EQ' && operator !== 'IN') return undefined;
  const column = columnAt(scope, path, 'key');
  const alias = newAlias(scope.builder, 'u');
  const condition = comparison(scope.builder, test, `${alias}.${quoteName(attribute.column)}`);
  const lookup = `select ${alias}."key" from ${tableOf(reference.target)} ${alias} where ${condition}`;
  return operator === 'EQ' ? `${column} = (${lookup})` : `${column} = any(array(${lookup}))`;
}

/** The objects with the code are looked up once, whatever their types. */
function codeLookup(scope: RowScope, { path, attribute: { codeOf }, operator, values }: ValueTest): string | undefined {
  if (codeOf === undefined) return undefined;
  const codes = addValue(scope.builder, operator === 'IN' ? values : [values[0]!], 'text');
  const keys = `select flaghoist_system.keys_of_code(c) from unnest(${codes}) c`;
  return `${columnAt(scope, path, codeOf)} = any(array(${keys}))`;
}

/** What the values imply. It selects nothing more, but can be found by an index. */
function impliedCondition(scope: RowScope, { path, attribute, operator, values }: ValueTest): string[] {
  if (operator !== 'EQ' && operator !== 'IN') return [];
  const { implies = {}, keyPattern } = attribute;
  if (keyPattern !== undefined) {
    const keys = values.flatMap((value) => new RegExp(keyPattern).exec(value)?.[1] ?? []).filter(isKeyText);
    return [`${columnAt(scope, path, 'key')} = any(${addValue(scope.builder, keys, 'bigint')})`];
  }
  const [implied, ...others] = new Set(values.map((value) => (Object.hasOwn(implies, value) ? implies[value] : '')));
  return implied && others.length === 0 ? [implied.replaceAll('{row}', aliasAt(scope, path))] : [];
}

function comparison(builder: StatementBuilder, { attribute, operator, values }: ValueTest, column: string): string {
  const row = operators[operator];
  const sqlType = sqlTypeOf(attribute);
  if (attribute.kind === 'textList' && 'textListSql' in row) {
    return row.textListSql(column, ...(values.length > 0 ? [addValue(builder, values, sqlType)] : []));
  }
  if (row.operand === 'list') return row.sql(column, addValue(builder, values, sqlType));
  return row.sql(column, ...values.map((value) => addValue(builder, value, sqlType)));
}

/** SQL for: an element of the collection, reached over `path`, matches the group. */
function existsElement(scope: RowScope, { path, collection, group }: ElementGroup): string {
  const alias = newAlias(scope.builder, 'c');
  const element = openScope(scope.builder, alias);
  const owner = `${alias}.${quoteName(collection.ownerColumn)} = ${columnAt(scope, path, 'key')}`;
  const conditions = [owner, ...groupConditions(element, group)];
  const lines = [
    `select from ${tableOf(collection.of)} ${alias}`,
    ...joinsOf(element),
    `where ${conditions.join('\nand ')}`,
  ];
  return `exists (\n  ${indent(lines.join('\n'))}\n)`;
}
