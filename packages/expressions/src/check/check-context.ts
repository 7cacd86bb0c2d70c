// The state that the parts of the checker share: the object type, the names in scope, the mistakes, and the attributes
// that are read.

import type { ObjectShape } from '../input/object-shape.ts';
import { EnoughMistakes, type Mistake, mistakeAt, type Span } from '../syntax/mistake.ts';
import type { Tree } from '../syntax/syntax-tree.ts';
import { type JavaType, unknownType } from '../typing/java-type.ts';
import { type ReadPlace, startPlace, type Variable } from '../typing/read-place.ts';
import type { Checked, CheckedNode } from './checked-tree.ts';

export interface CheckContext {
  readonly type: ObjectShape;
  /** Whether null passes through operators instead of causing a failure (short forms). */
  readonly isNullSafe: boolean;
  readonly text: string;
  readonly mistakes: Mistake[];
  readonly places: Readonly<Record<Variable, ReadPlace>>;
  /** The parameters of the enclosing lambdas, by name. */
  readonly parameters: Map<string, { readonly slot: number; readonly type: JavaType }>;
  /** The number of lambdas so far. Each keeps its parameter in its own slot. */
  slotCount: number;
  nodeCount: number;
  /** Checks any tree. It is part of the context to avoid circular imports. */
  readonly check: (context: CheckContext, tree: Tree) => Checked;
}

/** Two operands, and the position of their operator. */
export interface Pair {
  readonly left: Checked;
  readonly right: Checked;
  readonly at: Span;
}

type Start = Pick<CheckContext, 'type' | 'isNullSafe' | 'check'>;

export function startContext(text: string, start: Start): CheckContext {
  return {
    ...start,
    text,
    mistakes: [],
    places: { new: startPlace(), old: startPlace() },
    parameters: new Map(),
    slotCount: 0,
    nodeCount: 0,
  };
}

export function typed(type: JavaType, at: number, node: CheckedNode): Checked {
  return { ...node, type, at };
}

/** svcObject or oldSvcObject. */
export function variableNode({ type, places }: CheckContext, variable: Variable, at: number): Checked {
  return typed({ kind: 'object', type, places: [places[variable]] }, at, { kind: 'variable', variable });
}

/** Reports a mistake once. The node has an unknown type, so that it causes no further mistakes. */
export function reportMistake({ text, mistakes }: CheckContext, span: Span, message: string): Checked {
  const mistake = mistakeAt(text, span, message);
  const isKnown = mistakes.some((known) => known.offset === mistake.offset && known.message === message);
  if (!isKnown) mistakes.push(mistake);
  if (mistakes.length >= mistakesMax) throw new EnoughMistakes(mistakes);
  return unknownAt(span);
}

const mistakesMax = 20;

export function unknownAt({ start }: { start: number }): Checked {
  return typed(unknownType, start, { kind: 'invalid' });
}

export function isUnknown({ type }: Checked): boolean {
  return type.kind === 'unknown';
}

/** The names of the two objects in an expression. */
export const variables = new Map<string, Variable>([
  ['svcObject', 'new'],
  ['oldSvcObject', 'old'],
  ['dlpObject', 'new'],
  ['oldDlpObject', 'old'],
]);
