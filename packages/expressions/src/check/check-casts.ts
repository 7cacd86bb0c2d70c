// Checks casts and instanceof. A cast between numbers converts. A cast between references can only repeat the known
// type, because the types of a model have no subtypes. Only the changed object can have one of several types.

import { quoteText } from '@flaghoist/source-text';
import type { ObjectShape } from '../input/object-shape.ts';
import type { Name, Tree } from '../syntax/syntax-tree.ts';
import {
  booleanType,
  boxOf,
  describeFirst,
  describeType,
  isBoolean,
  isReference,
  type JavaType,
  numberOf,
  type PrimitiveName,
  primitiveOf,
  renderType,
  typeNamed,
  widensTo,
} from '../typing/java-type.ts';
import { placeOfType } from '../typing/read-place.ts';
import { type CheckContext, isUnknown, reportMistake, typed } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { asPrimitive, convertTo, unboxed } from './convert.ts';
import { nearestHint } from './hint.ts';

export function checkCast(context: CheckContext, tree: Tree & { kind: 'cast' }, operand: Checked): Checked {
  if (isUnknown(operand)) return operand;
  const name = tree.to.text;
  if (name === 'byte' || name === 'short')
    return reportMistake(context, tree.to, `(${name}) is not supported: cast to int.`);
  if (operand.type.kind === 'oneOf') return castToMember(context, tree, operand, operand.type);
  const type = typeNamed(simpleName(name));
  if (type?.kind === 'primitive') return castToPrimitive(context, tree, operand, type.name);
  if (operand.type.kind === 'null' && type) return { ...operand, type };
  if (isNamed(boxOf(operand.type), name)) return convertTo(operand, boxOf(operand.type));
  return reportMistake(context, tree.to, `${describeFirst(operand.type)} cannot be cast to ${name}.`);
}

function castToMember(
  context: CheckContext,
  { to }: Tree & { kind: 'cast' },
  operand: Checked,
  { types, places }: JavaType & { kind: 'oneOf' },
): Checked {
  const type = types.find(({ name }) => name === to.text);
  if (!type) return reportNeverOf(context, to, types);
  const javaType: JavaType = { kind: 'object', type, places: places.map((place) => placeOfType(place, type)) };
  return typed(javaType, to.start, { kind: 'narrow', operand, typeName: type.name });
}

function reportNeverOf(context: CheckContext, name: Name, types: readonly ObjectShape[]): Checked {
  const names = types.map((type) => type.name);
  const hint = nearestHint(name.text, names) ?? { sentence: ` It is one of ${names.join(', ')}.` };
  return reportMistake(context, name, `A changed object is never a ${quoteText(name.text).slice(1, -1)} here.`, hint);
}

function castToPrimitive(
  context: CheckContext,
  tree: Tree & { kind: 'cast' },
  operand: Checked,
  to: PrimitiveName,
): Checked {
  const from = primitiveOf(operand.type);
  if (to === 'boolean' && isBoolean(operand.type)) return unboxed(operand);
  const isNumber = to !== 'boolean' && numberOf(operand.type) !== undefined;
  // A box can only be widened. For other conversions Java requires doubleValue() and the like.
  if (isNumber && (operand.type.kind === 'primitive' || widensTo(from!, to))) return asPrimitive(operand, to);
  const hint = isNumber && to !== 'char' ? ` Write ${to}Value().` : '';
  return reportMistake(context, tree.to, `${describeFirst(operand.type)} cannot be cast to ${to}.${hint}`);
}

export function checkInstanceOf(context: CheckContext, tree: Tree & { kind: 'instanceof' }, operand: Checked): Checked {
  if (isUnknown(operand)) return { ...operand, type: booleanType };
  if (!isReference(operand.type))
    return reportMistake(context, tree, `instanceof takes an object, but this is ${describeType(operand.type)}.`);
  if (operand.type.kind === 'oneOf' && tree.of.text !== 'Object') {
    const { types } = operand.type;
    if (!types.some(({ name }) => name === tree.of.text)) return reportNeverOf(context, tree.of, types);
    return typed(booleanType, tree.start, { kind: 'isOfType', operand, typeName: tree.of.text });
  }
  if (!isInstance(operand.type, tree.of))
    return reportMistake(context, tree.of, `${describeFirst(operand.type)} is never a ${tree.of.text}.`);
  return typed(booleanType, tree.start, { kind: 'isNull', operand, isNegated: true });
}

function isInstance(type: JavaType, { text }: Name): boolean {
  if (text === 'Object' || type.kind === 'null') return true;
  return isNamed(type, text) || (text === 'Number' && (numberOf(type) !== undefined || isNamed(type, 'BigDecimal')));
}

function isNamed(type: JavaType, name: string): boolean {
  return simpleName(name) === renderType(type).replace(/<.*/, '');
}

function simpleName(name: string): string {
  return name.replace(/^java\.(lang|util|math)\./, '');
}
