// Operators behave as in Java, except for `==` on references.

import { describe, expect, test } from 'vitest';
import { answerOf, failureOf, mistakesIn } from './expression-fixture.ts';

function holds(text: string): void {
  test(text, () => {
    expect(answerOf(`svcObject != null && (${text})`)).toBe(true);
  });
}

describe('arithmetic', () => {
  describe('of int wraps around at 32 bits, and division truncates', () => {
    holds('2147483647 + 1 == -2147483648');
    holds('-2147483648 - 1 == 2147483647');
    holds('65536 * 65536 == 0 && 123456789 * 987654321 == -67153019');
    holds('7 / 2 == 3 && -7 / 2 == -3 && 7 % -3 == 1 && -7 % 3 == -1');
    holds('Integer.MIN_VALUE / -1 == Integer.MIN_VALUE && Integer.MIN_VALUE % -1 == 0');
    holds('-Integer.MIN_VALUE == Integer.MIN_VALUE');
    holds('svcObject.getReferenceNo() / 2 == 8 && svcObject.getReferenceNo() / 2.0 == 8.5');
  });

  describe('of long wraps around at 64 bits and is otherwise exact', () => {
    holds('9223372036854775807L + 1 == -9223372036854775808L');
    holds('9007199254740992L + 1L == 9007199254740993L && 9007199254740993L != 9007199254740992L');
    holds('3037000500L * 3037000500L == -9223372036709301616L');
    holds('9007199254740993L * 3 / 3 == 9007199254740993L && 9007199254740993L % 10 == 3');
    holds('-9223372036854775808L / -1 == -9223372036854775808L');
    holds('2147483647 + 1L == 2147483648L');
    holds('9007199254740993L == 9007199254740992.0');
  });

  describe('of double and float is IEEE 754', () => {
    holds('0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f');
    holds('1.0 / 0 > Double.MAX_VALUE && 0.0 / 0 != 0.0 / 0');
    holds('5.5 % 2 == 1.5 && -5.5 % 2 == -1.5');
    holds('16777216f + 1f == 16777216f && 16777216 + 1f == 16777216.0');
  });

  describe('treats chars as numbers', () => {
    holds("'a' + 1 == 98 && (char) ('a' + 1) == 'b' && 'a' * 2 == 194");
    holds('\'a\' + "b" == "ab" && \'a\' + \'b\' + "c" == "195c"');
  });

  test('division and remainder by zero of int and long are an ArithmeticException', () => {
    for (const text of ['1 / (svcObject.getReferenceNo() - 17)', '1 % 0', '1L / 0', '1L % 0L'])
      expect(failureOf(`svcObject != null && ${text} == 1`)).toBe('ArithmeticException');
  });
});

describe('casts', () => {
  describe('truncate, wrap and saturate', () => {
    holds('(int) 3.99 == 3 && (int) -3.99 == -3 && (int) 1e20 == 2147483647 && (int) -1e20 == -2147483648');
    holds('(int) (0.0 / 0) == 0 && (long) 1e30 == 9223372036854775807L && (long) 1e15 == 1000000000000000L');
    holds("(int) 4294967297L == 1 && (int) 9223372036854775807L == -1 && (char) 65601 == 'A'");
    holds('(double) 1 / 2 == 0.5 && (float) 0.1 == 0.1f && (long) 5 == 5L');
  });
});

describe('text', () => {
  describe('is concatenated with values as Java renders them', () => {
    holds('"" + 1.0 == "1.0" && "" + 100.0 == "100.0" && "" + 1e7 == "1.0E7" && "" + 9999999.0 == "9999999.0"');
    holds(
      '"" + 0.001 == "0.001" && "" + 0.0001 == "1.0E-4" && "" + 1e10 == "1.0E10" && "" + 123456789.125 == ' +
        '"1.23456789125E8"',
    );
    holds('"" + 0.1f == "0.1" && "" + 1e10f == "1.0E10" && "" + 3.4028235E38f == "3.4028235E38"');
    holds(
      '"" + Double.MIN_VALUE == "4.9E-324" && "" + Double.MAX_VALUE == "1.7976931348623157E308" && "" + 2e23 == ' +
        '"2.0E23"',
    );
    holds('"" + (0.0 / 0) + -1 / 0.0 == "NaN-Infinity" && "" + -0.0 == "-0.0"');
    holds('"" + null + true + \'x\' + 5L + 1 == "nulltruex51"');
    holds('"" + svcObject.getDaysTotal() + svcObject.getDaysWaiting() == "12.5null"');
    holds('"" + new BigDecimal("1.50") == "1.50" && "" + new BigDecimal("1E+3") == "1E+3"');
  });
});

