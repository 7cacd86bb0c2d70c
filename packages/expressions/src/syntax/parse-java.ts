// Parses the subset of Java expressions that filters need. Assignments, statements, method references, shifts and
// the like are rejected with a hint at the alternative.
//
//   operand = ( "-" | "+" | "!" ) operand | "(" type ")" operand
//           | primary { "." name [ arguments ] | "[" expression "]" }
//   primary = literal | name [ arguments ] | "(" expression ")" | "new" type arguments
//   arguments = "(" [ argument { "," argument } ] ")"
//   argument  = expression | name "->" expression | "(" name ")" "->" expression

import { primitive } from '../typing/java-type.ts';
import { ExpressionSyntaxError } from './mistake.ts';
import {
  around,
  checkAllowed,
  type Grammar,
  type Operator,
  parseExpression,
  parseLiteral,
  parseParentheses,
  parseTypeName,
  parseUnary,
  parseWhole,
  type Rejection,
} from './parse-operators.ts';
import type { Tree } from './syntax-tree.ts';
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
  takeIf,
} from './token-cursor.ts';

export function parseJava(tokens: readonly Token[]): Tree {
  return parseWhole(javaGrammar, tokens);
}

const javaGrammar: Grammar = {
  hasChoice: true,
  operator: ({ kind, text }) =>
    (kind === 'symbol' || text === 'instanceof') && operators.has(text) ? (text as Operator) : undefined,
  rejection: ({ kind, text }) => {
    if (kind === 'symbol') return rejectedSymbols.get(text);
    return kind === 'name' ? rejectSqlWord(text) : undefined;
  },
  operand: parseOperand,
};

const operators = new Set('|| && | ^ & == != < <= > >= instanceof + - * / %'.split(' '));

function parseOperand(cursor: TokenCursor): Tree {
  const token = peek(cursor);
  if (isSymbol(token, '-') || isSymbol(token, '+') || isSymbol(token, '!')) return parseUnary(javaGrammar, cursor);
  if (isCast(cursor)) return parseCast(cursor);
  let tree = parsePrimary(cursor);
  for (;;) {
    if (takeIf(cursor, '.')) tree = parseMember(cursor, tree);
    else if (takeIf(cursor, '[')) tree = parseIndex(cursor, tree);
    else return tree;
  }
}

/** `(int)` is always a cast. `(Name)` is a cast if an operand follows, otherwise a name in parentheses. */
function isCast(cursor: TokenCursor): boolean {
  if (!isSymbol(peek(cursor), '(') || peek(cursor, 1).kind !== 'name') return false;
  let ahead = 2;
  while (isSymbol(peek(cursor, ahead), '.') && peek(cursor, ahead + 1).kind === 'name') ahead += 2;
  if (!isSymbol(peek(cursor, ahead), ')')) return false;
  if (ahead === 2 && primitiveNames.includes(peek(cursor, 1).text)) return true;
  const after = peek(cursor, ahead + 1);
  if (after.kind === 'symbol') return after.text === '(' || after.text === '!';
  return after.kind !== 'end' && after.text !== 'instanceof';
}

const primitiveNames = ['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double'];

function parseCast(cursor: TokenCursor): Tree {
  const open = take(cursor);
  const to = parseTypeName(cursor);
  expectSymbol(cursor, ')');
  const operand = nested(cursor, () => parseOperand(cursor));
  return node(cursor, around(open, operand), [operand], { kind: 'cast', to, operand });
}

function parsePrimary(cursor: TokenCursor): Tree {
  const literal = parseLiteral(cursor);
  if (literal) return literal;
  const token = peek(cursor);
  if (token.kind === 'quoted') return parseCharacter(cursor, token);
  if (token.kind === 'name') return parseWord(cursor, token);
  checkAllowed(token, javaGrammar.rejection(token));
  return parseParentheses(javaGrammar, cursor, 'a value');
}

function parseCharacter(cursor: TokenCursor, token: Token & { kind: 'quoted' }): Tree {
  if (token.value.length !== 1)
    throw new ExpressionSyntaxError(token, 'Single quotes hold exactly one character; text goes in double quotes.');
  const value = token.value.charCodeAt(0);
  return node(cursor, take(cursor), [], { kind: 'literal', type: primitive('char'), value });
}

function parseWord(cursor: TokenCursor, token: Token): Tree {
  if (token.text === 'new') return parseNew(cursor);
  checkAllowed(token, rejectWord(token.text));
  const name = take(cursor);
  if (!isSymbol(peek(cursor), '(')) return node(cursor, name, [], { kind: 'name', name });
  const { args, end } = parseArguments(cursor);
  return node(cursor, { start: name.start, end }, args, { kind: 'call', receiver: undefined, name, args });
}

