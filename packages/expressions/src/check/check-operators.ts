// Checks operators by Java's rules: the operands that each operator takes, and the type in which they are computed or
// compared. One rule differs: `==` and `!=` compare references by value, and objects by key. Java would compare
// identities, which is never what an author means.

import { renderingOf } from '../methods/value-class.ts';
import { type Long, negations } from '../run/java-number.ts';
import type { Span } from '../syntax/mistake.ts';
import type { ArithmeticOperator, ComparisonOperator, LogicalOperator, Tree } from '../syntax/syntax-tree.ts';
import {
  booleanType,
  boxOf,
  type ComputedName,
  describeFirst,
  describeType,
  isBoolean,
  isPlain,
  isSameType,
  isText,
  type JavaType,
  mayBeSameObject,
  numberOf,
  primitive,
  promote,
  textType,
  unite,
} from '../typing/java-type.ts';
import { type CheckContext, isUnknown, type Pair, reportMistake, typed, unknownAt } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { asNumber, convertTo, promoteBoth, unboxed } from './convert.ts';

export function checkSign(context: CheckContext, tree: Tree & { kind: 'unary' }, operand: Checked): Checked {
  if (isUnknown(operand)) return operand;
  const name = numberOf(operand.type);
  if (name === undefined)
    return reportMistake(
      context,
      tree,
      `"${tree.operator}" takes a number, but this is ${describeType(operand.type)}.`,
    );
  const as = promote(name, 'int');
  const value = asNumber(context, operand, as);
  if (tree.operator === '+') return value;
  if (value.kind === 'constant') return { ...value, value: negations[as](value.value as Long) };
  return typed(value.type, tree.start, { kind: 'apply', operand: value, apply: negations[as] });
}

/** Checks arithmetic, and concatenation: `+` with a text on either side. */
export function checkArithmetic(context: CheckContext, operator: ArithmeticOperator, pair: Pair): Checked {
  const { left, right, at } = pair;
  if (operator !== '+' || (!isText(left.type) && !isText(right.type)))
    return checkNumbers(context, operator, pair, arithmeticHint(left.type, right.type));
  const unprintable = [left, right].find((side) => !isUnknown(side) && !renderingOf(side.type));
  if (unprintable) {
    const message = `${describeFirst(unprintable.type)} cannot be added to a String: its text form is not defined.`;
    return reportMistake(context, at, message);
  }
  const leftParts = left.kind === 'concat' ? left.parts : [left];
  return typed(textType, at.start, { kind: 'concat', parts: [...leftParts, right] });
}

export function checkNumbers(
  context: CheckContext,
  operator: ArithmeticOperator,
  { left, right, at }: Pair,
  hint = '',
): Checked {
  if (isUnknown(left) || isUnknown(right)) return unknownAt(at);
  const numbers = promoteBoth(context, left, right);
  if (!numbers) {
    const message = `"${operator}" takes two numbers, but got ${describeBoth(left, right)}.`;
    return reportMistake(context, at, message + hint);
  }
  return typed(computedType(context, numbers.as), at.start, { kind: 'arithmetic', operator, ...numbers });
}

/** In a short form the result may be null. */
function computedType({ isNullSafe }: CheckContext, as: ComputedName): JavaType {
  return isNullSafe ? boxOf(primitive(as)) : primitive(as);
}

export function checkComparison(context: CheckContext, operator: ComparisonOperator, pair: Pair): Checked {
  const { left, right, at } = pair;
  if (isUnknown(left) || isUnknown(right)) return { ...unknownAt(at), type: booleanType };
  if (operator === '==' || operator === '!=') return checkEquality(context, operator, pair);
  const numbers = promoteBoth(context, left, right);
  if (!numbers) {
    const message = `"${operator}" compares two numbers, but got ${describeBoth(left, right)}.`;
    return reportMistake(context, at, message + orderHint(left.type, right.type));
  }
  return compareNode(operator, at, numbers);
}

export function compareNode(operator: ComparisonOperator, { start }: Span, { left, right }: Omit<Pair, 'at'>): Checked {
  return typed(booleanType, start, { kind: 'compare', operator, left, right });
}

function checkEquality(context: CheckContext, operator: '==' | '!=', pair: Pair): Checked {
  const { left, right, at } = pair;
  const isNegated = operator === '!=';
  if (left.type.kind === 'null' || right.type.kind === 'null') return checkNull(context, pair, isNegated);
  // If one of two numbers or booleans is primitive, the other is unboxed.
  const hasPrimitive = left.type.kind === 'primitive' || right.type.kind === 'primitive';
  const numbers = hasPrimitive ? promoteBoth(context, left, right) : undefined;
  if (numbers) return compareNode(operator, at, numbers);
  if (hasPrimitive && isBoolean(left.type) && isBoolean(right.type))
    return compareNode(operator, at, { left: unboxed(left), right: unboxed(right) });
  const isSame = left.type.kind !== 'generic' && isSameType(left.type, right.type);
  if (!hasPrimitive && (isSame || mayBeSameObject(left.type, right.type)))
    return typed(booleanType, at.start, { kind: 'equals', left, right, isNegated });
  const message = `${describeFirst(left.type)} is never equal to ${describeType(right.type)}.`;
  return reportMistake(context, at, message + equalityHint(left.type, right.type));
}

