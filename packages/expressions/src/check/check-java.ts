// Checks a Java tree against the object type: resolves names, assigns a type to every node, and reports all mistakes at
// once. The expression must be of type boolean or Boolean.

import { meantName } from '@flaghoist/source-text';
import { classNames, findClass, type JavaClass } from '../methods/known-classes.ts';
import { isArithmetic, isLogical, type Name, type Tree } from '../syntax/syntax-tree.ts';
import { booleanType, describeType, isBoolean, primitive, renderType } from '../typing/java-type.ts';
import { variables } from '../typing/variable.ts';
import { checkCallOn, checkNew, checkStaticCall } from './check-calls.ts';
import { checkCast, checkInstanceOf } from './check-casts.ts';
import {
  type CheckContext,
  type ExpressionTypes,
  isUnknown,
  reportMistake,
  startContext,
  typed,
  variableNode,
  withSource,
} from './check-context.ts';
import { getterHint } from './check-getters.ts';
import {
  asCondition,
  checkArithmetic,
  checkChoice,
  checkComparison,
  checkLogical,
  checkSign,
} from './check-operators.ts';
import type { Checked } from './checked-tree.ts';
import { asPrimitive, nonNull } from './convert.ts';
import { getterOf, gettersOf, ownersOf } from './getters.ts';
import { type Hint, nearestHint, sentenceOf } from './hint.ts';

export interface CheckedExpression {
  readonly context: CheckContext;
  readonly tree: Checked;
}

export function checkJava(text: string, tree: Tree, types: ExpressionTypes): CheckedExpression {
  const context = startContext(text, { ...types, isNullSafe: false, check });
  const checked = check(context, tree);
  if (!isBoolean(checked.type) && !isUnknown(checked)) {
    const message = `The expression must be true or false (boolean), but it is ${describeType(checked.type)}.`;
    return { context, tree: reportMistake(context, tree, message) };
  }
  return { context, tree: asCondition(context, tree, checked) };
}

export function check(context: CheckContext, tree: Tree): Checked {
  context.nodeCount++;
  return withSource(context, checkTree(context, tree), tree);
}

function checkTree(context: CheckContext, tree: Tree): Checked {
  switch (tree.kind) {
    case 'literal':
      return typed(tree.type, tree.start, { kind: 'constant', value: tree.value });
    case 'name':
      return checkName(context, tree.name);
    case 'member':
      return checkMember(context, tree);
    case 'call':
      return checkCall(context, tree);
    case 'new':
      return checkNew(context, tree, findClass(tree.name.text));
    case 'index':
      return checkIndex(context, tree);
    case 'cast':
      return checkCast(context, tree, check(context, tree.operand));
    case 'instanceof':
      return checkInstanceOf(context, tree, check(context, tree.operand));
    case 'unary':
      return checkUnary(context, tree);
    case 'binary':
      return checkBinary(context, tree);
    case 'all':
    case 'any': {
      const conditions = tree.conditions.map((condition) => checkCondition(context, condition));
      return typed(booleanType, tree.start, { kind: tree.kind, conditions });
    }
    case 'choice': {
      const condition = checkCondition(context, tree.condition);
      return checkChoice(context, condition, {
        left: check(context, tree.yes),
        right: check(context, tree.no),
        at: tree,
      });
    }
    case 'lambda':
      return reportMistake(context, tree, 'A lambda can only be passed to a method of a stream.');
    case 'path':
      return reportMistake(context, tree, 'A path of a short form cannot be used in Java.');
  }
}

function checkCondition(context: CheckContext, tree: Tree): Checked {
  return asCondition(context, tree, check(context, tree));
}

function checkUnary(context: CheckContext, tree: Tree & { kind: 'unary' }): Checked {
  if (tree.operator !== '!') return checkSign(context, tree, check(context, tree.operand));
  return typed(booleanType, tree.start, { kind: 'not', operand: checkCondition(context, tree.operand) });
}

function checkBinary(context: CheckContext, tree: Tree & { kind: 'binary' }): Checked {
  const pair = { left: check(context, tree.left), right: check(context, tree.right), at: tree.operatorAt };
  if (isLogical(tree.operator)) return checkLogical(context, tree.operator, pair);
  return isArithmetic(tree.operator)
    ? checkArithmetic(context, tree.operator, pair)
    : checkComparison(context, tree.operator, pair);
}

function checkName(context: CheckContext, name: Name): Checked {
  const variable = variables.get(name.text);
  if (variable) return variableNode(context, variable, name.start);
  const parameter = context.parameters.get(name.text);
  if (parameter) return typed(parameter.type, name.start, { kind: 'parameter', slot: parameter.slot, name: name.text });
  if (findClass(name.text)) return reportMistake(context, name, `${name.text} is a class, not a value.`);
  const getter = getterOf(context.type, name.text);
  if (getter) {
    const suggestion = `svcObject.${getter}()`;
    return reportMistake(context, name, 'An attribute is read by its getter:', {
      sentence: ` ${suggestion}.`,
      suggestion,
    });
  }
  const known = [...variables.keys(), ...context.parameters.keys(), ...classNames()];
  const hint = nearestHint(name.text, known) ?? attributeHint(context, name.text);
  return reportMistake(context, name, `"${name.text.slice(0, 40)}" is not known here.`, hint);
}

