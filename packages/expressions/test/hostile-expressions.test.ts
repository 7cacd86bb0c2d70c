// Hostile expressions, with their ids in the list of attacks. Each is rejected when it is saved, or fails when it runs.
// None reaches anything but the objects that it is evaluated over.

import { describe, expect, test } from 'vitest';
import { compileExpression } from '../src/compile-expression.ts';
import { processorMs } from './differential/examine.ts';
import {
  answerOf,
  compiled,
  failureOf,
  mistakesIn,
  outcomeOf,
  type Row,
  typeOf,
  voyage,
} from './expression-fixture.ts';

describe('EXP-01, EXP-02: controls work', () => {
  const range = 'svcObject.getDaysTotal() != null && svcObject.getDaysTotal() > 10 && svcObject.getDaysTotal() < 20';
  const appeared = 'oldSvcObject.getVessel() == null && svcObject.getVessel() != null';

  test('a number that is not null and in a range', () => {
    expect(answerOf(range)).toBe(true);
    expect(answerOf(range, { ...voyage, daysTotal: null })).toBe(false);
    expect(answerOf(range, { ...voyage, daysTotal: 20 })).toBe(false);
  });

  test('a change from null to a value, on update and create', () => {
    expect(answerOf(appeared)).toBe(true);
    expect(answerOf(appeared, voyage, voyage)).toBe(false);
    expect(answerOf(appeared, voyage, null)).toBe(true);
  });
});

describe('rejected when saved', () => {
  test.each([
    ['EXP-04', 'svcObject.getClass()'],
    ['EXP-04', 'svcObject.getClass() != null'],
    ['EXP-05', 'svcObject.getClass().forName("java.lang.Runtime").getMethod("exec", null) != null'],
    ['EXP-05', '"".getClass().forName("java.lang.Runtime") != null'],
    ['EXP-07', 'T(java.lang.Runtime).getRuntime().exec("id")'],
    ['EXP-08', '@java.lang.Runtime@getRuntime().exec("id")'],
    ['EXP-08', "#_memberAccess['allowStaticMethodAccess']=true"],
    ['EXP-10', 'Runtime.getRuntime().exec("id")'],
    ['EXP-10', 'java.lang.Runtime.getRuntime().exec("id") != null'],
    ['EXP-10', 'System.exit(1)'],
    ['EXP-10', 'System.getenv("DB_PASSWORD") != null'],
    ['EXP-10', 'Thread.sleep(60000)'],
    ['EXP-10', 'new ProcessBuilder("id").start() != null'],
    ['EXP-10', 'new java.io.File("/etc/passwd").exists()'],
    ['EXP-10', 'Class.forName("java.lang.Runtime") != null'],
    ['EXP-11', 'svcObject.constructor'],
    ['EXP-11', 'svcObject.constructor.constructor("return process")()'],
    ['EXP-11', 'svcObject["constructor"] != null'],
    ['EXP-11', 'process.exit(1)'],
    ['EXP-11', 'globalThis != null && svcObject != null'],
    ['EXP-13', 'svcObject.getConstructor() != null'],
    ['EXP-13', 'svcObject.get__proto__() != null'],
    ['EXP-13', 'svcObject.getToString() != null'],
    ['EXP-13', 'svcObject.getHasOwnProperty() != null'],
    ['EXP-13', 'svcObject.getValueOf() != null'],
    ['EXP-13', 'svcObject.getGet() != null'],
    ['EXP-13', 'svcObject.__proto__ != null'],
    ['EXP-13', 'svcObject.toString() != null'],
    ['EXP-13', 'svcObject.valueOf() != null'],
    ['EXP-13', 'toString() != null'],
    ['EXP-13', 'constructor = 1'],
    ['EXP-13', '__proto__.polluted = 1'],
    ['EXP-13', 'vessel.__proto__ = null'],
    ['EXP-13', 'Math.constructor("x") != svcObject'],
    ['EXP-13', 'Math.__proto__ != svcObject'],
    ['EXP-13', '"a".__defineGetter__("b", null) != svcObject'],
    ['EXP-14', 'svcObject.getComments().toString.constructor("return 1")()'],
    ['EXP-14', '"a".replace.constructor'],
    ['EXP-16', 'svcObject.setComments("x")'],
    ['EXP-16', 'x=1'],
    ['EXP-16', 'svcObject.daysTotal++'],
    ['EXP-16', 'svcObject.getDaysTotal() += 1'],
    ['EXP-17', 'svcObject != null; System.exit(1)'],
    ['EXP-17', '{}'],
    ['EXP-17', 'while(true){}'],
    ['EXP-17', 'for(;;);'],
    ['EXP-17', 'p -> true'],
    ['EXP-17', 'svcObject.getPortCalls().stream().anyMatch(PortCall::isArrivalFixed)'],
    ['EXP-17', 'svcObject != null /* open'],
    ['EXP-20', 'String.format("%1000000000d", 1).isEmpty() || svcObject.isTc()'],
    ['EXP-22', 'svcObject.getDaysTotal() == 1e999'],
    ['EXP-22', 'svcObject.getKey() == 9007199254740993'],
    ['EXP-23', `svcObject${'.getVessel()'.repeat(600)} == null`],
    ['EXP-23', `svcObject${'.getPortCalls().get(0).getVoyage()'.repeat(4)}.isTc()`],
    ['EXP-25', '"x"'],
    ['EXP-25', '1'],
    ['EXP-25', 'null'],
    ['EXP-25', 'svcObject'],
    ['EXP-25', 'svcObject.getComments()'],
  ])('%s %.60s', (_, text) => {
    const mistakes = mistakesIn(text);
    expect(mistakes.length).toBeGreaterThan(0);
    for (const mistake of mistakes) expect(mistake).toMatch(/^\d+:\d+ \S.*[.?]$/);
  });
});

