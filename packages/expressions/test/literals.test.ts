// The literals of Java, and the positions of tokens and mistakes.

import { describe, expect, test } from 'vitest';
import { ExpressionSyntaxError } from '../src/syntax/mistake.ts';
import { tokenize } from '../src/syntax/token.ts';
import { answerOf, mistakesIn } from './expression-fixture.ts';

/** Each of these is true in Java too. */
describe('a literal has its Java value', () => {
  test.each([
    '0x1F == 31 && 0b101 == 5 && 017 == 15 && 1_000_000 == 1000000 && 0xFFFFFFFF == -1',
    '2147483647 + 1 == -2147483648 && -2147483648 < 0',
    '5000000000L == 5000000000L && 0xFFFFFFFFFFFFFFFFL == -1L && 9223372036854775807L + 1L == -9223372036854775808L',
    '1.5 == 1.5d && 1.5f == 1.5 && .5 == 0.5 && 3. == 3.0 && 1e3 == 1000.0 && 1.5E-3 == 0.0015 && 1f == 1',
    '0.1f != 0.1 && 09.5 == 9.5 && 07e1 == 70.0',
    "'a' == 97 && '\\n' == 10 && '\\u0041' == 65 && '\\101' == 65 && '\\'' == 39 && '\"' == 34",
    '"a\\tb\\"\\\\\\u00e9\\101\\s".length() == 8 && "\\0".charAt(0) == 0 && "\\uuu0041".equals("A")',
    'true && !false',
    '"""\n  NOM\n    EST\n  """.equals("NOM\\n  EST\\n")',
    '"""\n  a\\\n  b "quoted" """.equals("ab \\"quoted\\"")',
    '/* a comment */ true // and another\n && true',
  ])('%s', (text) => {
    expect(answerOf(`svcObject != null && (${text})`)).toBe(true);
  });
});

describe('a literal that is invalid in Java is a mistake', () => {
  test.each([
    ['3000000000', '3000000000 does not fit an int. Write 3000000000L for a long.'],
    ['2147483648', 'The largest value of an int is 2147483647.'],
    ['9223372036854775808L', 'The largest value of a long is 9223372036854775807L.'],
    ['99999999999999999999L', '99999999999999999999L does not fit a long.'],
    ['0x1FFFFFFFF', '0x1FFFFFFFF does not fit an int. Write 0x1FFFFFFFFL for a long.'],
    ['1e999', 'The number is too large for a double.'],
    ['1e-999', 'The number is too small for a double: it would be 0.'],
    ['1e39f', 'The number is too large for a float.'],
    ['09', '"09" is not a Java number.'],
    ['0x', '"0x" is not a Java number.'],
    ['0b12', '"0b12" is not a Java number.'],
    ['1__', '"1__" is not a Java number.'],
    ['12abc', '"12abc" is not a Java number.'],
    ["'ab'", 'Single quotes hold exactly one character; text goes in double quotes.'],
    ["''", 'Single quotes hold exactly one character; text goes in double quotes.'],
    ['"abc', 'The text that starts here has no closing ".'],
    ['"a\nb"', 'The text that starts here has no closing ".'],
    ['"a\\\nb"', 'The text that starts here has no closing ".'],
    ['"\\q"', 'Java has no escape \\q in a text.'],
    ['"\\u00"', 'Java has no escape \\u in a text.'],
    ['"\\u0022"', '\\u0022 cannot be used in a text: write the plain escape instead.'],
    ['"""abc"""', 'A text block begins on the line after its """.'],
    ['"""\nabc', 'The text block that starts here has no closing """.'],
    ['/* open', 'The comment that starts here has no end.'],
    ['é', '"é" has no meaning here. Text goes in double quotes.'],
  ])('%s', (text, message) => {
    expect(mistakesIn(`svcObject != null && ${text} == null`).map((mistake) => mistake.replace(/^\S+ /, ''))).toEqual([
      message,
    ]);
  });
});

test('every token has its exact position', () => {
  const text = 'svcObject.getX()\n  >= 1.5e3L && "a\\"b" != \'c\' /* x */ ->';
  for (const token of tokenize(text.replace('1.5e3L', '1.5e3'))) {
    expect(text.replace('1.5e3L', '1.5e3').slice(token.start, token.end)).toBe(token.text);
  }
  expect(() => tokenize(text)).toThrow(ExpressionSyntaxError);
});

test('a mistake has a line, column, offset and length', () => {
  expect(mistakesIn('svcObject.isTc()\n  && svcObject.getFoo()')).toEqual(['2:16 Voyage has no getter getFoo().']);
});
