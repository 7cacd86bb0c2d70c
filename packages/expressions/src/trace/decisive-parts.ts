// Finds the parts that decided the value of a condition: in a chain of `&&`, the first that was false; in one of `||`,
// the first that was true, or all of them. If the evaluation failed, it is the part that failed.

import type { Checked } from '../check/checked-tree.ts';
import { type Part, type PlacedPart, partOf, partsIn, resultOf } from './parts.ts';
import type { Scope } from './recorder.ts';

export interface Decision {
  /** Whether the part is on the way from the whole expression to what decided it. */
  isOnPath(placed: PlacedPart): boolean;
  /** The innermost of them. */
  readonly decisive: readonly PlacedPart[];
}

export function findDecision(root: PlacedPart): Decision {
  const path = new Map<Scope, Set<Part>>();
  const decisive: PlacedPart[] = [];
  const visit = (placed: PlacedPart): void => {
    path.set(placed.scope, (path.get(placed.scope) ?? new Set()).add(placed.part));
    const inner = reasonsIn(placed);
    if (inner.length === 0) decisive.push(placed);
    for (const each of inner) visit(each);
  };
  visit(root);
  return { isOnPath: ({ part, scope }) => path.get(scope)?.has(part) ?? false, decisive };
}

/** The parts that decided the value of a part; none if the part itself is what a reader has to look at. */
function reasonsIn(placed: PlacedPart): readonly PlacedPart[] {
  const result = resultOf(placed);
  if (!result) return [];
  if (result.kind === 'failure')
    return partsIn(placed)
      .filter((each) => resultOf(each)?.kind === 'failure')
      .slice(0, 1);
  const { part } = placed;
  switch (part.kind) {
    case 'all':
    case 'any':
      return decidingConditions(placed, part.conditions, part.kind === 'any');
    case 'not':
      return reasonsOfNegated(conditionsIn(placed, [part.operand]));
    case 'choice':
      return conditionsIn(placed, [part.condition, part.yes, part.no]);
    case 'logical':
      return decidingSides(placed, part);
    case 'call':
      return decidingCall(placed, part.method.name);
    default:
      return [];
  }
}

/** The condition that ended the evaluation, or all if none did. `decisive`: the value that ends it. */
function decidingConditions(placed: PlacedPart, conditions: readonly Checked[], decisive: boolean): PlacedPart[] {
  const evaluated = conditionsIn(placed, conditions);
  const last = evaluated.at(-1);
  return last && isTrue(last) === decisive ? [last] : evaluated;
}

/** `!(a > b)` is looked at as a whole, and a chain in parentheses by its conditions. */
function reasonsOfNegated(operand: readonly PlacedPart[]): readonly PlacedPart[] {
  return operand.some((each) => reasonsIn(each).length > 0) ? operand : [];
}

/** Both sides are evaluated. A false side decides `&`, a true one `|`; `^` depends on both. */
function decidingSides(placed: PlacedPart, { operator, left, right }: Checked & { kind: 'logical' }): PlacedPart[] {
  const sides = conditionsIn(placed, [left, right]);
  if (operator === '^') return sides;
  const deciding = sides.filter((side) => isTrue(side) === (operator === '|'));
  return deciding.length > 0 ? deciding : sides;
}

/** A stream stops at the element that decides whether any, all or none match. */
function decidingCall(placed: PlacedPart, method: string): PlacedPart[] {
  const decisive = { anyMatch: true, allMatch: false, noneMatch: true }[method];
  const last = partsIn(placed)
    .filter(({ call }) => call !== undefined)
    .at(-1);
  return last && decisive !== undefined && isTrue(last) === decisive ? [last] : [];
}

/** Literals are no parts, and conditions after the deciding one are not evaluated. */
function conditionsIn({ scope }: PlacedPart, conditions: readonly Checked[]): PlacedPart[] {
  return conditions.flatMap((condition) => {
    const part = partOf(condition);
    return part && scope.results.has(part) ? [{ part, scope }] : [];
  });
}

/** In a short form, null counts as false. */
function isTrue(placed: PlacedPart): boolean {
  const result = resultOf(placed);
  return result?.kind === 'value' && result.value === true;
}
