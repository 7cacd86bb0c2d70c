// Parses the short forms: conditions on attributes, without variables and getters, such as
//
//   .voyageStatus = NOM && old.voyageStatus = EST
//   voyageStatus = "NOM" AND prev.daysLoading < daysLoading
//
//   operand = ( "!" | "-" ) operand | NOT comparison | literal | "(" expression ")" | path
//   path    = [ "." | ( old | prev ) "." ] name { "." name }
//
// AND, OR and NOT are accepted in any letter case, and "=" and "<>" in addition to Java's operators. NOT binds less
// tightly than a comparison, as in SQL; "!" binds more tightly, as in Java. The checker decides whether a bare word is
// an attribute or a text.

import { textType } from '../typing/java-type.ts';
import { ExpressionSyntaxError } from './mistake.ts';
import {
  around,
  checkAllowed,
  type Grammar,
  type Operator,
  parseBinary,
  parseLiteral,
  parseParentheses,
  parseUnary,
  parseWhole,
  precedenceOf,
} from './parse-operators.ts';
import type { Name, Tree } from './syntax-tree.ts';
import type { Token } from './token.ts';
import { expected, expectName, isSymbol, nested, node, peek, type TokenCursor, take, takeIf } from './token-cursor.ts';

export function parseShortForm(tokens: readonly Token[]): Tree {
  return parseWhole(shortGrammar, tokens);
}

const shortGrammar: Grammar = {
  hasChoice: false,
  operator: (token) =>
    token.kind === 'name' ? wordOperators.get(token.text.toUpperCase()) : symbolOperators.get(token.text),
  rejection: ({ kind, text }) =>
    kind === 'symbol' && ['?', '[', '{', '->', '::', ';', '&', '|', '^'].includes(text)
      ? { reason: `"${text}" cannot be used in a short form. ${javaHint}` }
      : undefined,
  operand: parseOperand,
};

const wordOperators = new Map<string, Operator>([
  ['AND', '&&'],
  ['OR', '||'],
]);

const symbolOperators = new Map<string, Operator>([
  ['=', '=='],
  ['<>', '!='],
  ...(['&&', '||', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%'] as const).map(
    (symbol) => [symbol, symbol] as const,
  ),
]);

const javaHint = 'For more than comparisons, write Java with svcObject and oldSvcObject.';

function parseOperand(cursor: TokenCursor): Tree {
  const token = peek(cursor);
  checkAllowed(token, shortGrammar.rejection(token));
  const literal = parseLiteral(cursor);
  if (literal) return literal;
  if (token.kind === 'quoted')
    return node(cursor, take(cursor), [], { kind: 'literal', type: textType, value: token.value });
  if (token.kind === 'name') return parseWord(cursor, token);
  if (isSymbol(token, '.')) return parsePath(cursor);
  if (isSymbol(token, '!') || isSymbol(token, '-')) return parseUnary(shortGrammar, cursor);
  return parseParentheses(shortGrammar, cursor, wantedOperand);
}

const wantedOperand = 'an attribute or a value';

function parseWord(cursor: TokenCursor, token: Token): Tree {
  if (wordOperators.has(token.text.toUpperCase())) throw expected(token, wantedOperand);
  return token.text.toUpperCase() === 'NOT' ? parseNot(cursor) : parsePath(cursor);
}

function parseNot(cursor: TokenCursor): Tree {
  const word = take(cursor);
  const operand = nested(cursor, () => parseBinary(shortGrammar, cursor, comparisonPrecedence));
  return node(cursor, around(word, operand), [operand], { kind: 'unary', operator: '!', operand });
}

/** The lowest precedence of a comparison. NOT applies to everything that binds more tightly than AND. */
const comparisonPrecedence = precedenceOf('==');

function parsePath(cursor: TokenCursor): Tree {
  const first = peek(cursor);
  const isOld = /^(old|prev)$/i.test(first.text) && isSymbol(peek(cursor, 1), '.');
  if (isOld) take(cursor);
  takeIf(cursor, '.');
  const names: Name[] = [];
  do names.push(expectName(cursor, 'the name of an attribute'));
  while (takeIf(cursor, '.'));
  if (isSymbol(peek(cursor), '('))
    throw new ExpressionSyntaxError(peek(cursor), `A short form cannot call methods. ${javaHint}`);
  return node(cursor, around(first, names.at(-1)!), [], { kind: 'path', variable: isOld ? 'old' : 'new', names });
}