describe('"==" on references compares by value', () => {
  holds('svcObject.getComments() == "Berth at " + "noon"');
  holds('Integer.valueOf(1000) == Integer.valueOf(1000) && Long.valueOf(1000) == Long.valueOf(1000)');
  holds('svcObject.getCreatedDate() == new Date(svcObject.getCreatedDate().getTime())');
  holds('svcObject.getFreight() != oldSvcObject.getDaysTotal()');
  holds('svcObject.getDaysWaiting() == oldSvcObject.getDaysWaiting()');
  holds('svcObject.getPortCalls().get(0).getPort() == svcObject.getPortCalls().get(0).getPort()');
  holds('svcObject == oldSvcObject && svcObject.equals(oldSvcObject)');
  holds('svcObject.getVessel() != oldSvcObject.getVessel() && oldSvcObject.getVessel() != svcObject.getVessel()');
  holds(
    'new BigDecimal("1.0") != new BigDecimal("1.00") && new BigDecimal("1.0").compareTo(new BigDecimal("1.00")) == 0',
  );
  holds('Double.valueOf(0.0) != Double.valueOf(-0.0) && 0.0 == -0.0');

  test('a box compared with a primitive is unboxed, and null fails', () => {
    expect(answerOf('svcObject.getReferenceNo() == 17 && svcObject.getReferenceNo() == 17.0')).toBe(true);
    expect(failureOf('svcObject.getDaysWaiting() == 0')).toBe('NullPointerException');
  });
});

describe('equals behaves as in Java: values of different classes are never equal', () => {
  holds('!svcObject.getKey().equals(1042) && svcObject.getKey().equals(1042L)');
  holds('!svcObject.getDaysLoading().equals(3) && svcObject.getDaysLoading().equals(3.0)');
  holds('!svcObject.getComments().equals(null) && !"a".equals(\'a\') && !Objects.equals(1, 1L)');
});

describe('conditions are evaluated only until the result is known', () => {
  holds('true || 1 / 0 == 1');
  holds('!(false && 1 / 0 == 1)');
  holds('oldSvcObject.getVessel() == null || oldSvcObject.getVessel().getFlag() == null');
  holds('true ? true : 1 / 0 == 1');
});

describe('"&", "^" and "|" on booleans', () => {
  describe('have the precedence of Java: "|" below "^" below "&", above "&&" and below "=="', () => {
    holds('true | false & false');
    holds('true | true ^ true');
    holds('!(true ^ true & true)');
    holds('true || true & false');
    holds('!(true | true && false)');
    holds('1 == 1 & 2 > 1 ^ !true');
    holds('svcObject.isTc() & Boolean.TRUE | false');
  });

  test('evaluate both sides, whatever the first one is', () => {
    expect(failureOf('svcObject == null & 1 / 0 == 1')).toBe('ArithmeticException');
    expect(failureOf('svcObject != null | 1 / 0 == 1')).toBe('ArithmeticException');
    expect(failureOf('svcObject == null && 1 / 0 == 1')).toBe('false');
  });

  test('unbox a Boolean, and null fails', () => {
    for (const operator of ['&', '^', '|']) {
      expect(failureOf(`oldSvcObject.isTc() ${operator} true`)).toBe('NullPointerException');
      expect(failureOf(`true ${operator} oldSvcObject.isTc()`)).toBe('NullPointerException');
    }
  });

  test.each([
    ['svcObject.getReferenceNo() & 1', '"&" takes two booleans, but got an Integer and an int. Bit operations are'],
    ['svcObject.isTc() | svcObject.getComments()', '"|" takes two booleans, but got a Boolean and a String.'],
    ['svcObject.isTc() ^ null', '"^" takes two booleans, but got a Boolean and null.'],
    ['isTc ^ isTc', '"^" cannot be used in a short form.'],
  ])('take nothing else: %s', (text, message) => {
    expect(mistakesIn(text)).toEqual([expect.stringContaining(message)]);
  });
});

describe('"?:" has the type that Java gives it', () => {
  holds('(svcObject.isTc() ? 1 : 2.0) + "" == "1.0"');
  holds('(svcObject.isTc() ? null : 1) == null');
  holds("(svcObject.isTc() ? 'a' : 'b') == 97 && (svcObject.isTc() ? 'a' : 2L) == 97L");

  test('two boxes of different types are unboxed, and null fails', () => {
    expect(failureOf('(svcObject.isTc() ? svcObject.getDaysWaiting() : svcObject.getReferenceNo()) > 0')).toBe(
      'NullPointerException',
    );
  });
});

describe('instanceof is false for null', () => {
  holds('svcObject.getVessel() instanceof Vessel && !(oldSvcObject.getVessel() instanceof Vessel)');
  holds(
    'svcObject.getDaysTotal() instanceof Double && svcObject.getDaysTotal() instanceof Number && "a" instanceof Object',
  );
  holds('!(svcObject.getDaysWaiting() instanceof Double)');
});
