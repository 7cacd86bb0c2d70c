// Parses the short forms: conditions on attributes, without variables and getters, such as
//
//   .voyageStatus = NOM && old.voyageStatus = EST
//   voyageStatus = "NOM" AND prev.daysLoading < daysLoading
//
//   operand = ( "!" | NOT ) condition | "-" operand | literal | "(" expression ")" | path
//   path    = [ "." | ( old | prev ) "." ] name { "." name }
//
// AND, OR and NOT are accepted in any letter case, and "=" and "<>" in addition to Java's operators. NOT binds less
// tightly than a comparison, as in SQL; "!" binds more tightly, as in Java. The checker decides whether a bare word is
// an attribute or a text.

import { ExpressionSyntaxError } from './mistake.ts';
import { around, type Grammar, type Operator, parseBinary, parseExpression, parseWhole } from './parse-operators.ts';
import type { Name, Tree } from './syntax-tree.ts';
import type { Token } from './token.ts';
import * as tokens from './token-cursor.ts';
import { isSymbol, nested, node, peek, type TokenCursor, take } from './token-cursor.ts';

export function parseShortForm(row: readonly Token[]): Tree {
  return parseWhole(shortGrammar, tokens.startCursor(row));
}

const shortGrammar: Grammar = {
  hasChoice: false,
  operator: (token) =>
    token.kind === 'name' ? wordOperators.get(token.text.toUpperCase()) : symbolOperators.get(token.text),
  refusal: syntaxError,
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
    (same) => [same, same] as const,
  ),
]);

const javaHint = 'For more than comparisons write Java, with svcObject and oldSvcObject.';

function syntaxError(token: Token): string | undefined {
  if (token.kind !== 'symbol') return undefined;
  if (['?', '[', '{', '->', '::', ';', '&', '|'].includes(token.text))
    return `"${token.text}" cannot be used in a short form. ${javaHint}`;
  return undefined;
}

function parseOperand(cursor: TokenCursor): Tree {
  const token = peek(cursor);
  const refusal = syntaxError(token);
  if (refusal !== undefined) throw new ExpressionSyntaxError(token, refusal);
  switch (token.kind) {
    case 'number':
      return parseNumber(cursor, token);
    case 'text':
    case 'quoted':
      return node(cursor, take(cursor), [], { kind: 'text', value: token.value });
    case 'name':
      return parseWord(cursor, token);
    default:
      return parseSymbol(cursor, token);
  }
}

function parseNumber(cursor: TokenCursor, token: Token & { kind: 'number' }): Tree {
  const { number } = token;
  if (number.isOnlyNegated) throw new ExpressionSyntaxError(token, `${token.text} is too large.`);
  return node(cursor, take(cursor), [], { kind: 'number', number });
}

function parseSymbol(cursor: TokenCursor, token: Token): Tree {
  if (isSymbol(token, '.')) return parsePath(cursor);
  if (isSymbol(token, '!') || isSymbol(token, '-')) {
    take(cursor);
    const operand = nested(cursor, () => parseOperand(cursor));
    const operator = token.text as '!' | '-';
    return node(cursor, around(token, operand), [operand], { kind: 'unary', operator, operand });
  }
  if (!isSymbol(token, '(')) throw tokens.expected(token, 'an attribute or a value');
  take(cursor);
  const inner = parseExpression(shortGrammar, cursor);
  const close = tokens.expectSymbol(cursor, ')');
  return { ...inner, start: token.start, end: close.end };
}

function parseWord(cursor: TokenCursor, token: Token): Tree {
  switch (token.text) {
    case 'true':
    case 'false':
      return node(cursor, take(cursor), [], { kind: 'boolean', value: token.text === 'true' });
    case 'null':
      return node(cursor, take(cursor), [], { kind: 'null' });
  }
  if (wordOperators.has(token.text.toUpperCase())) throw tokens.expected(token, 'an attribute or a value');
  return token.text.toUpperCase() === 'NOT' ? parseNot(cursor) : parsePath(cursor);
}

function parseNot(cursor: TokenCursor): Tree {
  const word = take(cursor);
  const operand = nested(cursor, () => parseBinary(shortGrammar, cursor, comparisons));
  return node(cursor, around(word, operand), [operand], { kind: 'unary', operator: '!', operand });
}

/** The precedence of comparisons: NOT applies to everything that binds more tightly than AND. */
const comparisons = 3;

function parsePath(cursor: TokenCursor): Tree {
  const first = peek(cursor);
  const isOld = /^(old|prev)$/i.test(first.text) && isSymbol(peek(cursor, 1), '.');
  if (isOld) take(cursor);
  if (isSymbol(peek(cursor), '.')) take(cursor);
  const names: Name[] = [];
  do names.push(takeName(cursor));
  while (tokens.takeIf(cursor, '.'));
  if (isSymbol(peek(cursor), '(')) {
    throw new ExpressionSyntaxError(peek(cursor), `A short form has no methods. ${javaHint}`);
  }
  return node(cursor, around(first, names.at(-1)!), [], { kind: 'path', variable: isOld ? 'old' : 'new', names });
}

function takeName(cursor: TokenCursor): Name {
  const { text, start, end } = tokens.expectName(cursor, 'the name of an attribute');
  return { text, start, end };
}
