// The filter operators. A row holds everything about an operator: its meaning, operand, attributes and SQL.

import type { Attribute } from '../../model/object-type.ts';

/** The values that follow the operator. */
type Operand = 'nothing' | 'one' | 'pair' | 'list';

/** What filters can ask of an attribute. Each level includes the ones before it. */
const levels = ['nothing', 'presence', 'equality', 'order', 'text'] as const;

/** `values`: parameters, one for each value, or a single array for a list. */
type ToSql = (column: string, ...values: string[]) => string;

type OperatorRow = {
  /** Completes the sentence "matches if the attribute". */
  meaning: string;
  operand: Operand;
  sql: ToSql;
} & (
  | { needs: 'order' }
  /** The parameter for a text as written. */
  | { needs: 'text'; parameterOf: (text: string) => string }
  /** For a list of texts: whether it contains any of the values. A null list contains none. */
  | { needs: 'presence' | 'equality'; textListSql: ToSql }
);

const containsAny: ToSql = (column, values) => `${column} && ${values}`;
const containsNone: ToSql = (column, values) => `(${column} && ${values}) is not true`;

const table = {
  EQ: {
    meaning: 'is equal to the value',
    operand: 'one',
    needs: 'equality',
    sql: (column, value) => `${column} = ${value}`,
    textListSql: containsAny,
  },
  NE: {
    meaning: 'is different, or null',
    operand: 'one',
    needs: 'equality',
    sql: (column, value) => `${column} is distinct from ${value}`,
    textListSql: containsNone,
  },
  GT: comparison('>', 'is greater'),
  GTE: comparison('>=', 'is greater or equal'),
  LT: comparison('<', 'is less'),
  LTE: comparison('<=', 'is less or equal'),
  IN: {
    meaning: 'is one of',
    operand: 'list',
    needs: 'equality',
    sql: (column, values) => `${column} = any(${values})`,
    textListSql: containsAny,
  },
  NIN: {
    meaning: 'is none of, or null',
    operand: 'list',
    needs: 'equality',
    sql: (column, values) => `(${column} is null or ${column} <> all(${values}))`,
    textListSql: containsNone,
  },
  LIKE: pattern('like', 'matches a pattern: % is any text, _ is one character'),
  ILIKE: pattern('ilike', 'the same, ignoring case'),
  NULL: {
    meaning: 'is null (a collection: is empty)',
    operand: 'nothing',
    needs: 'presence',
    sql: (column) => `${column} is null`,
    textListSql: (column) => `coalesce(cardinality(${column}), 0) = 0`,
  },
  NOTNULL: {
    meaning: 'is not null (a collection: is not empty)',
    operand: 'nothing',
    needs: 'presence',
    sql: (column) => `${column} is not null`,
    textListSql: (column) => `cardinality(${column}) > 0`,
  },
  BETWEEN: {
    meaning: 'is in the range, ends included',
    operand: 'pair',
    needs: 'order',
    sql: (column, least, most) => `${column} between ${least} and ${most}`,
  },
} satisfies Record<string, OperatorRow>;

function comparison(sign: string, meaning: string): OperatorRow {
  return { meaning, operand: 'one', needs: 'order', sql: (column, value) => `${column} ${sign} ${value}` };
}

function pattern(sign: string, meaning: string): OperatorRow {
  return { ...comparison(sign, meaning), needs: 'text', parameterOf: escapePattern };
}

/**
 * `%` matches any text, `_` one character, and `\%`, `\_`, `\\` these three characters. Any other backslash matches
 * itself; PostgreSQL would drop it, or fail if it comes last.
 */
function escapePattern(text: string): string {
  return text.replace(/\\([%_\\]?)/g, (_, escaped: string) => (escaped === '' ? '\\\\' : `\\${escaped}`));
}

export type Operator = keyof typeof table;

export const operators: Readonly<Record<Operator, OperatorRow>> = table;

export const operatorNames = Object.keys(table) as Operator[];

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

/** Empty if the attribute cannot be filtered by. */
export function operatorsOf(attribute: Attribute): Operator[] {
  const { kind } = attribute;
  // Each value is looked up; there is no way from an object to be compared with the others.
  if (isLookedUp(attribute)) return ['EQ', 'IN'];
  const level = levels.indexOf(levelOf[kind]);
  return operatorNames.filter((name) => levels.indexOf(operators[name].needs) <= level);
}

/** Whether the attribute is a code of another object. */
export function isLookedUp(attribute: Attribute): boolean {
  return 'codeOf' in attribute && attribute.codeOf !== undefined;
}

const levelOf: Record<Attribute['kind'], (typeof levels)[number]> = {
  self: 'nothing',
  key: 'order',
  text: 'text',
  code: 'text',
  decimal: 'order',
  integer: 'order',
  dateTime: 'order',
  boolean: 'equality',
  reference: 'equality',
  textList: 'equality',
  collection: 'presence',
  binary: 'nothing',
  json: 'nothing',
};