function checkNull(context: CheckContext, { left, right, at }: Pair, isNegated: boolean): Checked {
  const operand = left.type.kind === 'null' ? right : left;
  if (operand.type.kind === 'primitive')
    return reportMistake(context, at, `${describeFirst(operand.type)} is a primitive and never null.`);
  return typed(booleanType, at.start, { kind: 'isNull', operand, isNegated });
}

/** Used where Java requires a boolean: the operands of `&&`, the condition of `?:`, the whole expression. */
export function asCondition(context: CheckContext, span: Span, node: Checked): Checked {
  if (isBoolean(node.type)) return unboxed(node);
  if (isUnknown(node)) return { ...node, type: booleanType };
  return reportMistake(context, span, `A condition was expected here, but this is ${describeType(node.type)}.`);
}

/** `&`, `^` and `|` on booleans: both sides are always evaluated. */
export function checkLogical(context: CheckContext, operator: LogicalOperator, { left, right, at }: Pair): Checked {
  if (isUnknown(left) || isUnknown(right)) return { ...unknownAt(at), type: booleanType };
  if (!isBoolean(left.type) || !isBoolean(right.type)) {
    const isBits = numberOf(left.type) !== undefined && numberOf(right.type) !== undefined;
    const hint = isBits ? ' Bit operations are not supported.' : '';
    const message = `"${operator}" takes two booleans, but got ${describeBoth(left, right)}.${hint}`;
    return reportMistake(context, at, message);
  }
  const sides = { left: unboxed(left), right: unboxed(right) };
  return typed(booleanType, at.start, { kind: 'logical', operator, ...sides });
}

/** `condition ? left : right` (JLS §15.25). Both branches have the same type, or are numbers, or one is null. */
export function checkChoice(context: CheckContext, condition: Checked, { left, right, at }: Pair): Checked {
  if (isUnknown(left) || isUnknown(right)) return isUnknown(left) ? left : right;
  const choose = (type: JavaType, yes: Checked, no: Checked) =>
    typed(type, at.start, { kind: 'choice', condition, yes, no });
  if (isSameType(left.type, right.type)) return choose(unite(left.type, right.type), left, right);
  if (left.type.kind === 'null' || right.type.kind === 'null') {
    const type = boxOf(left.type.kind === 'null' ? right.type : left.type);
    return choose(type, convertTo(left, type), convertTo(right, type));
  }
  if (isBoolean(left.type) && isBoolean(right.type)) return choose(booleanType, unboxed(left), unboxed(right));
  const [leftName, rightName] = [numberOf(left.type), numberOf(right.type)];
  const isUnboxed = leftName !== undefined && !isGeneric(left) && !isGeneric(right);
  if (isUnboxed && leftName === rightName) return choose(primitive(leftName), unboxed(left), unboxed(right));
  const numbers = isUnboxed ? promoteBoth(context, left, right) : undefined;
  // In Java a char and an int give a char or an int, depending on whether the int is constant. This is too subtle to
  // support.
  if (numbers && numbers.as !== 'int') return choose(primitive(numbers.as), numbers.left, numbers.right);
  const message = `The two branches of "?:" must have the same type, but got ${describeBoth(left, right)}.`;
  return reportMistake(context, at, message);
}

/** Java does not unbox the result of a generic method. So `?:` of such a result and another type has neither type. */
function isGeneric(node: Checked): boolean {
  if (node.kind === 'choice') return isGeneric(node.yes) || isGeneric(node.no);
  return node.kind === 'call' && node.method.name === 'requireNonNullElse';
}

function describeBoth(left: Checked, right: Checked): string {
  return `${describeType(left.type)} and ${describeType(right.type)}`;
}

function arithmeticHint(...types: JavaType[]): string {
  if (types.some((type) => isPlain(type, 'BigDecimal'))) return ' A BigDecimal has add, subtract, multiply and divide.';
  return types.some((type) => isPlain(type, 'Date')) ? ' A Date has getTime(), which returns milliseconds.' : '';
}

function orderHint(...types: JavaType[]): string {
  if (types.some((type) => isPlain(type, 'Date'))) return ' A Date has before and after.';
  return types.some((type) => isPlain(type, 'BigDecimal') || isText(type)) ? ' Use compareTo instead.' : '';
}

function equalityHint(left: JavaType, right: JavaType): string {
  if (left.kind === 'generic' && isSameType(left, right)) return ' Compare them with equals.';
  const areNumbers = numberOf(left) !== undefined && numberOf(right) !== undefined;
  return areNumbers ? ' Unbox one of them, for example with doubleValue().' : '';
}
