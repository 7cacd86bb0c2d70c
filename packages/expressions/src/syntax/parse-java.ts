// Parses the subset of Java expressions that filters need. Assignments, statements, method references, bit operations
// and the like are rejected with a hint at the alternative.
//
//   operand = ( "-" | "+" | "!" ) operand | "(" type ")" operand
//           | primary { "." name [ arguments ] | "[" expression "]" }
//   primary = literal | name [ arguments ] | "(" expression ")" | "new" type arguments
//   arguments = "(" [ argument { "," argument } ] ")"
//   argument  = expression | name "->" expression | "(" name ")" "->" expression

import { ExpressionSyntaxError } from './mistake.ts';
import { around, type Grammar, type Operator, parseExpression, parseTypeName, parseWhole } from './parse-operators.ts';
import { refuseSymbol, refuseWord } from './refused-java.ts';
import type { Tree } from './syntax-tree.ts';
import type { Token } from './token.ts';
import * as tokens from './token-cursor.ts';
import { isSymbol, nested, node, peek, type TokenCursor, take, takeIf } from './token-cursor.ts';

export function parseJava(row: readonly Token[]): Tree {
  return parseWhole(javaGrammar, tokens.startCursor(row));
}

const javaGrammar: Grammar = {
  hasChoice: true,
  operator: ({ kind, text }) =>
    (kind === 'symbol' || text === 'instanceof') && operators.has(text) ? (text as Operator) : undefined,
  refusal: refuseSymbol,
  operand: parseOperand,
};

const operators = new Set('|| && == != < <= > >= instanceof + - * / %'.split(' '));

function parseOperand(cursor: TokenCursor): Tree {
  const token = peek(cursor);
  if (isSymbol(token, '-') || isSymbol(token, '+') || isSymbol(token, '!')) return parseUnary(cursor, token);
  if (isCast(cursor)) return parseCast(cursor);
  let tree = parsePrimary(cursor);
  for (;;) {
    if (isSymbol(peek(cursor), '.')) tree = parseMember(cursor, tree);
    else if (isSymbol(peek(cursor), '[')) tree = parseIndex(cursor, tree);
    else return tree;
  }
}

function parseUnary(cursor: TokenCursor, sign: Token): Tree {
  take(cursor);
  const literal = peek(cursor);
  if (sign.text === '-' && literal.kind === 'number' && literal.number.isOnlyNegated) {
    // -2147483648: the digits alone are too large for an int, and reading them has already wrapped to this value.
    take(cursor);
    return node(cursor, around(sign, literal), [], { kind: 'number', number: literal.number });
  }
  const operand = nested(cursor, () => parseOperand(cursor));
  return node(cursor, around(sign, operand), [operand], {
    kind: 'unary',
    operator: sign.text as '-' | '+' | '!',
    operand,
  });
}

/** `(int)` is always a cast. `(Name)` is a cast if an operand follows, otherwise a name in parentheses. */
function isCast(cursor: TokenCursor): boolean {
  if (!isSymbol(peek(cursor), '(') || peek(cursor, 1).kind !== 'name') return false;
  let ahead = 2;
  while (isSymbol(peek(cursor, ahead), '.') && peek(cursor, ahead + 1).kind === 'name') ahead += 2;
  if (!isSymbol(peek(cursor, ahead), ')')) return false;
  if (ahead === 2 && primitiveNames.has(peek(cursor, 1).text)) return true;
  const after = peek(cursor, ahead + 1);
  if (after.kind === 'symbol') return after.text === '(' || after.text === '!';
  return after.kind !== 'end' && after.text !== 'instanceof';
}

const primitiveNames = new Set(['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double']);

function parseCast(cursor: TokenCursor): Tree {
  const open = take(cursor);
  const to = parseTypeName(cursor);
  tokens.expectSymbol(cursor, ')');
  const operand = nested(cursor, () => parseOperand(cursor));
  return node(cursor, around(open, operand), [operand], { kind: 'cast', to, operand });
}

function parsePrimary(cursor: TokenCursor): Tree {
  const token = peek(cursor);
  switch (token.kind) {
    case 'number':
      return parseNumber(cursor, token);
    case 'text':
      return literal(cursor, { kind: 'text', value: token.value });
    case 'quoted':
      return parseCharacter(cursor, token);
    case 'name':
      return parseWord(cursor, token);
    default:
      return parseParentheses(cursor, token);
  }
}

