// What the parts of the checker share: the object type, what is in scope, what has been found wrong, and what is read.

import type { ObjectType } from '../../../model/object-type.ts';
import { type MistakeList, report, type Span } from '../mistake.ts';
import type { Tree } from '../syntax/syntax-tree.ts';
import type { Checked, CheckedNode } from './checked-tree.ts';
import { type JavaType, unknownType } from './java-type.ts';
import { type ReadPlace, startPlace, type Variable } from './read-place.ts';

export interface CheckContext {
  readonly type: ObjectType;
  readonly mistakes: MistakeList;
  readonly places: Readonly<Record<Variable, ReadPlace>>;
  /** The parameters of the lambdas around, by name. */
  readonly parameters: Map<string, { readonly slot: number; readonly type: JavaType }>;
  /** How many lambdas there are: each keeps its parameter in a slot of its own. */
  slotCount: number;
  nodeCount: number;
  /** Checks any tree; here, so that the parts need not import each other in a circle. */
  readonly check: (context: CheckContext, tree: Tree) => Checked;
}

/** Two operands, and the place of their operator. */
export interface Pair {
  readonly left: Checked;
  readonly right: Checked;
  readonly at: Span;
}

export function startContext(text: string, type: ObjectType, check: CheckContext['check']): CheckContext {
  return {
    type,
    mistakes: { text, found: [] },
    places: { new: startPlace(), old: startPlace() },
    parameters: new Map(),
    slotCount: 0,
    nodeCount: 0,
    check,
  };
}

export function made(type: JavaType, at: number, node: CheckedNode): Checked {
  return { ...node, type, at };
}

/** Tells a mistake; what stands there is unknown from now on, and causes no other. */
export function mistaken(context: CheckContext, span: Span, message: string): Checked {
  report(context.mistakes, span, message);
  return unknownAt(span);
}

export function unknownAt({ start }: { start: number }): Checked {
  return made(unknownType, start, { kind: 'mistaken' });
}

export function isUnknown({ type }: Checked): boolean {
  return type.kind === 'unknown';
}

/** The objects by the names that expressions have for them. */
export const variables = new Map<string, Variable>([
  ['svcObject', 'new'],
  ['oldSvcObject', 'old'],
  ['dlpObject', 'new'],
  ['oldDlpObject', 'old'],
]);
