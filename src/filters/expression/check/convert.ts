// The conversions that Java does silently, as nodes: unboxing, widening, boxing. What is constant is converted at once.

import { changeOf } from '../run/change-number.ts';
import type { Long } from '../run/long-arithmetic.ts';
import { made } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { boxOf, type JavaType, type PrimitiveName, primitive, primitiveOf } from './java-type.ts';

/** A box as its value; anything else stays. */
export function unboxed(node: Checked): Checked {
  const name = primitiveOf(node.type);
  if (node.type.kind !== 'boxed' || name === undefined) return node;
  const type = primitive(name);
  if (node.kind === 'constant' && node.value !== null) return { ...node, type };
  return made(type, node.at, { kind: 'convert', operand: node, conversion: { kind: 'unbox' } });
}

/** A number as another primitive, unboxed before. */
export function asPrimitive(node: Checked, to: PrimitiveName): Checked {
  const value = unboxed(node);
  const from = primitiveOf(value.type);
  if (from === undefined || from === to) return value;
  const type = primitive(to);
  const change = changeOf(from, to);
  if (change === undefined) return { ...value, type };
  if (value.kind === 'constant') return { ...value, type, value: change(value.value as Long) };
  return made(type, node.at, {
    kind: 'convert',
    operand: value,
    conversion: { kind: 'change', from, to, isNullSafe: false },
  });
}

/** A value on its way into a parameter, or out of a lambda. */
export function asPassed(node: Checked, to: JavaType): Checked {
  if (to.kind === 'primitive') return asPrimitive(node, to.name);
  return { ...node, type: node.type.kind === 'null' ? to : boxOf(node.type) };
}

/** A number as another, null staying null (short forms). */
export function asNullable(node: Checked, to: PrimitiveName): Checked {
  const from = primitiveOf(node.type);
  const type = boxOf(primitive(to));
  const change = from && changeOf(from, to);
  if (from === undefined || change === undefined) return { ...node, type };
  if (node.kind === 'constant') return { ...node, type, value: change(node.value as Long) };
  return made(type, node.at, {
    kind: 'convert',
    operand: node,
    conversion: { kind: 'change', from, to, isNullSafe: true },
  });
}