test('EXP-17: a comment has no effect', () => {
  expect(answerOf('svcObject.isTc() // && false')).toBe(true);
  expect(answerOf('svcObject.isTc() /* && false */')).toBe(true);
});

test('EXP-19: a pattern that backtracks exponentially elsewhere is fast', () => {
  const row = { ...voyage, comments: `${'a'.repeat(40)}!` };
  const { evaluate } = compiled('svcObject.getComments().matches("(a+)+$")');
  const objects = { svcObject: { key: 1, get: () => row.comments }, oldSvcObject: null };
  evaluate(objects);
  expect(evaluate(objects)).toEqual({ kind: 'value', value: false });
  const times = Array.from({ length: 10 }, () => processorMs(() => evaluate(objects)));
  expect(Math.min(...times)).toBeLessThan(5);
});

test('EXP-20: the length of texts is limited', () => {
  expect(failureOf('"x".repeat(2147483647).isEmpty() || svcObject.isTc()')).toBe('LimitExceeded');
  let doubled = '"xxxxxxxx"';
  for (let times = 0; times < 8; times++) doubled = `(${doubled}).concat(${doubled})`;
  expect(answerOf(`svcObject != null && ${doubled}.length() == 2048`)).toBe(true);
  let sum = 'svcObject.getComments()';
  for (let times = 0; times < 40; times++) sum = `(${sum} + ${sum.length < 3000 ? sum : '"x"'})`;
  expect(failureOf(`${sum}.isEmpty()`, { ...voyage, comments: 'x'.repeat(1000) })).toBe('LimitExceeded');
  const often = `"x".repeat(60000)${'.replace("x", "xx")'.repeat(40)}`;
  expect(failureOf(`svcObject != null && ${often}.isEmpty()`)).toBe('LimitExceeded');
});

describe('EXP-22: numbers at their limits are computed as in Java', () => {
  test.each([
    'Integer.MIN_VALUE / -1 == Integer.MIN_VALUE',
    '0.1 + 0.2 != 0.3',
    '9007199254740993L != 9007199254740992L',
    'new BigDecimal("9007199254740993").compareTo(new BigDecimal("9007199254740992")) > 0',
    '1 / 0.0 > 0 && 1 % 0.5 == 0',
  ])('%s', (text) => {
    expect(answerOf(`svcObject != null && ${text}`)).toBe(true);
  });

  test('division by zero fails', () => {
    expect([failureOf('svcObject != null && 1 / 0 == 1'), failureOf('svcObject != null && 1 % 0 == 1')]).toEqual([
      'ArithmeticException',
      'ArithmeticException',
    ]);
  });
});

test('EXP-23: reading from an element that does not exist is an error', () => {
  expect(failureOf('svcObject.getPortCalls().get(999999).getEta() == null')).toBe('IndexOutOfBoundsException');
});

test('EXP-26: an expression that fails for one object works for the next', () => {
  const { evaluate } = compiled('10 / svcObject.getReferenceNo() == 5');
  const over = (referenceNo: number) => evaluate({ svcObject: { key: 1, get: () => referenceNo }, oldSvcObject: null });
  expect([over(0).kind, over(2)]).toEqual(['error', { kind: 'value', value: true }]);
});

test('properties that JavaScript objects inherit are not attributes', () => {
  const row = JSON.parse('{"key":1,"__proto__":{"comments":"inherited"},"constructor":"x"}') as Row;
  expect(outcomeOf('svcObject.getComments() == null', row, null)).toEqual({ kind: 'value', value: true });
  const before = Object.keys(Object.prototype).length;
  for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'])
    expect(compileExpression(`${name}.x = "y" && svcObject.${name}() == null`, typeOf('Voyage')).kind).toBe('mistakes');
  expect(Object.keys(Object.prototype)).toHaveLength(before);
});
