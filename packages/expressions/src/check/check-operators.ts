// Checks operators by Java's rules: the operands that each operator takes, and the type in which they are computed or
// compared.

import { renderingOf } from '../run/java-text.ts';
import { negateLong } from '../run/long-arithmetic.ts';
import type { Span } from '../syntax/mistake.ts';
import type { ArithmeticOperator, ComparisonOperator, Tree } from '../syntax/syntax-tree.ts';
import {
  booleanType,
  describeFirst,
  describeType,
  isBoolean,
  isText,
  type JavaType,
  numberOf,
  primitive,
  promote,
  textType,
} from '../typing/java-type.ts';
import { type CheckContext, isUnknown, type Pair, reportMistake, typed, unknownAt } from './check-context.ts';
import { checkSameness } from './check-sameness.ts';
import type { Checked } from './checked-tree.ts';
import { asPrimitive, unboxed } from './convert.ts';

export function checkNot(context: CheckContext, tree: Tree & { kind: 'unary' }, operand: Checked): Checked {
  return typed(booleanType, tree.start, { kind: 'not', operand: asCondition(context, tree.operand, operand) });
}

export function checkSign(context: CheckContext, tree: Tree, operator: '-' | '+', operand: Checked): Checked {
  if (isUnknown(operand)) return operand;
  const name = numberOf(operand.type);
  if (name === undefined) {
    return reportMistake(context, tree, `"${operator}" takes a number, but this is ${describeType(operand.type)}.`);
  }
  const as = promote(name, 'int');
  const value = asPrimitive(operand, as);
  if (operator === '+') return value;
  if (value.kind === 'constant') return { ...value, value: negateConstant(value.value as number, as) };
  return typed(primitive(as), tree.start, { kind: 'negate', operand: value, as, isNullSafe: false });
}

function negateConstant(value: number, as: string): unknown {
  if (as === 'long') return negateLong(value);
  return as === 'int' ? -value | 0 : -value;
}

export function checkArithmetic(
  context: CheckContext,
  operator: ArithmeticOperator,
  { left, right, at }: Pair,
): Checked {
  if (operator === '+' && (isText(left.type) || isText(right.type))) return checkConcat(context, { left, right, at });
  if (isUnknown(left) || isUnknown(right)) return unknownAt(at);
  const [leftName, rightName] = [numberOf(left.type), numberOf(right.type)];
  if (leftName === undefined || rightName === undefined) {
    const message = `"${operator}" takes two numbers, but got ${describeBoth(left, right)}.`;
    return reportMistake(context, at, message + arithmeticHint(left.type, right.type));
  }
  const as = promote(leftName, rightName);
  return typed(primitive(as), at.start, {
    kind: 'arithmetic',
    operator,
    as,
    left: asPrimitive(left, as),
    right: asPrimitive(right, as),
    isNullSafe: false,
  });
}

function checkConcat(context: CheckContext, { left, right, at }: Pair): Checked {
  for (const part of [left, right]) {
    if (!isUnknown(part) && !renderingOf(part.type)) {
      const message = `${describeFirst(part.type)} cannot be joined to a text: its text form is not defined.`;
      return reportMistake(context, at, message);
    }
  }
  const before = left.kind === 'concat' ? left.parts : [left];
  return typed(textType, at.start, { kind: 'concat', parts: [...before, right] });
}

export function checkComparison(context: CheckContext, operator: ComparisonOperator, pair: Pair): Checked {
  const { left, right, at } = pair;
  if (isUnknown(left) || isUnknown(right)) return { ...unknownAt(at), type: booleanType };
  if (operator === '==' || operator === '!=') return checkSameness(context, operator, pair);
  const [leftName, rightName] = [numberOf(left.type), numberOf(right.type)];
  if (leftName === undefined || rightName === undefined) {
    const message = `"${operator}" compares two numbers, but got ${describeBoth(left, right)}.`;
    return reportMistake(context, at, message + orderHint(left.type, right.type));
  }
  const as = promote(leftName, rightName);
  return typed(booleanType, at.start, {
    kind: 'compare',
    operator,
    left: asPrimitive(left, as),
    right: asPrimitive(right, as),
    isNullSafe: false,
  });
}

/** Used where Java requires a boolean: the operands of `&&`, the condition of `?:`, the whole expression. */
export function asCondition(context: CheckContext, span: Span, node: Checked): Checked {
  if (isBoolean(node.type)) return unboxed(node);
  if (isUnknown(node)) return { ...node, type: booleanType };
  return reportMistake(context, span, `A condition was expected here, but this is ${describeType(node.type)}.`);
}

export function describeBoth(left: Checked, right: Checked): string {
  return `${describeType(left.type)} and ${describeType(right.type)}`;
}

function arithmeticHint(...types: JavaType[]): string {
  if (types.some((type) => isPlain(type, 'BigDecimal'))) return ' A BigDecimal has add, subtract, multiply and divide.';
  if (types.some((type) => isPlain(type, 'Date'))) return ' A Date has getTime(), its milliseconds.';
  return '';
}

function orderHint(...types: JavaType[]): string {
  if (types.some((type) => isPlain(type, 'Date'))) return ' A Date has before and after.';
  if (types.some((type) => isPlain(type, 'BigDecimal') || isText(type))) return ' They have compareTo.';
  return '';
}

function isPlain(type: JavaType, name: string): boolean {
  return type.kind === 'plain' && type.name === name;
}
