// Adds nodes for Java's implicit conversions: unboxing, widening and boxing. Constants are converted immediately.

import { changeOf, type Long } from '../run/java-number.ts';
import {
  boxOf,
  type ComputedName,
  type JavaType,
  numberOf,
  type PrimitiveName,
  primitive,
  primitiveOf,
  promote,
} from '../typing/java-type.ts';
import { type CheckContext, typed } from './check-context.ts';
import type { Checked } from './checked-tree.ts';

/** Unboxes a box; any other node is returned unchanged. */
export function unboxed(node: Checked): Checked {
  const name = primitiveOf(node.type);
  return node.type.kind === 'boxed' && name !== undefined ? nonNull(node, primitive(name)) : node;
}

/** Changes the type of the node. Evaluating it throws a NullPointerException if it is null. */
export function nonNull(node: Checked, type: JavaType): Checked {
  if (node.kind === 'constant' && node.value !== null) return { ...node, type };
  return typed(type, node.at, { kind: 'nonNull', operand: node });
}

/** Unboxes a number and converts it to another primitive. */
export function asPrimitive(node: Checked, to: PrimitiveName): Checked {
  return converted(unboxed(node), to, primitive(to));
}

function converted(node: Checked, to: PrimitiveName, type: JavaType): Checked {
  const from = primitiveOf(node.type);
  const apply = from && changeOf(from, to);
  if (!apply) return { ...node, type };
  if (node.kind === 'constant') return { ...node, type, value: apply(node.value as Long) };
  return typed(type, node.at, { kind: 'apply', operand: node, apply });
}

/** Converts a value to the type that its place requires: a parameter, a cast, or the result of a lambda. */
export function convertTo(node: Checked, to: JavaType): Checked {
  if (to.kind === 'primitive') return asPrimitive(node, to.name);
  return { ...node, type: node.type.kind === 'null' ? to : boxOf(node.type) };
}

/** Converts a number to the type that the operation computes in. In a short form it is boxed: null stays null. */
export function asNumber({ isNullSafe }: CheckContext, node: Checked, as: ComputedName): Checked {
  return isNullSafe ? converted(node, as, boxOf(primitive(as))) : asPrimitive(node, as);
}

export interface Promoted {
  readonly as: ComputedName;
  readonly left: Checked;
  readonly right: Checked;
}

/** Binary numeric promotion. Undefined if one of the operands is not a number. */
export function promoteBoth(context: CheckContext, left: Checked, right: Checked): Promoted | undefined {
  const [leftName, rightName] = [numberOf(left.type), numberOf(right.type)];
  if (leftName === undefined || rightName === undefined) return undefined;
  const as = promote(leftName, rightName);
  return { as, left: asNumber(context, left, as), right: asNumber(context, right, as) };
}
