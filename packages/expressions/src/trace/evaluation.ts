// The evaluation of an expression as a tree of its parts, each with its place and its value. Its size is limited: what
// decided the value comes first, and of long lists the ends are kept.

import { renderType } from '../typing/java-type.ts';
import type { Decision } from './decisive-parts.ts';
import { callsLeftOut, type PlacedPart, partsIn, resultOf } from './parts.ts';
import { cut, renderValue } from './render-value.ts';

export interface Evaluation {
  /** The part of the expression, abbreviated if it is long. */
  readonly text: string;
  /** Its place in the expression. */
  readonly from: number;
  readonly to: number;
  /** In Java. */
  readonly type: string;
  /** For people, such as `"NOM"` or `Voyage 1042`. Null: the part was not evaluated, or it failed. */
  readonly value: string | null;
  /** Set for the part that failed. */
  readonly error: string | null;
  /** For a part of a lambda: the element that it was evaluated for. */
  readonly element: string | null;
  /** Whether the part decided the value of the expression. */
  readonly isDecisive: boolean;
  readonly children: Evaluation[];
  /** How many children were left out. */
  readonly omitted: number;
}

export interface Described {
  readonly text: string;
  readonly decision: Decision;
  /** The message of the failure. */
  readonly error: string | undefined;
  readonly partsMax: number;
}

interface Pending {
  readonly placed: PlacedPart;
  readonly evaluation: { -readonly [Name in keyof Evaluation]: Evaluation[Name] };
}

/** Breadth first, so that the outer parts are always there. */
export function describeEvaluation(root: PlacedPart, described: Described): Evaluation {
  const first = describePart(root, described);
  const queue: Pending[] = [first];
  let left = described.partsMax - 1;
  for (const { placed, evaluation } of queue) {
    if (!resultOf(placed)) continue;
    const parts = partsIn(placed);
    const chosen = choose(parts, Math.min(left, childrenMax), described.decision);
    const children = chosen.map((part) => describePart(part, described));
    left -= children.length;
    evaluation.children = children.map((child) => child.evaluation);
    evaluation.omitted = parts.length - chosen.length + callsLeftOut(placed);
    queue.push(...children);
  }
  const { error, decision } = described;
  const failed = error === undefined ? undefined : queue.findLast(({ placed }) => decision.isOnPath(placed));
  if (failed) failed.evaluation.error = error!;
  return first.evaluation;
}

/** In the order of the text. If there are too many, those that decided come first, then those that were evaluated. */
function choose(parts: readonly PlacedPart[], most: number, { isOnPath }: Decision): readonly PlacedPart[] {
  if (parts.length <= most) return parts;
  const rankOf = (part: PlacedPart) => (isOnPath(part) ? 0 : resultOf(part) ? 1 : 2);
  const ranked = parts.map((part, index) => ({ index, rank: rankOf(part) }));
  const chosen = ranked.sort((one, other) => one.rank - other.rank).slice(0, most);
  const kept = new Set(chosen.map(({ index }) => index));
  return parts.filter((_, index) => kept.has(index));
}

const childrenMax = 50;
const textMax = 200;

function describePart(placed: PlacedPart, { text, decision }: Described): Pending {
  const { part, call } = placed;
  const { start, end, type } = part.source;
  const result = resultOf(placed);
  const evaluation = {
    text: cut(text.slice(start, end), textMax),
    from: start,
    to: end,
    type: renderType(type),
    value: result?.kind === 'value' ? renderValue(result.value, type) : null,
    error: null,
    element: call ? renderValue(call.element, call.of.element) : null,
    isDecisive: decision.isOnPath(placed),
    children: [],
    omitted: 0,
  };
  return { placed, evaluation };
}
