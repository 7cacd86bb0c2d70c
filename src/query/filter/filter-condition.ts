// Turns filter groups into one SQL condition over a row. References become left joins of that row, collections EXISTS.

import { quoteName, tableOf } from '../../database/identifiers.ts';
import { ApiError } from '../../errors.ts';
import { sqlTypeOf } from '../attribute-value.ts';
import {
  addValue,
  attributeAt,
  columnAt,
  indent,
  joinsOf,
  newAlias,
  openScope,
  type RowScope,
  type StatementDraft,
} from '../statement-draft.ts';
import type { ElementGroup, FilterGroup, FilterTest, ValueTest } from './filter-group.ts';

/** Nothing where there is no filter. */
export function filterCondition(scope: RowScope, groups: readonly FilterGroup[]): string | undefined {
  const conditions = groups.map((group) => groupCondition(scope, group));
  if (conditions.length < 2) return conditions[0];
  return `(${conditions.join('\nor ')})`;
}

// Planning time grows with the square of the tables in one group: 30 take 50 ms, 100 take 3 s.
const reachMax = 40;

function groupCondition(scope: RowScope, group: FilterGroup): string {
  const before = scope.draft.aliasCount;
  const condition = groupConditions(scope, group).join('\nand ');
  const reach = scope.draft.aliasCount - before;
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
    return uniqueLookup(scope, test) ?? comparison(scope.draft, test, attributeAt(scope, test.path, test.attribute));
  }
  const exists = existsElement(scope, { ...test, group: { tests: [], elements: [] } });
  return test.isEmpty ? `not ${exists}` : exists;
}

/**
 * Over a reference, a unique attribute names one object: its key is looked up once, and the rows that refer to it are
 * then read from the reference's index in the order of their keys. A join would have to sort them all.
 */
function uniqueLookup(scope: RowScope, test: ValueTest): string | undefined {
  const { path, attribute, operator } = test;
  const reference = path.at(-1);
  if (!reference || !attribute.isUnique || attribute.name === 'key') return undefined;
  if (operator !== 'EQ' && operator !== 'IN') return undefined;
  const column = columnAt(scope, path, 'key');
  const alias = newAlias(scope.draft, 'u');
  const condition = comparison(scope.draft, test, `${alias}.${quoteName(attribute.column)}`);
  const lookup = `select ${alias}."key" from ${tableOf(reference.target)} ${alias} where ${condition}`;
  return operator === 'EQ' ? `${column} = (${lookup})` : `${column} = any(array(${lookup}))`;
}

function comparison(draft: StatementDraft, test: ValueTest, column: string): string {
  if (test.attribute.kind === 'textList') return listComparison(draft, test, column);
  const sqlType = sqlTypeOf(test.attribute);
  const value = (index = 0): string => addValue(draft, test.values[index]!, sqlType);
  const list = (): string => addValue(draft, test.values, sqlType);
  switch (test.operator) {
    case 'EQ':
      return `${column} = ${value()}`;
    case 'NE':
      return `${column} is distinct from ${value()}`;
    case 'GT':
      return `${column} > ${value()}`;
    case 'GTE':
      return `${column} >= ${value()}`;
    case 'LT':
      return `${column} < ${value()}`;
    case 'LTE':
      return `${column} <= ${value()}`;
    case 'IN':
      return `${column} = any(${list()})`;
    case 'NIN':
      return `(${column} is null or ${column} <> all(${list()}))`;
    case 'LIKE':
      return `${column} like ${value()}`;
    case 'ILIKE':
      return `${column} ilike ${value()}`;
    case 'NULL':
      return `${column} is null`;
    case 'NOTNULL':
      return `${column} is not null`;
    case 'BETWEEN':
      return `${column} between ${value(0)} and ${value(1)}`;
  }
}

/** A list of texts has some of the values, or none; one that is null has none. */
function listComparison(draft: StatementDraft, { operator, values }: ValueTest, column: string): string {
  switch (operator) {
    case 'NULL':
      return `coalesce(cardinality(${column}), 0) = 0`;
    case 'NOTNULL':
      return `cardinality(${column}) > 0`;
    case 'NE':
    case 'NIN':
      return `(${column} && ${addValue(draft, values, 'text')}) is not true`;
    default:
      return `${column} && ${addValue(draft, values, 'text')}`;
  }
}

/** An element of the collection, reached over `path`, that fits the group. */
function existsElement(scope: RowScope, { path, collection, group }: ElementGroup): string {
  const alias = newAlias(scope.draft, 'c');
  const element = openScope(scope.draft, alias);
  const owner = `${alias}.${quoteName(collection.ownerColumn)} = ${columnAt(scope, path, 'key')}`;
  const conditions = [owner, ...groupConditions(element, group)];
  const lines = [
    `select from ${tableOf(collection.of)} ${alias}`,
    ...joinsOf(element),
    `where ${conditions.join('\nand ')}`,
  ];
  return `exists (\n  ${indent(lines.join('\n'))}\n)`;
}
