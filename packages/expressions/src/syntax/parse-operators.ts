// Parses operators by precedence (Pratt parsing), and what else Java and the short forms share. The two are grammars:
// each defines its operators and how to parse an operand.
//
//   expression = binary [ "?" expression ":" expression ]
//   binary     = operand { operator operand }        by precedence, left to right
//
//   1 ||    2 &&    3 |    4 ^    5 &    6 == !=    7 < <= > >= instanceof    8 + -    9 * / %

import { booleanType, nullType, primitive, textType } from '../typing/java-type.ts';
import { ExpressionSyntaxError, type Span } from './mistake.ts';
import type { BinaryOperator, Name, Tree } from './syntax-tree.ts';
import type { Token } from './token.ts';
import {
  expected,
  expectName,
  expectSymbol,
  isSymbol,
  nested,
  node,
  peek,
  startCursor,
  type TokenCursor,
  take,
  takeIf,
} from './token-cursor.ts';

export interface Grammar {
  readonly hasChoice: boolean;
  /** The operator that the token represents, if any. */
  operator(token: Token): Operator | undefined;
  /** Set if the grammar does not allow this token here. */
  rejection(token: Token): Rejection | undefined;
  operand(cursor: TokenCursor): Tree;
}

export interface Rejection {
  readonly reason: string;
  /** What to write instead. */
  readonly suggestion?: string | undefined;
}

export type Operator = BinaryOperator | '&&' | '||' | 'instanceof';

/** Parses the whole text as one expression. */
export function parseWhole(grammar: Grammar, tokens: readonly Token[]): Tree {
  const cursor = startCursor(tokens);
  if (peek(cursor).kind === 'end') throw new ExpressionSyntaxError(peek(cursor), 'The expression is empty.');
  const tree = parseExpression(grammar, cursor);
  const left = peek(cursor);
  if (left.kind === 'end') return tree;
  if (isSymbol(left, ';')) throw new ExpressionSyntaxError(left, 'An expression has no ";": it is not a statement.');
  throw expected(left, 'an operator or the end');
}

export function parseExpression(grammar: Grammar, cursor: TokenCursor): Tree {
  return nested(cursor, () => {
    const condition = parseBinary(grammar, cursor, 1);
    if (!grammar.hasChoice || !takeIf(cursor, '?')) return condition;
    const yes = parseExpression(grammar, cursor);
    expectSymbol(cursor, ':');
    const no = parseExpression(grammar, cursor);
    return node(cursor, around(condition, no), [condition, yes, no], { kind: 'choice', condition, yes, no });
  });
}

export function parseBinary(grammar: Grammar, cursor: TokenCursor, lowest: number): Tree {
  let left = grammar.operand(cursor);
  for (;;) {
    const token = peek(cursor);
    checkAllowed(token, grammar.rejection(token));
    const operator = grammar.operator(token);
    if (operator === undefined || precedenceOf(operator) < lowest) return left;
    take(cursor);
    left = parseRight(grammar, cursor, left, operator, token);
  }
}

export function checkAllowed(token: Token, rejection: Rejection | undefined): void {
  if (rejection) throw new ExpressionSyntaxError(token, rejection.reason, rejection.suggestion);
}

function parseRight(grammar: Grammar, cursor: TokenCursor, left: Tree, operator: Operator, operatorAt: Span): Tree {
  if (operator === 'instanceof') {
    const of = parseTypeName(cursor);
    return node(cursor, around(left, of), [left], { kind: 'instanceof', operand: left, of });
  }
  if (operator === '&&' || operator === '||') return parseConditions(grammar, cursor, left, operator);
  const right = parseTighter(grammar, cursor, operator);
  return node(cursor, around(left, right), [left, right], { kind: 'binary', operator, operatorAt, left, right });
}

/** Parses a whole chain of `&&` or `||`. The first operator has already been consumed. */
function parseConditions(grammar: Grammar, cursor: TokenCursor, first: Tree, operator: '&&' | '||'): Tree {
  const conditions = [first, parseTighter(grammar, cursor, operator)];
  while (grammar.operator(peek(cursor)) === operator) {
    take(cursor);
    conditions.push(parseTighter(grammar, cursor, operator));
  }
  const kind = operator === '&&' ? 'all' : 'any';
  return node(cursor, around(first, conditions.at(-1)!), conditions, { kind, conditions });
}

function parseTighter(grammar: Grammar, cursor: TokenCursor, operator: Operator): Tree {
  return nested(cursor, () => parseBinary(grammar, cursor, precedenceOf(operator) + 1));
}

const levels = ['||', '&&', '|', '^', '&', '== !=', '< <= > >= instanceof', '+ -', '* / %'].map((level) =>
  level.split(' '),
);
const precedences = new Map(
  levels.flatMap((operators, index) => operators.map((operator) => [operator, index + 1] as const)),
);

export function precedenceOf(operator: Operator): number {
  return precedences.get(operator)!;
}

/** Parses a simple or qualified type name, such as `Vessel` or `java.util.Date`. */
export function parseTypeName(cursor: TokenCursor): Name {
  let name = expectName(cursor, 'the name of a type');
  while (isSymbol(peek(cursor), '.') && peek(cursor, 1).kind === 'name') {
    take(cursor);
    const next = take(cursor);
    name = { ...around(name, next), text: `${name.text}.${next.text}` };
  }
  return name;
}

/** Parses a sign or `!`, and the operand that follows. */
export function parseUnary(grammar: Grammar, cursor: TokenCursor): Tree {
  const sign = take(cursor);
  const number = peek(cursor);
  if (sign.text === '-' && number.kind === 'number' && number.number.isOnlyNegated) {
    // -2147483648: the digits alone are too large for an int, and reading them has already wrapped to this value.
    const { type, value } = number.number;
    return node(cursor, around(sign, take(cursor)), [], { kind: 'literal', type: primitive(type), value });
  }
  const operand = nested(cursor, () => grammar.operand(cursor));
  const operator = sign.text as '-' | '+' | '!';
  return node(cursor, around(sign, operand), [operand], { kind: 'unary', operator, operand });
}

export function parseParentheses(grammar: Grammar, cursor: TokenCursor, wanted: string): Tree {
  const open = peek(cursor);
  if (!takeIf(cursor, '(')) throw expected(open, wanted);
  const inner = parseExpression(grammar, cursor);
  return { ...inner, ...around(open, expectSymbol(cursor, ')')) };
}

/** Parses a number, a text in double quotes, `true`, `false` or `null`; undefined for any other token. */
export function parseLiteral(cursor: TokenCursor): Tree | undefined {
  const token = peek(cursor);
  if (token.kind === 'number') {
    const { type, value, isOnlyNegated } = token.number;
    const most = type === 'int' ? 'an int is 2147483647' : 'a long is 9223372036854775807L';
    if (isOnlyNegated) throw new ExpressionSyntaxError(token, `The largest value of ${most}.`);
    return node(cursor, take(cursor), [], { kind: 'literal', type: primitive(type), value });
  }
  if (token.kind === 'text')
    return node(cursor, take(cursor), [], { kind: 'literal', type: textType, value: token.value });
  if (token.kind === 'name' && (token.text === 'true' || token.text === 'false'))
    return node(cursor, take(cursor), [], { kind: 'literal', type: booleanType, value: token.text === 'true' });
  if (token.kind === 'name' && token.text === 'null')
    return node(cursor, take(cursor), [], { kind: 'literal', type: nullType, value: null });
  return undefined;
}

export function around(first: Span, last: Span): Span {
  return { start: first.start, end: last.end };
}