function parseNew(cursor: TokenCursor): Tree {
  const { start } = take(cursor);
  const name = parseTypeName(cursor);
  const { args, end } = parseArguments(cursor);
  return node(cursor, { start, end }, args, { kind: 'new', name, args });
}

function parseMember(cursor: TokenCursor, object: Tree): Tree {
  const name = expectName(cursor, 'the name of a method');
  if (!isSymbol(peek(cursor), '('))
    return node(cursor, around(object, name), [object], { kind: 'member', object, name });
  const { args, end } = parseArguments(cursor);
  const call = { kind: 'call', receiver: object, name, args } as const;
  return node(cursor, { start: object.start, end }, [object, ...args], call);
}

function parseIndex(cursor: TokenCursor, object: Tree): Tree {
  const index = parseExpression(javaGrammar, cursor);
  const close = expectSymbol(cursor, ']');
  return node(cursor, around(object, close), [object, index], { kind: 'index', object, index });
}

function parseArguments(cursor: TokenCursor): { args: Tree[]; end: number } {
  expectSymbol(cursor, '(');
  const args: Tree[] = [];
  if (!isSymbol(peek(cursor), ')')) {
    do args.push(parseArgument(cursor));
    while (takeIf(cursor, ','));
  }
  if (!isSymbol(peek(cursor), ')')) throw expected(peek(cursor), '"," or ")"');
  return { args, end: take(cursor).end };
}

function parseArgument(cursor: TokenCursor): Tree {
  const first = peek(cursor);
  const hasParentheses = isSymbol(first, '(') && isSymbol(peek(cursor, 2), ')') && isSymbol(peek(cursor, 3), '->');
  if (!hasParentheses && !isSymbol(peek(cursor, 1), '->')) return parseExpression(javaGrammar, cursor);
  if (hasParentheses) take(cursor);
  const parameter = expectName(cursor, 'the name of a parameter');
  if (hasParentheses) take(cursor);
  take(cursor);
  if (isSymbol(peek(cursor), '{'))
    throw new ExpressionSyntaxError(peek(cursor), 'A lambda must have an expression after "->", not a block.');
  const body = parseExpression(javaGrammar, cursor);
  return node(cursor, around(first, body), [body], { kind: 'lambda', parameter, body });
}

function rejectWord(word: string): Rejection | undefined {
  if (rejectedWords.has(word)) return { reason: `"${word}" cannot be used in an expression.` };
  return rejectSqlWord(word);
}

function rejectSqlWord(word: string): Rejection | undefined {
  const symbol = sqlWords.get(word.toUpperCase());
  return symbol === undefined ? undefined : { reason: `"${word}" is not Java: write "${symbol}".`, suggestion: symbol };
}

const assignment = 'A filter changes nothing, so there are no assignments. Compare with "==".';
const bits = 'Bit operations are not supported.';

const rejectedSymbols = new Map<string, Rejection>([
  ['=', { reason: assignment, suggestion: '==' }],
  ...rejecting('+= -= *= /= %= &= |= ^= <<= >>= >>>=', () => assignment),
  ...rejecting('++ --', (symbol) => `A filter changes nothing, so there is no "${symbol}".`),
  ...rejecting('~ << >> >>>', () => bits),
  ...rejecting('@ # ...', (symbol) => `"${symbol}" has no meaning in an expression.`),
  ['<>', { reason: '"<>" is not Java: write "!=".', suggestion: '!=' }],
  ...rejecting('::', () => 'Method references are not supported: write a lambda, such as line -> line.getUnitPrice().'),
  ...rejecting('->', () => 'A lambda can only be passed to a method, such as anyMatch; it has one parameter.'),
  ...rejecting('{', () => 'Blocks and arrays in braces are not supported: an expression is one value.'),
]);

function rejecting(symbols: string, reason: (symbol: string) => string): [string, Rejection][] {
  return symbols.split(' ').map((symbol) => [symbol, { reason: reason(symbol) }]);
}

const rejectedWords = new Set([
  ...['this', 'super', 'class', 'void', 'if', 'else', 'for', 'while', 'do', 'switch', 'case', 'return', 'throw', 'try'],
  ...['catch', 'finally', 'import', 'package', 'static', 'final', 'var', 'assert', 'break', 'continue', 'synchronized'],
  ...['instanceof', 'enum', 'interface', 'goto', ...primitiveNames],
]);

const sqlWords = new Map(Object.entries({ AND: '&&', OR: '||', NOT: '!' }));
