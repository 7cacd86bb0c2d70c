// Checks the comparisons of a short form. The attribute on one side determines how the other side is read:
//
//   date       a text is a date
//   code       a text must be one of the codes
//   reference  a text is the code of the object, a number is its key

import { meantName, parseDateTime, quoteText } from '@flaghoist/source-text';
import type { AttributeShape, ScalarShape } from '../input/object-shape.ts';
import type { Span } from '../syntax/mistake.ts';
import type { ComparisonOperator, Name } from '../syntax/syntax-tree.ts';
import { booleanType, describeFirst, describeType, isBoolean, isSameType, isText, plain } from '../typing/java-type.ts';
import {
  type CheckContext,
  isUnknown,
  type Pair,
  reportMistake,
  typed,
  unknownAt,
  withSource,
} from './check-context.ts';
import { checkAttribute } from './check-getters.ts';
import { compareNode } from './check-operators.ts';
import type { Checked } from './checked-tree.ts';
import { promoteBoth } from './convert.ts';
import { reportUnknown, type ShortOperand } from './short-operand.ts';

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
    if (!one.word || isUnknown(other.node) || isMeantAsText(context, one.word, other, one === sides.left)) continue;
    return reportUnknown(context, one.word, context.type, takesText(other) ? ' A text goes in quotes.' : '');
  }
  if (sides.left.node.type.kind === 'null' || sides.right.node.type.kind === 'null')
    return checkNull(context, operator, sides);
  const left = readBeside(context, sides.left, sides.right);
  if (isUnknown(left)) return unknown;
  const right = readBeside(context, sides.right, sides.left);
  if (isUnknown(right)) return unknown;
  return compareValues(context, operator, { left, right, at: sides.at });
}

/**
 * Whether a word that is not an attribute can be meant as a text. Beside a text it can, but on the left a word that
 * resembles an attribute is a typo: as a text it would hardly ever be equal.
 */
function isMeantAsText(context: CheckContext, { text }: Name, other: ShortOperand, isLeft: boolean): boolean {
  const compared = comparedAttribute(other);
  if (!other.attribute) return false;
  if (takesText(other) && !isLeft) return true;
  if (compared?.kind === 'code' && compared.values.includes(text)) return true;
  return meantName(text, context.type.attributes.keys()) === undefined;
}

/** The attribute that a text is compared with: the attribute itself or, for a reference, the code of its target. */
function comparedAttribute({ attribute }: ShortOperand): AttributeShape | undefined {
  return attribute?.kind === 'reference' ? attribute.target.code : attribute;
}

function takesText(operand: ShortOperand): boolean {
  const kind = comparedAttribute(operand)?.kind;
  return kind === 'text' || kind === 'code' || kind === 'self';
}

function checkNull(context: CheckContext, operator: ComparisonOperator, { left, right, at }: Sides): Checked {
  if (operator !== '==' && operator !== '!=')
    return reportMistake(context, at, 'Null can only be compared with "=" and "!=".');
  const operand = left.node.type.kind === 'null' ? right.node : left.node;
  if (operand.kind === 'constant') return reportMistake(context, at, 'Only an attribute can be null.');
  return typed(booleanType, at.start, { kind: 'isNull', operand, isNegated: operator === '!=' });
}

/** Reads one side as the other side requires. */
function readBeside(context: CheckContext, one: ShortOperand, other: ShortOperand): Checked {
  const { node, attribute } = one;
  if (attribute?.kind === 'reference') return readReference(context, node, attribute, other.node);
  if (node.kind !== 'constant' || typeof node.value !== 'string' || !other.attribute) return node;
  const compared = comparedAttribute(other);
  if (compared?.kind !== 'dateTime' && compared?.kind !== 'code') return node;
  return readConstant(context, node, compared, node.value);
}

function readConstant(context: CheckContext, node: Checked, compared: ScalarShape, text: string): Checked {
  if (compared.kind === 'code') {
    if (compared.values.includes(text)) return node;
    const message = `${quoteText(text)} is not a value of ${compared.name}; use one of ${compared.values.join(', ')}.`;
    return reportMistake(context, spanOf(context, node), message);
  }
  const moment = parseDateTime(text);
  if (moment !== undefined) return typed(plain('Date'), node.at, { kind: 'constant', value: Date.parse(`${moment}Z`) });
  const message = `${quoteText(text)} is not a date; write one like 2026-11-15 or 2026-11-15T01:53:22.`;
  return reportMistake(context, spanOf(context, node), message);
}

/** Compares a reference by its key with another reference or a number, and by its code with a text. */
function readReference(
  context: CheckContext,
  node: Checked,
  { target }: AttributeShape & { kind: 'reference' },
  other: Checked,
): Checked {
  const span = spanOf(context, node);
  if (other.type.kind === 'object' && other.type.type !== target)
    return reportMistake(context, span, `A ${target.name} is never equal to ${describeType(other.type)}.`);
  const attribute = isText(other.type) ? target.code : target.attributes.get('key');
  if (attribute === undefined)
    return reportMistake(context, span, `A ${target.name} has no code to compare with; name one of its attributes.`);
  // The value of the path in the text is the code or the key, not the object.
  const { source, ...object } = node;
  const read = checkAttribute(context, span, object as Checked, attribute);
  return source ? withSource(context, read, source) : read;
}

function compareValues(context: CheckContext, operator: ComparisonOperator, { left, right, at }: Pair): Checked {
  const numbers = promoteBoth(context, left, right);
  if (numbers) return compareNode(operator, at, numbers);
  const areBooleans = isBoolean(left.type) && isBoolean(right.type);
  if (areBooleans && operator !== '==' && operator !== '!=')
    return reportMistake(context, at, `"${operator}" has no meaning for true and false.`);
  const areOrdered = left.type.kind === 'plain' && isSameType(left.type, right.type);
  if (areBooleans || areOrdered) return compareNode(operator, at, { left, right });
  return reportMistake(context, at, `${describeFirst(left.type)} cannot be compared with ${describeType(right.type)}.`);
}

/** The span of the word or quoted text at the start of a node. */
function spanOf({ text }: CheckContext, { at }: Checked): Span {
  const word = /[\w$]+|"[^"]*"|'[^']*'/y;
  word.lastIndex = at;
  return { start: at, end: at + (word.exec(text)?.[0].length ?? 1) };
}
