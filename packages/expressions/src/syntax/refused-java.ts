// The parts of Java that filters do not support, each with the message that says what to write instead.

import type { Token } from './token.ts';

export function refuseSymbol({ kind, text }: Token): string | undefined {
  return kind === 'symbol' ? refusedSymbols.get(text) : undefined;
}

export function refuseWord(word: string): string | undefined {
  if (refusedWords.has(word)) return `"${word}" cannot be used in an expression.`;
  const symbol = sqlWords.get(word.toUpperCase());
  return symbol === undefined ? undefined : `"${word}" is not Java: write ${symbol}.`;
}

const assignment = 'A filter changes nothing, so there are no assignments. Compare with "==".';
const bits = 'Bit operations are not supported.';

const refusedSymbols = new Map<string, string>([
  ...['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '>>>='].map(
    (symbol) => [symbol, assignment] as const,
  ),
  ...['++', '--'].map((symbol) => [symbol, `A filter changes nothing, so there is no "${symbol}".`] as const),
  ...['^', '~', '<<', '>>', '>>>'].map((symbol) => [symbol, bits] as const),
  ['&', `${bits} Write "&&" for "and".`],
  ['|', `${bits} Write "||" for "or".`],
  ['<>', '"<>" is not Java: write "!=".'],
  ['::', 'Method references are not supported: write a lambda, such as line -> line.getUnitPrice().'],
  ['->', 'A lambda can only be passed to a method, such as anyMatch; it has one parameter.'],
  ['{', 'Blocks and arrays in braces are not supported: an expression is one value.'],
  ['@', '"@" has no meaning in an expression.'],
  ['#', '"#" has no meaning in an expression.'],
  ['...', '"..." has no meaning in an expression.'],
]);

const refusedWords = new Set([
  ...['this', 'super', 'class', 'void', 'if', 'else', 'for', 'while', 'do', 'switch', 'case', 'return', 'throw', 'try'],
  ...['catch', 'finally', 'import', 'package', 'static', 'final', 'var', 'assert', 'break', 'continue', 'synchronized'],
  ...['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double', 'instanceof', 'enum', 'interface', 'goto'],
]);

const sqlWords = new Map([
  ['AND', '"&&"'],
  ['OR', '"||"'],
  ['NOT', '"!"'],
]);
