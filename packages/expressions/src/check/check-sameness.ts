// Checks `==` and `!=`. They compare primitives as in Java, other references by value, and objects by key. This is the
// only deviation from Java, which would compare identities, and no author means that.

import {
  booleanType,
  describeFirst,
  describeType,
  isBoolean,
  isSameType,
  type JavaType,
  numberOf,
  promote,
} from '../typing/java-type.ts';
import { type CheckContext, type Pair, reportMistake, typed } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { asPrimitive, unboxed } from './convert.ts';

export function checkSameness(context: CheckContext, operator: '==' | '!=', pair: Pair): Checked {
  const { left, right, at } = pair;
  const isNegated = operator === '!=';
  if (left.type.kind === 'null' || right.type.kind === 'null') return checkNull(context, pair, isNegated);
  const values = primitiveOperands(left, right);
  if (values) {
    return typed(booleanType, at.start, {
      kind: 'compare',
      operator,
      left: values[0],
      right: values[1],
      isNullSafe: false,
    });
  }
  const references = comparableReferences(left, right);
  if (references) {
    return typed(booleanType, at.start, { kind: 'same', left: references[0], right: references[1], isNegated });
  }
  const message = `${describeFirst(left.type)} is never equal to ${describeType(right.type)}.`;
  return reportMistake(context, at, message + hint(left.type, right.type));
}

function checkNull(context: CheckContext, { left, right, at }: Pair, isNegated: boolean): Checked {
  const operand = left.type.kind === 'null' ? right : left;
  if (operand.type.kind === 'primitive') {
    return reportMistake(context, at, `${describeFirst(operand.type)} is a plain value and never null.`);
  }
  return typed(booleanType, at.start, { kind: 'isNull', operand, isNegated });
}

/** If one of two numbers or booleans is primitive, the other is unboxed. */
function primitiveOperands(left: Checked, right: Checked): [Checked, Checked] | undefined {
  if (left.type.kind !== 'primitive' && right.type.kind !== 'primitive') return undefined;
  const [leftName, rightName] = [numberOf(left.type), numberOf(right.type)];
  if (leftName !== undefined && rightName !== undefined) {
    const as = promote(leftName, rightName);
    return [asPrimitive(left, as), asPrimitive(right, as)];
  }
  return isBoolean(left.type) && isBoolean(right.type) ? [unboxed(left), unboxed(right)] : undefined;
}

function comparableReferences(left: Checked, right: Checked): [Checked, Checked] | undefined {
  if (left.type.kind === 'primitive' || right.type.kind === 'primitive') return undefined;
  if (left.type.kind === 'generic') return undefined;
  return isSameType(left.type, right.type) ? [left, right] : undefined;
}

function hint(left: JavaType, right: JavaType): string {
  if (left.kind === 'generic' && isSameType(left, right)) return ` Compare them with equals.`;
  if (numberOf(left) !== undefined && numberOf(right) !== undefined)
    return ' Unbox one of them, for example with doubleValue().';
  return '';
}