function parseNumber(cursor: TokenCursor, token: Token & { kind: 'number' }): Tree {
  const { number } = token;
  if (number.isOnlyNegated) {
    const most = number.type === 'int' ? 'an int is 2147483647' : 'a long is 9223372036854775807L';
    throw new ExpressionSyntaxError(token, `The largest value of ${most}.`);
  }
  return literal(cursor, { kind: 'number', number });
}

function parseCharacter(cursor: TokenCursor, token: Token & { kind: 'quoted' }): Tree {
  if (token.value.length === 1) return literal(cursor, { kind: 'character', value: token.value });
  throw new ExpressionSyntaxError(token, 'Single quotes hold exactly one character; text goes in double quotes.');
}

function parseWord(cursor: TokenCursor, token: Token): Tree {
  if (token.text === 'true' || token.text === 'false')
    return literal(cursor, { kind: 'boolean', value: token.text === 'true' });
  if (token.text === 'null') return literal(cursor, { kind: 'null' });
  if (token.text === 'new') return parseNew(cursor);
  const refusal = refuseWord(token.text);
  if (refusal !== undefined) throw new ExpressionSyntaxError(token, refusal);
  take(cursor);
  const name = nameOf(token);
  if (!isSymbol(peek(cursor), '(')) return node(cursor, token, [], { kind: 'name', name });
  const { args, end } = parseArguments(cursor);
  return node(cursor, { start: token.start, end }, args, { kind: 'call', receiver: undefined, name, args });
}

function parseParentheses(cursor: TokenCursor, open: Token): Tree {
  const refusal = refuseSymbol(open);
  if (refusal !== undefined) throw new ExpressionSyntaxError(open, refusal);
  if (!takeIf(cursor, '(')) throw tokens.expected(open, 'a value');
  const inner = parseExpression(javaGrammar, cursor);
  const close = tokens.expectSymbol(cursor, ')');
  return { ...inner, start: open.start, end: close.end };
}

function parseNew(cursor: TokenCursor): Tree {
  const word = take(cursor);
  const className = parseTypeName(cursor);
  const { args, end } = parseArguments(cursor);
  return node(cursor, { start: word.start, end }, args, { kind: 'new', className, args });
}

function parseMember(cursor: TokenCursor, object: Tree): Tree {
  take(cursor);
  const name = nameOf(tokens.expectName(cursor, 'the name of a method'));
  if (!isSymbol(peek(cursor), '('))
    return node(cursor, around(object, name), [object], { kind: 'member', object, name });
  const { args, end } = parseArguments(cursor);
  return node(cursor, { start: object.start, end }, [object, ...args], {
    kind: 'call',
    receiver: object,
    name,
    args,
  });
}

function parseIndex(cursor: TokenCursor, object: Tree): Tree {
  take(cursor);
  const index = parseExpression(javaGrammar, cursor);
  const close = tokens.expectSymbol(cursor, ']');
  return node(cursor, around(object, close), [object, index], { kind: 'index', object, index });
}

function parseArguments(cursor: TokenCursor): { args: Tree[]; end: number } {
  tokens.expectSymbol(cursor, '(');
  const args: Tree[] = [];
  if (!isSymbol(peek(cursor), ')')) {
    do args.push(parseArgument(cursor));
    while (takeIf(cursor, ','));
  }
  if (!isSymbol(peek(cursor), ')')) throw tokens.expected(peek(cursor), '"," or ")"');
  return { args, end: take(cursor).end };
}

function parseArgument(cursor: TokenCursor): Tree {
  const first = peek(cursor);
  const hasParentheses = isSymbol(first, '(') && isSymbol(peek(cursor, 2), ')') && isSymbol(peek(cursor, 3), '->');
  if (!hasParentheses && !isSymbol(peek(cursor, 1), '->')) return parseExpression(javaGrammar, cursor);
  if (hasParentheses) take(cursor);
  const parameter = nameOf(tokens.expectName(cursor, 'the name of a parameter'));
  if (hasParentheses) take(cursor);
  take(cursor);
  if (isSymbol(peek(cursor), '{'))
    throw new ExpressionSyntaxError(peek(cursor), 'A lambda must have an expression after "->", not a block.');
  const body = parseExpression(javaGrammar, cursor);
  return node(cursor, around(first, body), [body], { kind: 'lambda', parameter, body });
}

function literal(cursor: TokenCursor, made: Parameters<typeof node>[3]): Tree {
  return node(cursor, take(cursor), [], made);
}

function nameOf({ text, start, end }: { text: string; start: number; end: number }) {
  return { text, start, end };
}
