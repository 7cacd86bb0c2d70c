// The parts of an expression that a reader would name: nodes with a place in the text, without literals and conversions.

import { type Checked, childrenOf, type Source } from '../check/checked-tree.ts';
import type { Span } from '../syntax/mistake.ts';
import type { Call, Calls, Result, Scope } from './recorder.ts';

export type Part = Checked & { readonly source: Source };

/** A part, in the scope in which it was evaluated. */
export interface PlacedPart {
  readonly part: Part;
  readonly scope: Scope;
  /** Set for the body of a lambda: the call that evaluated it. */
  readonly call?: Call & { readonly of: Checked & { kind: 'lambda' } };
}

/** The part that the node is, or the first one in it. Undefined for a literal. */
export function partOf(node: Checked): Part | undefined {
  if (node.kind === 'constant' || node.kind === 'lambda') return undefined;
  const inner = innerOf(node);
  // A conversion and its operand have the same place. The operand has the value that the reader knows.
  if (node.source && !(inner?.source && isSame(inner.source, node.source))) return node as Part;
  return inner && partOf(inner);
}

/** The operand of a node that only converts or checks it. */
function innerOf(node: Checked): Checked | undefined {
  switch (node.kind) {
    case 'nonNull':
    case 'falseIfNull':
    case 'apply':
    case 'narrow':
      return node.operand;
    default:
      return undefined;
  }
}

function isSame(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end;
}

/** The parts that a part is made of, in the order of the text. Each call of a lambda has parts of its own. */
export function partsIn({ part, scope }: PlacedPart): PlacedPart[] {
  return childrenOf(part).flatMap((child) => placed(child, part, scope));
}

function placed(child: Checked, around: Part, scope: Scope): PlacedPart[] {
  if (child.kind === 'lambda') return callsOf(child, scope);
  const part = partOf(child);
  if (!part) return childrenOf(child).flatMap((inner) => placed(inner, around, scope));
  return isObvious(part, around) ? [] : [{ part, scope }];
}

function callsOf(lambda: Checked & { kind: 'lambda' }, scope: Scope): PlacedPart[] {
  const body = partOf(lambda.body);
  if (!body) return [];
  const kept = scope.calls.get(lambda)?.kept ?? [];
  return kept.map((call) => ({ part: body, scope: call.scope, call: { ...call, of: lambda } }));
}

/** `svcObject` in front of a getter is never null, and the parameter of a lambda is shown with its call. */
function isObvious(part: Part, around: Part): boolean {
  if (around.kind !== 'attribute') return false;
  return part.kind === 'parameter' || (part.kind === 'variable' && part.variable === 'new');
}

/** How many calls of the lambdas of a part were not kept. */
export function callsLeftOut({ part, scope }: PlacedPart): number {
  return lambdasIn(part)
    .map((lambda) => scope.calls.get(lambda))
    .filter((calls): calls is Calls => calls !== undefined)
    .reduce((sum, { count, kept }) => sum + count - kept.length, 0);
}

function lambdasIn(part: Part): (Checked & { kind: 'lambda' })[] {
  return childrenOf(part).filter((child) => child.kind === 'lambda');
}

/** Undefined if the part was not evaluated. */
export function resultOf({ part, scope }: PlacedPart): Result | undefined {
  return scope.results.get(part);
}
