// Lists what a value can be compared with at the end of unfinished text: the values of a code, true and false, null,
// and after `instanceof` the types that a changed object can have.

import type { ExpressionTypes } from '../check/check-context.ts';
import type { AttributeShape } from '../input/object-shape.ts';
import type { Token } from '../syntax/token.ts';
import { type Completion, valueCompletion } from './completion.ts';
import { checkOperand, isJava, lastOperand, pathAttribute, scopeAt } from './operand.ts';

export function comparedValues(tokens: readonly Token[], types: ExpressionTypes): Completion[] {
  const last = tokens.at(-1);
  if (last?.text === 'instanceof') return types.hierarchy.map(({ name }) => valueCompletion(name, 'class'));
  const isOperator = last?.kind === 'symbol' && equalities.has(last.text);
  const attribute = comparedAttribute(tokens, isOperator, types);
  const nulls = isOperator ? [valueCompletion('null', 'null')] : [];
  if (attribute?.kind === 'boolean')
    return [...['true', 'false'].map((name) => valueCompletion(name, 'boolean')), ...nulls];
  if (attribute?.kind !== 'code') return nulls;
  const isQuoted = isJava(tokens);
  const codes = attribute.values.map((code) => {
    const isWord = /^[A-Za-z_]\w*$/.test(code) && !types.type.attributes.has(code);
    const written = isQuoted || !isWord ? JSON.stringify(code) : code;
    return { ...valueCompletion(code, attribute.name), shown: written, insert: written };
  });
  return [...codes, ...nulls];
}

const equalities = new Set(['==', '!=', '=', '<>']);

/** The attribute that the next value is compared with. For a reference in a short form, it is the code of its target. */
function comparedAttribute(
  tokens: readonly Token[],
  isOperator: boolean,
  types: ExpressionTypes,
): AttributeShape | undefined {
  const before = isOperator ? tokens.slice(0, -1) : beforeEquals(tokens);
  if (!before) return undefined;
  const operand = lastOperand(before);
  if (isJava(tokens)) {
    const checked = checkOperand(operand, scopeAt(before, types), types);
    return checked?.kind === 'attribute' ? checked.attribute : undefined;
  }
  const attribute = pathAttribute(operand, types.type);
  return attribute?.kind === 'reference' ? attribute.target.code : attribute;
}

/** What comes before `.equals(`, or the first argument of `Objects.equals(…,`. */
function beforeEquals(tokens: readonly Token[]): readonly Token[] | undefined {
  const ends = (...texts: string[]) => texts.every((text, index) => tokens.at(index - texts.length)?.text === text);
  if (ends('.', 'equals', '(')) return tokens.slice(0, -3);
  if (!ends(',')) return undefined;
  const before = tokens.slice(0, -1);
  const call = before.slice(0, before.length - lastOperand(before).length);
  const isObjects = ['Objects', '.', 'equals', '('].every((text, index) => call.at(index - 4)?.text === text);
  return isObjects ? before : undefined;
}
