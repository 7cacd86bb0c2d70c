// The table of filter operators: what each one takes, and which attributes it applies to.

import type { Attribute } from '../../model/object-type.ts';

/** The values that follow the operator. */
export type Operand = 'nothing' | 'one' | 'pair' | 'list';

export const operators = {
  EQ: 'one',
  NE: 'one',
  GT: 'one',
  GTE: 'one',
  LT: 'one',
  LTE: 'one',
  IN: 'list',
  NIN: 'list',
  LIKE: 'one',
  ILIKE: 'one',
  NULL: 'nothing',
  NOTNULL: 'nothing',
  BETWEEN: 'pair',
} as const satisfies Record<string, Operand>;

export type Operator = keyof typeof operators;

export const operatorNames = Object.keys(operators) as Operator[];

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

/** Empty if the attribute cannot be filtered by. */
export function operatorsOf(attribute: Attribute): readonly Operator[] {
  switch (attribute.kind) {
    case 'text':
    case 'code':
      return operatorNames;
    case 'key':
    case 'integer':
    case 'decimal':
    case 'dateTime':
      return ofOrdered;
    case 'boolean':
    case 'reference':
    case 'textList':
      return ofUnordered;
    case 'collection':
      return ofCollection;
    case 'self':
    case 'binary':
    case 'json':
      return [];
  }
}

const ofOrdered = operatorNames.filter((name) => name !== 'LIKE' && name !== 'ILIKE');
const ofUnordered: Operator[] = ['EQ', 'NE', 'IN', 'NIN', 'NULL', 'NOTNULL'];
const ofCollection: Operator[] = ['NULL', 'NOTNULL'];
