// A position in a list of tokens, and the limits on the tree that is built from them.

import { ExpressionSyntaxError, type Span } from './mistake.ts';
import type { Name, Tree, TreeNode } from './syntax-tree.ts';
import type { Token } from './token.ts';

export interface TokenCursor {
  readonly tokens: readonly Token[];
  /** Index of the next token. */
  next: number;
  nesting: number;
  nodeCount: number;
}

export function startCursor(tokens: readonly Token[]): TokenCursor {
  return { tokens, next: 0, nesting: 0, nodeCount: 0 };
}

/** The next token, or the one `ahead` tokens later. Past the last token it is always `end`. */
export function peek({ tokens, next }: TokenCursor, ahead = 0): Token {
  return tokens[Math.min(next + ahead, tokens.length - 1)]!;
}

export function take(cursor: TokenCursor): Token {
  const token = peek(cursor);
  cursor.next++;
  return token;
}

export function isSymbol(token: Token, text: string): boolean {
  return token.kind === 'symbol' && token.text === text;
}

export function takeIf(cursor: TokenCursor, symbol: string): boolean {
  if (!isSymbol(peek(cursor), symbol)) return false;
  cursor.next++;
  return true;
}

export function expectSymbol(cursor: TokenCursor, symbol: string): Token {
  const token = peek(cursor);
  if (!isSymbol(token, symbol)) throw expected(token, `"${symbol}"`);
  return take(cursor);
}

export function expectName(cursor: TokenCursor, what: string): Name {
  const token = peek(cursor);
  if (token.kind !== 'name') throw expected(token, what);
  return take(cursor);
}

export function expected(token: Token, what: string): ExpressionSyntaxError {
  const found = token.kind === 'end' ? 'the expression ends here' : `found ${showToken(token)}`;
  return new ExpressionSyntaxError(token, `Expected ${what}, but ${found}.`);
}

function showToken({ text }: Token): string {
  return text.startsWith('"') || text.startsWith("'") ? 'a text in quotes' : `"${text.slice(0, 40)}"`;
}

export function node(cursor: TokenCursor, { start, end }: Span, parts: readonly Tree[], content: TreeNode): Tree {
  const depth = 1 + parts.reduce((deepest, part) => Math.max(deepest, part.depth), 0);
  const span = { start, end };
  if (depth > depthMax) throw tooDeep(span);
  if (++cursor.nodeCount > nodesMax) {
    throw new ExpressionSyntaxError(span, `The expression is too large: it has more than ${nodesMax} parts.`);
  }
  return { ...content, start, end, depth };
}

/** Wraps each recursive step of a parser, so that its stack is bounded like that of code that walks the tree. */
export function nested<T>(cursor: TokenCursor, parse: () => T): T {
  if (++cursor.nesting > depthMax) throw tooDeep(peek(cursor));
  const parsed = parse();
  cursor.nesting--;
  return parsed;
}

function tooDeep(span: Span): ExpressionSyntaxError {
  return new ExpressionSyntaxError(span, `The expression is nested more than ${depthMax} levels deep.`);
}

export const depthMax = 100;
const nodesMax = 2000;
