// Java regular expressions on an engine whose matching time is linear in the text.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { compilePattern } from '../src/pattern/java-pattern.ts';
import { answerOf, mistakesIn, outcomeOf, voyage } from './expression-fixture.ts';

function matches(pattern: string, text: string): boolean {
  return compilePattern(pattern, 'whole').matches(text);
}

describe('a pattern matches as in Java', () => {
  test.each([
    ['a.c', 'abc', true],
    ['a.c', 'a\nc', false],
    ['a.c', 'a\rc', false],
    ['a.c', 'a\u2028c', false],
    ['(?s)a.c', 'a\nc', true],
    ['(?i)nom[a-c]', 'NOMB', true],
    ['(?i)é', 'É', false],
    ['a(?i)b', 'aB', true],
    ['a(?i)b', 'AB', false],
    ['(?i:a)b', 'AB', false],
    ['\\s', '\u000b', true],
    ['\\S', '\u000b', false],
    ['[^\\S]', ' ', true],
    ['\\h\\v\\R', '\u00a0\n\r\n', true],
    ['\\d{2,3}?', '123', true],
    ['\\w+', 'é', false],
    ['\\p{L}+', 'Ünï', true],
    ['\\p{Alpha}\\P{Alpha}', 'a1', true],
    ['\\p{IsGreek}', 'α', true],
    ['\\Qa.b\\E+', 'a.bb', true],
    ['\\x41\\u0042\\0103\\t', 'ABC\t', true],
    ['[a\\-z\\]]+', 'a-]', true],
    ['^(a|b)*$', 'abab', true],
    ['(a$|b\\Z)', 'a', true],
    ['a$', 'a\n', false],
    ['', '', true],
    ['a|', '', true],
    ['.', '😀', true],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });
});

describe('features that the engine or Java lacks are rejected by name', () => {
  test.each([
    ['(?=a)b', 'lookaround (?=…) is not supported: patterns run in linear time'],
    ['(?!a)b', 'lookaround (?!…) is not supported: patterns run in linear time'],
    ['(?<=a)b', 'lookaround (?<=…) is not supported: patterns run in linear time'],
    ['(?<!a)b', 'lookaround (?<!…) is not supported: patterns run in linear time'],
    ['(a)\\1', 'backreferences are not supported: patterns run in linear time'],
    ['(?<n>a)\\k<n>', 'backreferences are not supported: patterns run in linear time'],
    ['(?>a)', 'atomic groups (?>…) are not supported: patterns run in linear time'],
    ['a++', 'the possessive ++ is not supported'],
    ['[a-z&&[^b]]', 'the intersection && of sets is not supported'],
    ['[a[b]]', 'a set inside a set is not supported; a "[" in it is written \\['],
    ['(?m)^a$', 'the flags (?m) are not supported, only i and s'],
    ['(?x)a b', 'the flags (?x) are not supported, only i and s'],
    ['a{1000}b{1000}', 'it is too large: its repetitions come to more than 1000 parts'],
    ['a{,3}', 'there is nothing to repeat before {'],
    ['*a', 'there is nothing to repeat before *'],
    ['a**', 'the repetition * cannot be repeated'],
    ['a{3,1}', 'the repetition {3,1} goes backwards'],
    ['(a', 'a ")" is missing'],
    ['a)', 'there is an extra ")"'],
    ['[a', 'a "]" is missing'],
    ['[]', 'a set [] is empty; a "]" in it is written \\]'],
    ['[z-a]', 'a range in a set goes from a character to a later one'],
    ['(?<n>a)(?<n>b)', 'two groups are named "n"'],
    ['a\\', 'the pattern ends with a backslash'],
    ['\\y', 'the escape \\y is not supported'],
    ['\\p{Foo}', 'it has a part that is not supported `\\p{Foo}`'],
    ['\\p{InGreek}', '\\p{InGreek} is not supported'],
    [
      '(a$|b)c',
      '$ is only supported at the end of a pattern for matches, since it also stands before a last line end; write \\z',
    ],
  ])('%s', (pattern, reason) => {
    const failure = { exception: 'PatternSyntaxException', reason: `the pattern cannot be used: ${reason}` };
    expect(() => compilePattern(pattern, 'whole')).toThrow(expect.objectContaining(failure));
    const quoted = JSON.stringify(pattern);
    expect(mistakesIn(`svcObject.getComments().matches(${quoted})`)).toEqual([
      `1:25 The pattern cannot be used: ${reason}.`,
    ]);
  });

  test('if the pattern is computed, the evaluation fails', () => {
    expect(outcomeOf('"a".matches("(?=" + svcObject.getComments() + ")")')).toEqual({
      kind: 'error',
      exception: 'PatternSyntaxException',
      message:
        'PatternSyntaxException: the pattern cannot be used: lookaround (?=…) is not supported: patterns run in ' +
        'linear time (line 1, column 5).',
    });
  });
});

test('a pattern that backtracks exponentially elsewhere is fast', () => {
  const row = { ...voyage, comments: `${'a'.repeat(2000)}!` };
  const started = performance.now();
  expect(
    answerOf(
      'svcObject.getComments().matches("(a+)+$") || svcObject.getComments().matches("(a|a)*b") || ' +
        'svcObject.getComments().matches("(.*)(.*)(.*)(.*)[^!]")',
      row,
    ),
  ).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});

test('a pattern keeps no state of matched texts, because hundreds of patterns stay in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapAfter = (work: () => void) => {
    work();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  // Each combination of the last 13 letters is a state of its own: an engine that kept them would take megabytes.
  const regex = compilePattern('(a|b)*a(a|b){12}', 'whole');
  const textOf = (n: number) =>
    Math.imul(n, 0x9e3779b1).toString(2).replace('-', '').replaceAll('0', 'a').replaceAll('1', 'b');
  const match = (from: number, to: number) => {
    for (let n = from; n < to; n++) regex.matches(textOf(n) + textOf(n + 7));
  };
  const before = heapAfter(() => match(0, 100));
  expect(heapAfter(() => match(100, 20_000)) - before).toBeLessThan(500_000);
});
