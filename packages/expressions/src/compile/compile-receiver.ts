// Compiles the objects that getters are called on. An object that does not exist, such as oldSvcObject on create, is
// null everywhere but in a chain of getters: there each getter answers null, and a collection is empty.

import type { Checked } from '../check/checked-tree.ts';
import type { ObjectReader, TypedReader } from '../input/object-shape.ts';
import { JavaFailure } from '../run/java-failure.ts';
import { type Variable, variableNames } from '../typing/variable.ts';
import { absent, compileOptional } from './compile-attribute.ts';
import type { Operand, Run } from './frame.ts';

/**
 * Compiles any node. `receiver`: the object that a getter is called on. If it does not exist, it is `absent`, not null.
 * It is passed to avoid circular imports, and because a trace compiles nodes in another way.
 */
export type Compile = (node: Checked, as?: 'value' | 'receiver') => Run;

export const readers: Readonly<Record<Variable, Run<ObjectReader | null>>> = {
  new: (frame) => frame.svcObject,
  old: (frame) => frame.oldSvcObject,
  changed: (frame) => frame.changed?.changedObject ?? null,
  oldChanged: (frame) => frame.changed?.oldChangedObject ?? null,
};

/** Whether a getter may be called on an object that does not exist, or that has a type without the getter. */
export function mayBeMissing({ object, owners }: Checked & { kind: 'attribute' }): boolean {
  return owners !== undefined || mayBeAbsent(object);
}

function mayBeAbsent(node: Checked): boolean {
  switch (node.kind) {
    case 'variable':
      return node.variable !== 'new';
    case 'attribute':
      return mayBeMissing(node);
    case 'narrow':
      return mayBeAbsent(node.operand);
    case 'choice':
      return mayBeAbsent(node.yes) || mayBeAbsent(node.no);
    default:
      return false;
  }
}

export function receiverOf(node: Checked, compile: Compile): Operand<ObjectReader> {
  return { run: compile(node, 'receiver') as Run<ObjectReader | null>, subject: subjectOf(node) };
}

export function compileReceiver(node: Checked, compile: Compile): Run {
  if (!mayBeAbsent(node)) return compile(node);
  switch (node.kind) {
    case 'attribute':
      return compileOptional(node, receiverOf(node.object, compile), 'receiver');
    case 'narrow':
      return compileNarrow(node, receiverOf(node.operand, compile).run as Run<TypedReader | null>);
    case 'choice': {
      const condition = compile(node.condition);
      const [yes, no] = [receiverOf(node.yes, compile).run, receiverOf(node.no, compile).run];
      return (frame) => (condition(frame) ? yes(frame) : no(frame));
    }
    default: {
      const run = compile(node) as Run<ObjectReader | null>;
      return (frame) => run(frame) ?? absent;
    }
  }
}

export function compileNarrow(
  { typeName, at }: Checked & { kind: 'narrow' },
  operand: Run<TypedReader | null>,
): Run<ObjectReader | null> {
  return (frame) => {
    const object = operand(frame);
    if (object === null || object === absent || object.typeName === typeName) return object;
    throw new JavaFailure('ClassCastException', `the object is a ${object.typeName}, not a ${typeName}`, at);
  };
}

/** The name to use in "x is null". Builds no new strings: with many expressions they would cost memory. */
export function subjectOf(node: Checked): string {
  switch (node.kind) {
    case 'variable':
      return variableNames[node.variable];
    case 'attribute':
      return node.attribute.name;
    case 'parameter':
      return node.name;
    case 'call':
      return node.method.name;
    default:
      return 'a value';
  }
}
