// Describes a failed call to a person: one sentence, with the position in the script.

import type { Node } from 'acorn';
import type { Outcome } from './guest/outcome.ts';
import { placeInStack } from './script-source.ts';
import { parseTree, visitChildren } from './syntax-tree.ts';

export function describeFailure(outcome: Exclude<Outcome, { isTrue: boolean }>, body: string): string {
  if ('problem' in outcome) return outcome.problem;
  const place = placeInStack(outcome.stack, body);
  if (!place) return `Error: ${outcome.error}`;
  // The engine does not name the value that is not a function.
  const callee = outcome.error === 'not a function' ? calleeAt(body, place.offset) : undefined;
  const message = callee === undefined ? outcome.error : `${callee} is not a function`;
  return `Error in line ${place.line}, column ${place.column}: ${message}`;
}

/** The source text of the callee at an offset. */
function calleeAt(body: string, offset: number): string | undefined {
  try {
    const callee = calleeAround(parseTree(body, { allowReturnOutsideFunction: true }), offset);
    const text = callee && body.slice(callee.start, callee.end);
    return text && text.length <= calleeLengthMax && !text.includes('\n') ? text : undefined;
  } catch {
    return undefined;
  }
}

const calleeLengthMax = 100;

/** The innermost callee around an offset. */
function calleeAround(node: Node, offset: number): Node | undefined {
  let found: Node | undefined;
  visitChildren(node, (child, member) => {
    if (child.start > offset || child.end < offset) return;
    found ??= calleeAround(child, offset) ?? (member === 'callee' ? child : undefined);
  });
  return found;
}
