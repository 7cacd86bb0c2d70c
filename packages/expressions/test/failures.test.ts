// A failed evaluation returns a value with the name of the Java exception and the place in the text, and takes little
// time.

import { describe, expect, test } from 'vitest';
import { compileExpression } from '../src/compile-expression.ts';
import type { ObjectReader } from '../src/input/object-shape.ts';
import { processorMs } from './differential/examine.ts';
import { compiled, outcomeOf, type Row, readerOf, typeOf, voyage } from './expression-fixture.ts';

describe('the message says what failed and where', () => {
  test.each([
    [
      'oldSvcObject.getVessel().getVesselName() == "x"',
      'NullPointerException: vessel is null, so "vesselName" cannot be read (line 1, column 26).',
    ],
    [
      'svcObject.getDaysWaiting() > 1',
      'NullPointerException: daysWaiting is null, where a double is needed (line 1, column 11).',
    ],
    [
      'svcObject.isTc()\n&& oldSvcObject.isTc()',
      'NullPointerException: isTc is null, where a boolean is needed (line 2, column 17).',
    ],
    [
      'svcObject.getDaysWaiting() + 1 > 1',
      'NullPointerException: daysWaiting is null, where a double is needed (line 1, column 11).',
    ],
    [
      'svcObject.getExternalObjectKey().equals("x")',
      'NullPointerException: externalObjectKey is null, so equals() cannot be called on it (line 1, column 34).',
    ],
    [
      '"a".contains(svcObject.getExternalObjectKey())',
      'NullPointerException: contains() does not accept null (line 1, column 5).',
    ],
    ['svcObject.getReferenceNo() / 0 == 1', 'ArithmeticException: division by zero (line 1, column 28).'],
    [
      'svcObject.getPortCalls().get(9) == null',
      'IndexOutOfBoundsException: index 9 is out of bounds for length 2 (line 1, column 26).',
    ],
    [
      'Integer.parseInt(svcObject.getVoyageStatus()) == 1',
      'NumberFormatException: "NOM" is not a number (line 1, column 9).',
    ],
  ])('%s', (text, message) => {
    expect(outcomeOf(text)).toEqual({ kind: 'error', exception: message.split(':')[0], message });
  });

  test('on create, when there is no old object', () => {
    expect(outcomeOf('oldSvcObject.getDaysTotal() > 5', voyage, null)).toEqual({
      kind: 'error',
      exception: 'NullPointerException',
      message: 'NullPointerException: daysTotal is null, where a double is needed (line 1, column 14).',
    });
  });

  test('an expression may fail for one object and not for another', () => {
    const { evaluate } = compiled('svcObject.getDaysTotal() > 5');
    const over = (daysTotal: number | null) =>
      evaluate({ svcObject: readerOf({ key: 1, daysTotal }), oldSvcObject: null }).kind;
    expect([over(7), over(null), over(1)]).toEqual(['value', 'error', 'value']);
  });
});

