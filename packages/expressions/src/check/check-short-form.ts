// Checks a short form, which is null-safe throughout. An attribute of null is null, arithmetic with null is null, and a
// comparison with null is false, except for `= null` and `!= null`.

import { isArithmetic, isLogical, type Tree } from '../syntax/syntax-tree.ts';
import { booleanType, isBoolean } from '../typing/java-type.ts';
import { type CheckContext, type ExpressionTypes, startContext, typed, withSource } from './check-context.ts';
import type { CheckedExpression } from './check-java.ts';
import { asCondition, checkNumbers, checkSign } from './check-operators.ts';
import { checkShortComparison } from './check-short-comparison.ts';
import type { Checked } from './checked-tree.ts';
import { checkPath, reportUnknown, type ShortOperand } from './short-operand.ts';

export function checkShortForm(text: string, tree: Tree, types: ExpressionTypes): CheckedExpression {
  const context = startContext(text, { ...types, isNullSafe: true, check: checkCondition });
  return { context, tree: checkCondition(context, tree) };
}

function checkCondition(context: CheckContext, tree: Tree): Checked {
  return withSource(context, checkTree(context, tree), tree);
}

function checkTree(context: CheckContext, tree: Tree): Checked {
  if (tree.kind === 'all' || tree.kind === 'any') {
    const conditions = tree.conditions.map((condition) => checkCondition(context, condition));
    return typed(booleanType, tree.start, { kind: tree.kind, conditions });
  }
  if (tree.kind === 'unary' && tree.operator === '!')
    return typed(booleanType, tree.start, { kind: 'not', operand: checkCondition(context, tree.operand) });
  if (tree.kind === 'binary' && !isArithmetic(tree.operator) && !isLogical(tree.operator)) {
    const [left, right] = [checkOperand(context, tree.left), checkOperand(context, tree.right)];
    return checkShortComparison(context, tree.operator, { left, right, at: tree.operatorAt });
  }
  const node = checkValue(context, tree);
  if (!isBoolean(node.type) || node.type.kind === 'primitive') return asCondition(context, tree, node);
  return typed(booleanType, node.at, { kind: 'falseIfNull', operand: node });
}

function checkOperand(context: CheckContext, tree: Tree): ShortOperand {
  const operand = checkOperandTree(context, tree);
  return { ...operand, node: withSource(context, operand.node, tree) };
}

function checkOperandTree(context: CheckContext, tree: Tree): ShortOperand {
  if (tree.kind === 'path') return checkPath(context, tree);
  if (tree.kind === 'literal') return { node: typed(tree.type, tree.start, { kind: 'constant', value: tree.value }) };
  if (tree.kind === 'unary' && tree.operator !== '!')
    return { node: checkSign(context, tree, checkValue(context, tree.operand)) };
  if (tree.kind !== 'binary' || !isArithmetic(tree.operator)) return { node: checkCondition(context, tree) };
  const [left, right] = [checkValue(context, tree.left), checkValue(context, tree.right)];
  return { node: checkNumbers(context, tree.operator, { left, right, at: tree.operatorAt }) };
}

/** Where a text is not allowed, an unknown bare word is reported as an unknown attribute. */
function checkValue(context: CheckContext, tree: Tree): Checked {
  const { node, word } = checkOperand(context, tree);
  return word ? reportUnknown(context, word, context.type) : node;
}
