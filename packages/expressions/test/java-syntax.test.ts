// Precedence, and the parts of Java that are rejected.

import { describe, expect, test } from 'vitest';
import { compileExpression } from '../src/compile-expression.ts';
import { examine } from './differential/examine.ts';
import { answerOf, compiled, mistakesIn, pathsOf, typeOf } from './expression-fixture.ts';

describe('operators bind as in Java', () => {
  test.each([
    '1 + 2 * 3 == 7',
    '(1 + 2) * 3 == 9',
    '10 - 4 - 3 == 3',
    '100 / 10 / 5 == 2',
    '7 % 4 * 2 == 6',
    'true || false && false',
    '!(true && false) || false',
    '1 < 2 == true',
    '-2 - -3 == 1',
    '- -2 == 2',
    '!false == true',
    'true ? true : false ? false : false',
    '(false ? 1 : true ? 2 : 3) == 2',
    '"a" + 1 + 2 == "a12"',
    '1 + 2 + "a" == "3a"',
    '(int) 3.9 + 1 == 4',
    '(int) (3.9 + 1.2) == 5',
    '-(int) 2.5 == -2',
    '(svcObject).isTc()',
    'svcObject instanceof Voyage == true',
  ])('%s', (text) => {
    expect(answerOf(`svcObject != null && (${text})`)).toBe(true);
  });
});

describe('unsupported Java is rejected, with the alternative', () => {
  test.each([
    ['svcObject.getX() = 5', '1:18 A filter changes nothing, so there are no assignments. Compare with "==".'],
    ['svcObject += 1', '1:11 A filter changes nothing, so there are no assignments. Compare with "==".'],
    ['svcObject++', '1:10 A filter changes nothing, so there is no "++".'],
    ['1 << 2 == svcObject', '1:3 Bit operations are not supported.'],
    ['~1 == svcObject', '1:1 Bit operations are not supported.'],
    ['svcObject <> null', '1:11 "<>" is not Java: write "!=".'],
    ['svcObject.isTc() AND true', '1:18 "AND" is not Java: write "&&".'],
    ['NOT svcObject.isTc()', '1:1 "NOT" is not Java: write "!".'],
    ['svcObject.isTc();', '1:17 An expression has no ";": it is not a statement.'],
    ['{ return svcObject; }', '1:1 Blocks and arrays in braces are not supported: an expression is one value.'],
    ['while(true){} svcObject', '1:1 "while" cannot be used in an expression.'],
    ['this == svcObject', '1:1 "this" cannot be used in an expression.'],
    [
      'svcObject.getPortCalls().stream().map(PortCall::getEta)',
      '1:47 Method references are not supported: write a lambda, such as line -> line.getUnitPrice().',
    ],
    ['x -> svcObject', '1:3 A lambda can only be passed to a method, such as anyMatch; it has one parameter.'],
    [
      'svcObject.getPortCalls().stream().anyMatch(p -> { return true; })',
      '1:49 A lambda must have an expression after "->", not a block.',
    ],
    ['svcObject.isTc() &&', '1:20 Expected a value, but the expression ends here.'],
    ['svcObject.isTc() && )', '1:21 Expected a value, but found ")".'],
    ['(svcObject.isTc()', '1:18 Expected ")", but the expression ends here.'],
    ['svcObject.', '1:11 Expected the name of a method, but the expression ends here.'],
    ['svcObject.getX(1', '1:17 Expected "," or ")", but the expression ends here.'],
    ['svcObject isTc', '1:11 Expected an operator or the end, but found "isTc".'],
    ['svcObject "x"', '1:11 Expected an operator or the end, but found a text in quotes.'],
    ['svcObject == null ? true', '1:25 Expected ":", but the expression ends here.'],
    ['', '1:1 The expression is empty.'],
    ['  /* nothing */ ', '1:17 The expression is empty.'],
  ])('%s', (text, message) => {
    expect(mistakesIn(text)).toEqual([message]);
  });
});

describe('an expression has limits', () => {
  test.each([
    ['nesting', `svcObject != ${'('.repeat(101)}null${')'.repeat(101)}`, 'nested more than 100 levels'],
    ['a long sum', `svcObject != null && 1${'+1'.repeat(101)} > 0`, 'nested more than 100 levels'],
    ['many parts', `svcObject != null ${'|| 1 < 2 '.repeat(700)}`, 'more than 2000 parts'],
    ['bytes', `svcObject != null /* ${'é'.repeat(4096)} */`, 'longer than 8192 bytes'],
  ])('in %s', (_, text, message) => {
    expect(mistakesIn(text)).toHaveLength(1);
    expect(mistakesIn(text)[0]).toContain(message);
  });

  test.each([
    ['digits', `${'1'.repeat(4000)}.${'_1'.repeat(2000)}e`],
    ['parentheses', '('.repeat(8000)],
    ['signs', `svcObject != null && ${'! '.repeat(4000)}`],
    ['casts', `svcObject != null && ${'(int)'.repeat(1600)}1 > 0`],
    ['choices', `svcObject != null ${'? true : svcObject == null '.repeat(300)}`],
    ['arguments', `svcObject.getComments().equals(${'1,'.repeat(1900)}1)`],
    ['mistakes', `${'svcObject.getFoo() == 1 && '.repeat(290)}true`],
    ['comments', '/*'.repeat(4000)],
    ['patterns', `${'svcObject.getComments().matches("\\\\p{L}+(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)") && '.repeat(90)}true`],
  ])('eight kilobytes of %s are checked quickly, with few mistakes', (_, text) => {
    expect(examine(text, 100)).toBeUndefined();
    const result = compileExpression(text, typeOf('Voyage'));
    for (const { message } of result.kind === 'mistakes' ? result.mistakes : [])
      expect(message.length).toBeLessThan(300);
  });

  test('a long chain of conditions is accepted', () => {
    const text = Array.from({ length: 150 }, (_, index) => `svcObject.getReferenceNo() == ${index}`).join(' || ');
    expect(answerOf(text)).toBe(true);
    expect(pathsOf(compiled(text))).toEqual(['new:referenceNo']);
  });
});
