// The state that the parts of the checker share: the object type, the names in scope, the mistakes, and the attributes
// that are read.

import type { ObjectShape } from '../input/object-shape.ts';
import { type Mistake, MistakeLimitReached, mistakeAt, type Span } from '../syntax/mistake.ts';
import type { Name, Tree } from '../syntax/syntax-tree.ts';
import { type JavaType, unknownType } from '../typing/java-type.ts';
import { type ReadPlace, startPlace } from '../typing/read-place.ts';
import type { Variable } from '../typing/variable.ts';
import type { Checked, CheckedNode } from './checked-tree.ts';
import { type Hint, sentenceOf } from './hint.ts';

export interface CheckContext {
  readonly type: ObjectShape;
  /** The types that a changed object can have: all types in the hierarchy of `type`, and `type` itself. */
  readonly hierarchy: readonly ObjectShape[];
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
  /** Whether the expression uses changedObject or oldChangedObject. */
  usesChanged: boolean;
  /** Whether nodes know their part of the text. Traces need it, evaluations do not. */
  readonly keepsSources: boolean;
  /** Checks any tree. It is part of the context to avoid circular imports. */
  readonly check: (context: CheckContext, tree: Tree) => Checked;
}

export interface CallTree extends Span {
  readonly name: Name;
  readonly args: readonly Tree[];
}

/** Two operands, and the position of their operator. */
export interface Pair {
  readonly left: Checked;
  readonly right: Checked;
  readonly at: Span;
}

/** The subscribed type, and the types in its hierarchy. */
export type ExpressionTypes = Pick<CheckContext, 'type' | 'hierarchy'> & { keepsSources?: boolean };

type Start = ExpressionTypes & Pick<CheckContext, 'isNullSafe' | 'check'>;

export function startContext(text: string, start: Start): CheckContext {
  return {
    keepsSources: false,
    ...start,
    text,
    mistakes: [],
    places: { new: startPlace(), old: startPlace(), changed: startPlace(), oldChanged: startPlace() },
    parameters: new Map(),
    slotCount: 0,
    nodeCount: 0,
    usesChanged: false,
  };
}

export function typed(type: JavaType, at: number, node: CheckedNode): Checked {
  return { ...node, type, at };
}

/** The node, as the value of this part of the text. */
export function withSource({ keepsSources }: CheckContext, node: Checked, { start, end }: Span): Checked {
  return keepsSources ? { ...node, source: { start, end, type: node.type } } : node;
}

export function variableNode(context: CheckContext, variable: Variable, at: number): Checked {
  const { type, hierarchy } = context;
  const places = [context.places[variable]];
  const isChanged = variable === 'changed' || variable === 'oldChanged';
  if (isChanged) context.usesChanged = true;
  const javaType: JavaType = isChanged ? { kind: 'oneOf', types: hierarchy, places } : { kind: 'object', type, places };
  return typed(javaType, at, { kind: 'variable', variable });
}

/** Reports a mistake once. The node has an unknown type, so that it causes no further mistakes. */
export function reportMistake({ text, mistakes }: CheckContext, span: Span, problem: string, hint?: Hint): Checked {
  const message = problem + sentenceOf(hint);
  const mistake = mistakeAt(text, span, message, hint?.suggestion);
  const isKnown = mistakes.some((known) => known.offset === mistake.offset && known.message === message);
  if (!isKnown) mistakes.push(mistake);
  if (mistakes.length >= mistakesMax) throw new MistakeLimitReached(mistakes);
  return unknownAt(span);
}

const mistakesMax = 20;

export function unknownAt({ start }: { start: number }): Checked {
  return typed(unknownType, start, { kind: 'invalid' });
}

export function isUnknown({ type }: Checked): boolean {
  return type.kind === 'unknown';
}
