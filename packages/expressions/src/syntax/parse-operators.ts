// Parses operators by precedence (Pratt parsing). A grammar defines its operators and how to parse an operand; Java and
// the short forms are two grammars.
//
//   expression = binary [ "?" expression ":" expression ]
//   binary     = operand { operator operand }        by precedence, left to right
//
//   1 ||    2 &&    3 == !=    4 < <= > >= instanceof    5 + -    6 * / %

import { ExpressionSyntaxError, type Span } from './mistake.ts';
import type { ArithmeticOperator, ComparisonOperator, Tree } from './syntax-tree.ts';
import type { Token } from './token.ts';
import {
  expected,
  expectName,
  expectSymbol,
  isSymbol,
  nested,
  node,
  peek,
  type TokenCursor,
  take,
} from './token-cursor.ts';

export interface Grammar {
  readonly hasChoice: boolean;
  /** The operator that the token represents, if any. */
  operator(token: Token): Operator | undefined;
  /** The reason why the grammar does not allow this token here. */
  refusal(token: Token): string | undefined;
  operand(cursor: TokenCursor): Tree;
}

export type Operator = ArithmeticOperator | ComparisonOperator | '&&' | '||' | 'instanceof';

/** Parses the whole text as one expression. */
export function parseWhole(grammar: Grammar, cursor: TokenCursor): Tree {
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
    if (!grammar.hasChoice || !isSymbol(peek(cursor), '?')) return condition;
    take(cursor);
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
    const refusal = grammar.refusal(token);
    if (refusal !== undefined) throw new ExpressionSyntaxError(token, refusal);
    const operator = grammar.operator(token);
    if (operator === undefined || precedence[operator] < lowest) return left;
    take(cursor);
    left = parseRight(grammar, cursor, left, operator, token);
  }
}

function parseRight(grammar: Grammar, cursor: TokenCursor, left: Tree, operator: Operator, operatorAt: Span): Tree {
  if (operator === 'instanceof') {
    const of = parseTypeName(cursor);
    return node(cursor, around(left, of), [left], { kind: 'instanceof', operand: left, of });
  }
  if (operator === '&&' || operator === '||') return parseConditions(grammar, cursor, left, operator);
  const right = parseTighter(grammar, cursor, operator);
  const { start, end } = operatorAt;
  return node(cursor, around(left, right), [left, right], {
    kind: 'binary',
    operator,
    operatorAt: { start, end },
    left,
    right,
  });
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
  return nested(cursor, () => parseBinary(grammar, cursor, precedence[operator] + 1));
}

/** Parses a simple or qualified type name, such as `Vessel` or `java.util.Date`. */
export function parseTypeName(cursor: TokenCursor): Span & { text: string } {
  const first = expectName(cursor, 'the name of a type');
  let { text, end } = first;
  while (isSymbol(peek(cursor), '.') && peek(cursor, 1).kind === 'name') {
    take(cursor);
    const next = take(cursor);
    text += `.${next.text}`;
    end = next.end;
  }
  return { text, start: first.start, end };
}

export function around(first: Span, last: Span): Span {
  return { start: first.start, end: last.end };
}

const precedence: Record<Operator, number> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  instanceof: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