describe('an evaluation has limits', () => {
  const many: Row = {
    ...voyage,
    comments: 'a'.repeat(60_000),
    portCalls: Array.from({ length: 1000 }, (_, key) => ({ key, portCallSequence: key, speed: key })),
  };

  test.each([
    'svcObject.getPortCalls().stream().anyMatch(p -> svcObject.getPortCalls().stream().anyMatch(q -> ' +
      'q.getSpeed() < 0))',
    'svcObject.getPortCalls().stream().flatMap(p -> svcObject.getPortCalls().stream()).count() < 0',
    'svcObject.getPortCalls().stream().anyMatch(p -> svcObject.getComments().toUpperCase().isEmpty())',
    'svcObject.getPortCalls().stream().anyMatch(p -> svcObject.getComments().compareToIgnoreCase("A" + ' +
      'svcObject.getComments().substring(1)) > 0)',
    'svcObject.getPortCalls().stream().anyMatch(p -> svcObject.getComments().indexOf("aaab") > 0)',
    'svcObject.getPortCalls().stream().anyMatch(p -> svcObject.getComments().matches("(a|b|ab)*c"))',
    'svcObject.getPortCalls().stream().anyMatch(p -> "x".matches("y" + p.getSpeed() + "(a{1,20}){1,20}"))',
    'svcObject.getComments().replaceAll("(a.*b)?a", "").isEmpty()',
    'svcObject.getComments().lastIndexOf(svcObject.getComments().substring(30000) + "b") > 0',
    'svcObject.getComments().indexOf("a".repeat(15000) + "b" + "a".repeat(15000)) > 0',
    'svcObject.getComments().contains("a".repeat(30000) + "b" + "a".repeat(250))',
    'svcObject.getComments().replace("a".repeat(30000) + "b", "").isEmpty()',
    'svcObject.getComments().split("a".repeat(30000) + "b").length > 1',
    'svcObject.getComments().matches("(a{1,20}){1,20}")',
    'svcObject.getPortCalls().stream().map(p -> svcObject.getComments()).sorted().findFirst().get().isEmpty()',
    "svcObject.getPortCalls().stream().anyMatch(p -> svcObject.getComments().replace('a', 'b').isEmpty())",
    'svcObject.getPortCalls().stream().limit(100).anyMatch(' +
      `p -> BigDecimal.ONE.divide(new BigDecimal("${2n ** 1190n}")).signum() < 0)`,
    'svcObject.getComments().replaceAll("a", "bb").isEmpty()',
    'svcObject.getComments().replace("a", "bb").isEmpty()',
    `svcObject.getComments().substring(30000)${'.replace("a", "b").replace("b", "a")'.repeat(6)}.isEmpty()`,
    `svcObject.getComments().substring(30000)${'.replace("", "")'.repeat(6)}.isEmpty()`,
    '(svcObject.getComments() + svcObject.getComments()).isEmpty()',
    '"x".repeat(2147483647).isEmpty() || svcObject.isTc()',
    'svcObject != null && new BigDecimal("1E999999999").add(BigDecimal.ONE).signum() > 0',
    'svcObject != null && BigDecimal.ONE.setScale(-2000000000, RoundingMode.UP).signum() > 0',
    'svcObject.getPortCalls().stream().anyMatch(p -> new BigDecimal("1E-1199").divide(new BigDecimal("7"), 1199, ' +
      'RoundingMode.UP).signum() < 0)',
  ])('%s', (text) => {
    const result = compileExpression(text, typeOf('Voyage'));
    if (result.kind === 'mistakes') return expect(result.mistakes[0]!.message).toContain('BigDecimal');
    const objects = { svcObject: cachedReader(many), oldSvcObject: null };
    result.evaluate(objects);
    expect(result.evaluate(objects)).toMatchObject({ kind: 'error', exception: 'LimitExceeded' });
    // On an idle machine it takes less than half of this; tests share theirs.
    const times = [1, 2, 3].map(() => processorMs(() => result.evaluate(objects)));
    expect(Math.min(...times)).toBeLessThan(250);
  });

  test('also for very long texts in an object', () => {
    const huge = { ...voyage, comments: 'a'.repeat(3_000_000) };
    const { evaluate } = compiled('svcObject.getComments().matches("(a{1,20}){1,20}c")');
    expect(evaluate({ svcObject: readerOf(huge), oldSvcObject: null })).toMatchObject({ exception: 'LimitExceeded' });
  });

  test('ordinary work on a long text stays far below the limits', () => {
    const long = { ...voyage, comments: 'two words, '.repeat(1500) };
    for (const text of [
      'svcObject.getComments().replaceAll("\\\\s+", "_").contains("_words")',
      'svcObject.getComments().replaceAll("[aeiou]", "").length() == 13500',
      'svcObject.getComments().split(", ").length == 1500',
      'svcObject.getComments().matches(".*words.*") && svcObject.getComments().contains("words, two words")',
      'svcObject.getComments().toUpperCase().indexOf("NOTHING") < 0 && ' +
        'svcObject.getComments().lastIndexOf("two") == 16489',
    ])
      expect([text, outcomeOf(text, long)]).toEqual([text, { kind: 'value', value: true }]);
  });

  /** Creates the elements once, as an application would. */
  function cachedReader(row: Row): ObjectReader {
    const reader = readerOf(row);
    const portCalls = reader.get('portCalls');
    return { key: reader.key, get: (name) => (name === 'portCalls' ? portCalls : reader.get(name)) };
  }
});

test('an error while an object is read is returned as a failed evaluation, not thrown', () => {
  const { evaluate } = compiled('svcObject.getComments() != null');
  const broken: ObjectReader = {
    key: 1,
    get() {
      throw new Error('the row is gone');
    },
  };
  expect(evaluate({ svcObject: broken, oldSvcObject: null })).toEqual({
    kind: 'error',
    exception: 'InternalError',
    message: 'InternalError: the row is gone',
  });
});

test('values may have their JSON or their database form', () => {
  const objects = (row: Row) => ({ svcObject: readerOf(row), oldSvcObject: null });
  const { evaluate } = compiled(
    'svcObject.getDaysTotal() == 12.5 && svcObject.getReferenceNo() == 7 && svcObject.getCreatedById() == 9 && ' +
      'svcObject.getCreatedDate().getTime() == 1767225600000L && svcObject.getComments() == null && ' +
      'svcObject.getPortCalls().isEmpty()',
  );
  const asNumbers = { key: 1, daysTotal: 12.5, referenceNo: 7, createdById: 9, createdDate: Date.UTC(2026, 0, 1) };
  const asTexts = {
    key: 1,
    daysTotal: '12.50000000',
    referenceNo: '7',
    createdById: '9',
    createdDate: '2026-01-01T00:00:00',
    comments: null,
  };
  const withZone = { ...asNumbers, createdDate: '2026-01-01T01:00:00+01:00' };
  const withFraction = { ...asNumbers, createdDate: '2026-01-01T00:00:00.000' };
  for (const row of [asNumbers, asTexts, withZone, withFraction])
    expect(evaluate(objects(row))).toEqual({ kind: 'value', value: true });
});

test('an evaluation does not affect the next one', () => {
  const failing = compiled(
    'svcObject.getPortCalls().stream().anyMatch(p -> p.getEventLogs().stream().anyMatch(e -> 1 / 0 == 1))',
  );
  const nested = compiled(
    'svcObject.getPortCalls().stream().anyMatch(p -> p.getEventLogs().stream().anyMatch(e -> p.getSpeed() > 1))',
  );
  const objects = { svcObject: readerOf(voyage), oldSvcObject: null };
  const failure = failing.evaluate(objects);
  expect(failure).toMatchObject({ exception: 'ArithmeticException' });
  expect(nested.evaluate(objects)).toEqual({ kind: 'value', value: true });
  expect(failing.evaluate(objects)).toEqual(failure);
  expect(compiled('oldSvcObject == null').evaluate(objects)).toEqual({ kind: 'value', value: true });
});