/** For an attribute that is misspelt, and read without its getter. */
function attributeHint({ type }: CheckContext, name: string): Hint | undefined {
  const meant = meantName(name, type.attributes.keys());
  const getter = meant && getterOf(type, meant);
  if (!getter) return undefined;
  const suggestion = `svcObject.${getter}()`;
  return { sentence: ` Did you mean "${suggestion}"?`, suggestion };
}

function checkCall(context: CheckContext, tree: Tree & { kind: 'call' }): Checked {
  if (tree.receiver === undefined) return reportBareCall(context, tree.name);
  const owner = classOf(context, tree.receiver);
  if (owner) return checkStaticCall(context, tree, owner);
  return checkCallOn(context, tree, check(context, tree.receiver));
}

function reportBareCall(context: CheckContext, name: Name): Checked {
  const onObject = (getter: string | undefined) => (getter === undefined ? {} : { suggestion: `svcObject.${getter}` });
  if (gettersOf(context.type).has(name.text)) {
    const hint = { sentence: ` svcObject.${name.text}().`, ...onObject(name.text) };
    return reportMistake(context, name, 'A getter is called on an object:', hint);
  }
  const message = `There is no method "${name.text.slice(0, 40)}" without an object or a class before it.`;
  const near = getterHint(name.text, [context.type]);
  return reportMistake(context, name, message, { sentence: sentenceOf(near), ...onObject(near?.suggestion) });
}

/** The class, if the tree is the name of a known class, such as `Math` or `java.lang.Math`. */
function classOf(context: CheckContext, tree: Tree): JavaClass | undefined {
  const names: string[] = [];
  let part = tree;
  for (; part.kind === 'member'; part = part.object) names.unshift(part.name.text);
  if (part.kind !== 'name' || context.parameters.has(part.name.text)) return undefined;
  return findClass([part.name.text, ...names].join('.'));
}

function checkMember(context: CheckContext, tree: Tree & { kind: 'member' }): Checked {
  const { object, name } = tree;
  const owner = classOf(context, object);
  if (owner) {
    const constant = owner.constants.get(name.text);
    if (constant) return typed(constant.type, name.start, { kind: 'constant', value: constant.value });
    const hint = nearestHint(name.text, owner.constants.keys());
    return reportMistake(context, name, `${owner.name} has no constant ${name.text}.`, hint);
  }
  const checked = check(context, object);
  if (isUnknown(checked)) return checked;
  if (checked.type.kind === 'generic' && checked.type.name === 'Array' && name.text === 'length')
    return typed(primitive('int'), name.start, {
      kind: 'apply',
      operand: nonNull(checked, checked.type),
      apply: lengthOf,
    });
  return reportMistake(context, name, `${renderType(checked.type)} has no fields.`, memberHint(checked, name.text));
}

function lengthOf(array: readonly unknown[]): number {
  return array.length;
}

function memberHint({ type }: Checked, name: string): Hint {
  if (type.kind !== 'object' && type.kind !== 'oneOf') return { sentence: ' A method is called with parentheses.' };
  const types = type.kind === 'object' ? [type.type] : type.types;
  const attributes = new Set(types.flatMap(({ attributes: known }) => [...known.keys()]));
  const meant = attributes.has(name) ? name : ownersOf(types, name)[0]?.attribute.name;
  const near = meant ?? meantName(name, attributes);
  const getter = near && types.map((owner) => getterOf(owner, near)).find((found) => found !== undefined);
  if (!getter) return { sentence: ' Attributes are read by their getters.' };
  return { sentence: ` Write ${getter}().`, suggestion: `${getter}()` };
}

function checkIndex(context: CheckContext, tree: Tree & { kind: 'index' }): Checked {
  const [array, index] = [check(context, tree.object), check(context, tree.index)];
  if (isUnknown(array) || isUnknown(index)) return isUnknown(array) ? array : index;
  if (array.type.kind !== 'generic' || array.type.name !== 'Array') {
    const hint = array.type.kind === 'generic' ? ' Use get() on a List.' : '';
    return reportMistake(context, tree.index, `${renderType(array.type)} is not an array.${hint}`);
  }
  if (!['int', 'Integer', 'char', 'Character'].includes(renderType(index.type)))
    return reportMistake(context, tree.index, `An index is an int, but this is ${describeType(index.type)}.`);
  const indexNode = { kind: 'index', array: nonNull(array, array.type), index: asPrimitive(index, 'int') } as const;
  return typed(array.type.of, tree.index.start, indexNode);
}
