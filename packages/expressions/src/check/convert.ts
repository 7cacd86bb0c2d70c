// Adds nodes for Java's implicit conversions: unboxing, widening and boxing. Constants are converted immediately.

import { changeOf } from '../run/change-number.ts';
import type { Long } from '../run/long-arithmetic.ts';
import { boxOf, type JavaType, type PrimitiveName, primitive, primitiveOf } from '../typing/java-type.ts';
import { typed } from './check-context.ts';
import type { Checked } from './checked-tree.ts';

/** Unboxes a box; any other node is returned unchanged. */
export function unboxed(node: Checked): Checked {
  const name = primitiveOf(node.type);
  if (node.type.kind !== 'boxed' || name === undefined) return node;
  const type = primitive(name);
  if (node.kind === 'constant' && node.value !== null) return { ...node, type };
  return typed(type, node.at, { kind: 'convert', operand: node, conversion: { kind: 'unbox' } });
}

/** Unboxes a number and converts it to another primitive. */
export function asPrimitive(node: Checked, to: PrimitiveName): Checked {
  const value = unboxed(node);
  const from = primitiveOf(value.type);
  if (from === undefined || from === to) return value;
  const type = primitive(to);
  const change = changeOf(from, to);
  if (change === undefined) return { ...value, type };
  if (value.kind === 'constant') return { ...value, type, value: change(value.value as Long) };
  return typed(type, node.at, {
    kind: 'convert',
    operand: value,
    conversion: { kind: 'change', from, to, isNullSafe: false },
  });
}

/** Converts the argument of a parameter, or the result of a lambda. */
export function asArgument(node: Checked, to: JavaType): Checked {
  if (to.kind === 'primitive') return asPrimitive(node, to.name);
  return { ...node, type: node.type.kind === 'null' ? to : boxOf(node.type) };
}

/** Converts a number to another type; null stays null (short forms). */
export function asNullable(node: Checked, to: PrimitiveName): Checked {
  const from = primitiveOf(node.type);
  const type = boxOf(primitive(to));
  const change = from && changeOf(from, to);
  if (from === undefined || change === undefined) return { ...node, type };
  if (node.kind === 'constant') return { ...node, type, value: change(node.value as Long) };
  return typed(type, node.at, {
    kind: 'convert',
    operand: node,
    conversion: { kind: 'change', from, to, isNullSafe: true },
  });
}
