// Checks a short form, which is null-safe throughout. An attribute of null is null, arithmetic with null is null, and a
// comparison with null is false, except for `= null` and `!= null`.

import type { ObjectShape } from '../input/object-shape.ts';
import { isArithmetic, type Tree } from '../syntax/syntax-tree.ts';
import {
  booleanType,
  boxOf,
  describeType,
  isBoolean,
  nullType,
  numberOf,
  primitive,
  promote,
  textType,
} from '../typing/java-type.ts';
import { type CheckContext, isUnknown, reportMistake, startContext, typed } from './check-context.ts';
import type { CheckedExpression } from './check-java.ts';
import { describeBoth } from './check-operators.ts';
import { checkShortComparison } from './check-short-comparison.ts';
import type { Checked } from './checked-tree.ts';
import { asNullable } from './convert.ts';
import { checkPath, refuseName, type ShortOperand } from './short-path.ts';

export function checkShortForm(text: string, tree: Tree, type: ObjectShape): CheckedExpression {
  const context = startContext(text, type, (inner, part) => checkOperand(inner, part).node);
  return { context, tree: checkCondition(context, tree) };
}

function checkCondition(context: CheckContext, tree: Tree): Checked {
  if (tree.kind === 'all' || tree.kind === 'any') {
    const conditions = tree.conditions.map((condition) => checkCondition(context, condition));
    return typed(booleanType, tree.start, { kind: tree.kind, conditions });
  }
  if (tree.kind === 'unary' && tree.operator === '!')
    return typed(booleanType, tree.start, { kind: 'not', operand: checkCondition(context, tree.operand) });
  if (tree.kind === 'binary' && !isArithmetic(tree.operator)) {
    const [left, right] = [checkOperand(context, tree.left), checkOperand(context, tree.right)];
    return checkShortComparison(context, tree.operator, { left, right, at: tree.operatorAt });
  }
  const node = asAttribute(context, checkOperand(context, tree));
  if (isUnknown(node)) return { ...node, type: booleanType };
  if (!isBoolean(node.type))
    return reportMistake(context, tree, `A condition was expected here, but this is ${describeType(node.type)}.`);
  if (node.type.kind === 'primitive') return node;
  return typed(booleanType, node.at, { kind: 'convert', operand: node, conversion: { kind: 'falseIfNull' } });
}

function checkOperand(context: CheckContext, tree: Tree): ShortOperand {
  switch (tree.kind) {
    case 'path':
      return checkPath(context, tree);
    case 'text':
      return { node: typed(textType, tree.start, { kind: 'constant', value: tree.value }) };
    case 'number':
      return { node: typed(primitive(tree.number.type), tree.start, { kind: 'constant', value: tree.number.value }) };
    case 'boolean':
      return { node: typed(booleanType, tree.start, { kind: 'constant', value: tree.value }) };
    case 'null':
      return { node: typed(nullType, tree.start, { kind: 'constant', value: null }) };
    case 'unary':
      return { node: tree.operator === '!' ? checkCondition(context, tree) : checkNegation(context, tree) };
    case 'binary':
      return { node: isArithmetic(tree.operator) ? checkArithmetic(context, tree) : checkCondition(context, tree) };
    default:
      return { node: checkCondition(context, tree) };
  }
}

/** Where a text is not allowed, an unknown bare word is reported as an unknown attribute. */
function asAttribute(context: CheckContext, { node, word }: ShortOperand): Checked {
  return word ? refuseName(context, word, context.type) : node;
}

function checkNegation(context: CheckContext, tree: Tree & { kind: 'unary' }): Checked {
  const operand = asAttribute(context, checkOperand(context, tree.operand));
  if (isUnknown(operand)) return operand;
  const name = numberOf(operand.type);
  if (name === undefined)
    return reportMistake(context, tree, `"-" takes a number, but this is ${describeType(operand.type)}.`);
  const as = promote(name, 'int');
  return typed(boxOf(primitive(as)), tree.start, {
    kind: 'negate',
    operand: asNullable(operand, as),
    as,
    isNullSafe: true,
  });
}

function checkArithmetic(context: CheckContext, tree: Tree & { kind: 'binary' }): Checked {
  const { operator, operatorAt } = tree;
  const [left, right] = [tree.left, tree.right].map((side) => asAttribute(context, checkOperand(context, side))) as [
    Checked,
    Checked,
  ];
  if (isUnknown(left) || isUnknown(right) || !isArithmetic(operator)) return isUnknown(left) ? left : right;
  const [leftName, rightName] = [numberOf(left.type), numberOf(right.type)];
  if (leftName === undefined || rightName === undefined) {
    return reportMistake(context, operatorAt, `"${operator}" takes two numbers, but got ${describeBoth(left, right)}.`);
  }
  const as = promote(leftName, rightName);
  return typed(boxOf(primitive(as)), operatorAt.start, {
    kind: 'arithmetic',
    operator,
    as,
    left: asNullable(left, as),
    right: asNullable(right, as),
    isNullSafe: true,
  });
}
