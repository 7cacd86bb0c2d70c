// Lists the operators that can follow a value: by its type in Java, by its attribute in a short form, and depending on
// whether the condition has a comparison already.

import type { ExpressionTypes } from '../check/check-context.ts';
import type { AttributeShape } from '../input/object-shape.ts';
import type { Token } from '../syntax/token.ts';
import { isBoolean, isText, type JavaType, numberOf } from '../typing/java-type.ts';
import { type Completion, operatorCompletion } from './completion.ts';
import { checkOperand, isJava, lastOperand, pathAttribute, scopeAt } from './operand.ts';

/** Whether the tokens end with a value, so that an operator can follow. */
export function endsWithValue(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  if (!last) return false;
  if (last.kind === 'symbol') return last.text === ')' || last.text === ']';
  return last.kind !== 'name' || !/^(and|or|not|new|instanceof)$/i.test(last.text);
}

export function operatorsAfter(tokens: readonly Token[], types: ExpressionTypes): Completion[] {
  const operand = lastOperand(tokens);
  const hasComparison = comparesIn(tokens);
  if (isJava(tokens)) {
    const type = checkOperand(operand, scopeAt(tokens, types), types)?.type;
    return completionsOf(type ? afterType(type, hasComparison) : []);
  }
  const attribute = pathAttribute(operand, types.type);
  return completionsOf(attribute || hasComparison ? afterAttribute(attribute, hasComparison) : []);
}

function afterType(type: JavaType, hasComparison: boolean): string[] {
  const isNumber = numberOf(type) !== undefined;
  const comparisons = isNumber ? [...equality, ...order] : equality;
  return [
    ...(hasComparison ? [] : comparisons),
    ...(type.kind === 'oneOf' ? ['instanceof'] : []),
    ...(isNumber ? arithmetic : []),
    ...(isText(type) ? ['+'] : []),
    ...(hasComparison || isBoolean(type) ? ['&&', '||'] : []),
  ];
}

/** `attribute`: undefined after a literal. */
function afterAttribute(attribute: AttributeShape | undefined, hasComparison: boolean): string[] {
  const isNumber = attribute?.kind === 'decimal' || attribute?.kind === 'integer';
  const isOrdered = isNumber || attribute?.kind === 'dateTime' || attribute?.kind === 'text';
  return [
    ...(hasComparison || !isComparable(attribute) ? [] : ['=', '!=', ...(isOrdered ? order : [])]),
    ...(isNumber ? arithmetic : []),
    ...(hasComparison || attribute?.kind === 'boolean' ? ['AND', 'OR'] : []),
  ];
}

function isComparable(attribute: AttributeShape | undefined): boolean {
  return attribute !== undefined && !['collection', 'binary', 'json', 'textList'].includes(attribute.kind);
}

const equality = ['==', '!='];
const order = ['<', '<=', '>', '>='];
const arithmetic = ['+', '-', '*', '/', '%'];

const descriptions: Readonly<Record<string, string>> = {
  '==': 'is equal to',
  '=': 'is equal to',
  '!=': 'is not equal to',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is greater than',
  '>=': 'is at least',
  '&&': 'and',
  '||': 'or',
  AND: 'both conditions hold',
  OR: 'at least one condition holds',
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divided by',
  '%': 'remainder of the division by',
  instanceof: 'has the type',
};

function completionsOf(operators: readonly string[]): Completion[] {
  return operators.map((operator) => operatorCompletion(operator, descriptions[operator]!));
}

const comparing = new Set(['==', '!=', '=', '<>', '<', '<=', '>', '>=', 'instanceof']);
const connecting = new Set(['&&', '||', '&', '|', '^', ',', '->', '?', ':', 'AND', 'OR', 'NOT']);

/** Whether the condition that the tokens end in has a comparison, outside of its parentheses. */
function comparesIn(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { kind, text } of [...tokens].reverse()) {
    if (kind === 'symbol' && (text === ')' || text === ']')) depth += 1;
    if (kind === 'symbol' && (text === '(' || text === '[') && --depth < 0) return false;
    if (depth > 0 || (kind !== 'symbol' && kind !== 'name')) continue;
    if (comparing.has(text)) return true;
    if (connecting.has(kind === 'name' ? text.toUpperCase() : text)) return false;
  }
  return false;
}
