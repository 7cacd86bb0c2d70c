// Splits the text of an expression into tokens with exact positions. Java and the short forms share the tokenizer; the
// parsers decide what a token means and where it is allowed.

import { quoteText } from '@flaghoist/source-text';
import { ExpressionSyntaxError, type Span } from './mistake.ts';
import { type NumberLiteral, readNumber } from './read-number.ts';
import { readQuoted, readText } from './read-quoted.ts';

export type Token = Span & { readonly text: string } & (
    | { readonly kind: 'name' | 'symbol' | 'end' }
    | { readonly kind: 'number'; readonly number: NumberLiteral }
    /** A string in double quotes, or a text block. */
    | { readonly kind: 'text'; readonly value: string }
    /** A literal in single quotes: one character in Java, any text in a short form. */
    | { readonly kind: 'quoted'; readonly value: string }
  );

/** The last token is always `end`. Throws ExpressionSyntaxError. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skipBlanks(text, 0);
  while (at < text.length) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skipBlanks(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function readToken(text: string, start: number): Token {
  const name = matchAt(namePattern, text, start);
  if (name !== undefined) return { kind: 'name', text: name, start, end: start + name.length };
  const digits = matchAt(numberPattern, text, start);
  if (digits !== undefined) {
    const span = { start, end: start + digits.length };
    return { kind: 'number', text: digits, ...span, number: readNumber(digits, span) };
  }
  if (text[start] === '"') return { kind: 'text', ...readText(text, start) };
  if (text[start] === "'") return { kind: 'quoted', ...readQuoted(text, start) };
  const symbol = symbols.find((candidate) => text.startsWith(candidate, start));
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, start, end: start + symbol.length };
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  throw new ExpressionSyntaxError(
    { start, end: start + character.length },
    `${quoteText(character)} has no meaning here. Text goes in double quotes.`,
  );
}

/** Skips white space and comments. */
function skipBlanks(text: string, start: number): number {
  let at = start;
  for (;;) {
    const blank = matchAt(blankPattern, text, at);
    if (blank === undefined) return at;
    if (blank.startsWith('/*') && (blank.length < 4 || !blank.endsWith('*/'))) {
      throw new ExpressionSyntaxError({ start: at, end: at + 2 }, 'The comment that starts here has no end.');
    }
    at += blank.length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const blankPattern = /[ \t\n\f\r]+|\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/y;
const namePattern = /[A-Za-z_$][\w$]*/y;
// Matches more than a valid number, up to where a number must end, so that an invalid number is reported as a whole.
const numberPattern = /0[xX][\w.]*|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?\w*/y;

/** Longer symbols come first, because the first match is taken. */
const symbols: readonly string[] = [
  ...['>>>=', '>>>', '<<=', '>>=', '...', '->', '::', '++', '--', '&&', '||', '==', '!=', '<=', '>=', '<>'],
  ...['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<', '>>'],
  ...'()[]{},.;?:+-*/%<>=!&|^~@#',
];
