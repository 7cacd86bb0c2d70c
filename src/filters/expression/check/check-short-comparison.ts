// Comparisons of a short form. The attribute on one side says how the other side is read: a text beside a date is a date,
// beside a code it must be one of the codes, beside a reference it is the code of the object, and a number its key.

import type { Attribute, ScalarAttribute } from '../../../model/object-type.ts';
import { readValue } from '../../../query/attribute-value.ts';
import type { Span } from '../mistake.ts';
import type { ComparisonOperator } from '../syntax/syntax-tree.ts';
import { checkAttribute } from './check-calls.ts';
import { type CheckContext, isUnknown, made, mistaken, unknownAt } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { asNullable } from './convert.ts';
import {
  booleanType,
  describeFirst,
  describeType,
  isBoolean,
  isSameType,
  isText,
  numberOf,
  plain,
  promote,
} from './java-type.ts';
import { refuseName, type ShortOperand } from './short-path.ts';

interface Sides {
  readonly left: ShortOperand;
  readonly right: ShortOperand;
  readonly at: Span;
}

export function checkShortComparison(context: CheckContext, operator: ComparisonOperator, sides: Sides): Checked {
  const unknown = { ...unknownAt(sides.at), type: booleanType };
  for (const [one, other] of [
    [sides.left, sides.right],
    [sides.right, sides.left],
  ] as const) {
    if (isUnknown(one.node)) return unknown;
    if (one.word && !other.attribute && !isUnknown(other.node)) return refuseName(context, one.word, context.type);
  }
  if (sides.left.node.type.kind === 'null' || sides.right.node.type.kind === 'null')
    return checkNull(context, operator, sides);
  const left = readBeside(context, sides.left, sides.right);
  if (isUnknown(left)) return unknown;
  const right = readBeside(context, sides.right, sides.left);
  if (isUnknown(right)) return unknown;
  return compareValues(context, operator, { left, right, at: sides.at });
}

function checkNull(context: CheckContext, operator: ComparisonOperator, { left, right, at }: Sides): Checked {
  if (operator !== '==' && operator !== '!=')
    return mistaken(context, at, 'Null can only be compared with "=" and "!=".');
  const operand = left.node.type.kind === 'null' ? right.node : left.node;
  if (operand.kind === 'constant') return mistaken(context, at, 'Only an attribute can be null.');
  return made(booleanType, at.start, { kind: 'isNull', operand, isNegated: operator === '!=' });
}

/** One side as the other makes it. */
function readBeside(context: CheckContext, one: ShortOperand, other: ShortOperand): Checked {
  const { node, attribute } = one;
  if (attribute?.kind === 'reference') return readReference(context, node, attribute, other.node);
  if (node.kind !== 'constant' || typeof node.value !== 'string' || !other.attribute) return node;
  const compared = other.attribute.kind === 'reference' ? other.attribute.target.code : other.attribute;
  if (compared?.kind !== 'dateTime' && compared?.kind !== 'code') return node;
  return readConstant(context, node, compared, node.value);
}

function readConstant(context: CheckContext, node: Checked, compared: ScalarAttribute, text: string): Checked {
  const read = readValue(compared, text);
  if (read.kind === 'mistake') return mistaken(context, spanOf(context, node), sentence(read.problem));
  if (compared.kind === 'code') return node;
  return made(plain('Date'), node.at, { kind: 'constant', value: Date.parse(`${read.text}Z`) });
}

/** A reference beside another, or beside a number, is its key; beside a text it is its code. */
function readReference(
  context: CheckContext,
  node: Checked,
  { target }: Attribute & { kind: 'reference' },
  other: Checked,
): Checked {
  if (other.type.kind === 'object' && other.type.type !== target)
    return mistaken(context, spanOf(context, node), `A ${target.name} is never equal to ${describeType(other.type)}.`);
  const attribute = isText(other.type) ? target.code : target.attributes.get('key');
  if (attribute === undefined)
    return mistaken(
      context,
      spanOf(context, node),
      `A ${target.name} has no code to compare with; name one of its attributes.`,
    );
  return checkAttribute(context, spanOf(context, node), node, attribute, true);
}

function compareValues(
  context: CheckContext,
  operator: ComparisonOperator,
  { left, right, at }: { left: Checked; right: Checked; at: Span },
): Checked {
  const compare = (one: Checked, other: Checked) =>
    made(booleanType, at.start, { kind: 'compare', operator, left: one, right: other, isNullSafe: true });
  const [leftName, rightName] = [numberOf(left.type), numberOf(right.type)];
  if (leftName !== undefined && rightName !== undefined) {
    const as = promote(leftName, rightName);
    return compare(asNullable(left, as), asNullable(right, as));
  }
  if (isBoolean(left.type) && isBoolean(right.type)) {
    if (operator === '==' || operator === '!=') return compare(left, right);
    return mistaken(context, at, `"${operator}" has no meaning for true and false.`);
  }
  const isOrdered = left.type.kind === 'plain' && isSameType(left.type, right.type);
  if (isOrdered) return compare(left, right);
  return mistaken(context, at, `${describeFirst(left.type)} cannot be compared with ${describeType(right.type)}.`);
}

/** The word or text that starts where a node does. */
function spanOf({ mistakes: { text } }: CheckContext, { at }: Checked): Span {
  const word = /[\w$]+|"[^"]*"|'[^']*'/y;
  word.lastIndex = at;
  return { start: at, end: at + (word.exec(text)?.[0].length ?? 1) };
}

function sentence(problem: string): string {
  return problem.charAt(0).toUpperCase() + problem.slice(1).replace(/\.?$/, '.');
}
