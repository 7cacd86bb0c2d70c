// Reads tokens backwards from a place in unfinished Java: what a dot belongs to, and which lambdas are still open.

import type { Token } from '../syntax/token.ts';
import { depthMax } from '../syntax/token-cursor.ts';

/** Index of the first token of the value that these tokens end with; their number if they end with none. */
export function receiverStart(tokens: readonly Token[]): number {
  let at = tokens.length - 1;
  for (;;) {
    const start = partStart(tokens, at);
    if (start === undefined) return at + 1 === tokens.length ? tokens.length : at + 2;
    if (tokens[start - 1]?.text === 'new') return start - 1;
    if (tokens[start - 1]?.text !== '.') return start;
    at = start - 2;
    if (at < 0) return start - 1;
  }
}

/** One link of a chain of calls: a name with its arguments or indexes, a literal, or something in parentheses. */
function partStart(tokens: readonly Token[], end: number): number | undefined {
  let at = end;
  while (tokens[at]?.text === ')' || tokens[at]?.text === ']') {
    const open = matchingOpen(tokens, at);
    if (open === undefined) return undefined;
    const isCalled =
      tokens[open - 1]?.kind === 'name' || tokens[open - 1]?.text === ']' || tokens[open - 1]?.text === ')';
    if (!isCalled) return tokens[open]!.text === '(' ? open : undefined;
    at = open - 1;
  }
  const token = tokens[at];
  if (token === undefined || token.kind === 'symbol' || token.kind === 'end') return undefined;
  return at;
}

function matchingOpen(tokens: readonly Token[], close: number): number | undefined {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    const { text, kind } = tokens[at]!;
    if (kind !== 'symbol') continue;
    if (text === ')' || text === ']') depth++;
    if ((text === '(' || text === '[') && --depth === 0) return at;
  }
  return undefined;
}

export interface OpenLambda {
  readonly parameter: string;
  /** The stream or list that the lambda is for. */
  readonly receiver: readonly Token[];
}

/** From the outermost to the innermost. */
export function lambdasAround(tokens: readonly Token[]): OpenLambda[] {
  const opened = openParentheses(tokens);
  // No expression nests deeper, so nothing could be offered.
  if (opened.length > depthMax) return [];
  return opened.flatMap((open) => {
    const parameter = parameterAfter(tokens, open);
    const isCall = tokens[open - 1]?.kind === 'name' && tokens[open - 2]?.text === '.';
    if (parameter === undefined || !isCall) return [];
    const before = tokens.slice(0, open - 2);
    return [{ parameter, receiver: before.slice(receiverStart(before)) }];
  });
}

function openParentheses(tokens: readonly Token[]): number[] {
  const open: number[] = [];
  tokens.forEach(({ text, kind }, index) => {
    if (kind !== 'symbol') return;
    if (text === '(') open.push(index);
    if (text === ')') open.pop();
  });
  return open;
}

/** `p` of `p ->` or `(p) ->`. */
function parameterAfter(tokens: readonly Token[], open: number): string | undefined {
  const [first, second, third, fourth] = tokens.slice(open + 1);
  if (first?.kind === 'name' && second?.text === '->') return first.text;
  return first?.text === '(' && third?.text === ')' && fourth?.text === '->' ? second?.text : undefined;
}
