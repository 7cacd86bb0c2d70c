// Analyses the tokens before an offset in unfinished Java: the receiver of a dot, and the lambdas that are still open.

import type { Token } from '../syntax/token.ts';
import { depthMax } from '../syntax/token-cursor.ts';

/** Index of the first token of the value at the end of these tokens; `tokens.length` if there is no such value. */
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

/** Start of one link of a call chain: a name with arguments or indexes, a literal, or a parenthesized expression. */
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
  /** The tokens of the stream or list whose method takes the lambda. */
  readonly receiver: readonly Token[];
}

/** The open lambdas, from the outermost to the innermost. */
export function lambdasAround(tokens: readonly Token[]): OpenLambda[] {
  const opened = openParentheses(tokens);
  // No valid expression nests deeper, so there is nothing to complete.
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

/** The parameter `p` of `p ->` or `(p) ->`. */
function parameterAfter(tokens: readonly Token[], open: number): string | undefined {
  const [first, second, third, fourth] = tokens.slice(open + 1);
  if (first?.kind === 'name' && second?.text === '->') return first.text;
  return first?.text === '(' && third?.text === ')' && fourth?.text === '->' ? second?.text : undefined;
}
