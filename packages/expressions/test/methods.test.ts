// Examples for the methods of each type. `differential.long.test.ts` compares thousands of expressions with Java.

import { describe, expect, test } from 'vitest';
import { answerOf, failureOf, mistakesIn } from './expression-fixture.ts';

function hold(...texts: string[]): void {
  test.each(texts)('%s', (text) => {
    expect(answerOf(`svcObject != null && (${text})`)).toBe(true);
  });
}

describe('String', () => {
  hold(
    '"abc".length() == 3 && "".isEmpty() && " \\t".isBlank() && "abc".charAt(1) == \'b\'',
    '"abc".startsWith("ab") && "abc".startsWith("b", 1) && "abc".endsWith("bc") && "abc".contains("b")',
    '"NOM".equalsIgnoreCase("nom") && !"a".equalsIgnoreCase(null) && !"straße".equalsIgnoreCase("STRASSE")',
    '"b".compareTo("a") == 1 && "abc".compareTo("ab") == 1 && "a".compareToIgnoreCase("B") == -1',
    '"hello".indexOf("l") == 2 && "hello".indexOf(\'l\') == 2 && "hello".indexOf("l", 3) == 3 && ' +
      '"hello".lastIndexOf("l") == 3',
    '"hello".substring(1, 3) == "el" && "hello".substring(3) == "lo"',
    '"  x ".trim() == "x" && "\\u2003x\\u2003".strip() == "x" && " x ".stripLeading() == "x " && " x ' +
      '".stripTrailing() == " x"',
    '"straße".toUpperCase() == "STRASSE" && "ÄB".toLowerCase() == "äb"',
    '"ab".concat("c") == "abc" && "ab".repeat(2) == "abab" && "aXa".replace(\'a\', \'b\') == "bXb" && ' +
      '"aa".replace("a", "$1") == "$1$1"',
    '"ab".replace("", "-") == "-a-b-"',
    '"a1b22".replaceAll("[0-9]+", "<$0>") == "a<1>b<22>" && "aa".replaceFirst("a", "b") == "ba"',
    '"John Smith".replaceAll("(\\\\w+) (?<last>\\\\w+)", "$" + "{last}, $1") == "Smith, John"',
    '"a,b,,c,,".split(",").length == 4 && "a,b,c".split(",", 2)[1] == "b,c" && "a1b".split("\\\\d")[1] == "b"',
    'Arrays.asList("NOM,EST".split(",")).contains("EST")',
    'List.of("NOM,EST".split(",")).contains("EST") && Stream.of("NOM,EST".split(",")).anyMatch(s -> s == "EST")',
    '"hello".hashCode() == 99162322',
    'String.valueOf(1.0) == "1.0" && String.valueOf(svcObject.getDaysWaiting()) == "null" && String.join("-", ' +
      '"a", "b") == "a-b"',
  );

  test.each([
    ['"abc".charAt(3) == 0', 'StringIndexOutOfBoundsException'],
    ['"abc".substring(2, 1) == null', 'StringIndexOutOfBoundsException'],
    ['"abc".repeat(-1) == null', 'IllegalArgumentException'],
    ['"abc".contains(oldSvcObject.getExternalObjectKey())', 'NullPointerException'],
    ['"a".replaceAll("a", "$2") == ""', 'IndexOutOfBoundsException'],
    ['"a".replaceAll("a", "$x") == ""', 'IllegalArgumentException'],
    ['"a,b".split(",")[2] == ""', 'ArrayIndexOutOfBoundsException'],
  ])('%s fails with %s', (text, exception) => {
    expect(failureOf(`svcObject != null && ${text}`)).toBe(exception);
  });
});

describe('numbers', () => {
  hold(
    'svcObject.getDaysTotal().intValue() == 12 && svcObject.getReferenceNo().doubleValue() == 17.0 && ' +
      'svcObject.getKey().longValue() == 1042L',
    'svcObject.getDaysTotal().compareTo(13.0) == -1 && svcObject.getReferenceNo().compareTo(17) == 0',
    '!svcObject.getDaysTotal().isNaN() && Double.isNaN(0.0 / 0) && Double.isInfinite(1 / 0.0)',
    'Integer.parseInt("-12") == -12 && Integer.valueOf("7") == 7 && Long.parseLong("5000000000") == 5000000000L',
    'Double.parseDouble(" 1.5e1 ") == 15.0 && Double.valueOf("2d") == 2.0',
    'Integer.MAX_VALUE == 2147483647 && Long.MIN_VALUE < 0 && Double.MAX_VALUE > 1e308',
    'Integer.compare(1, 2) < 0 && Double.compare(0.0, -0.0) > 0 && Integer.max(1, 2) == 2',
    'svcObject.getReferenceNo().toString() == "17" && Integer.toString(5) == "5" && ' +
      'svcObject.getDaysTotal().toString() == "12.5"',
    'Boolean.TRUE && Boolean.parseBoolean("TRUE") && !Boolean.valueOf("yes") && svcObject.isTc().booleanValue()',
    "Character.isDigit('7') && Character.isLetter('é') && Character.toUpperCase('a') == 'A' && " +
      "Character.isWhitespace(' ')",
  );

  test.each(['""', '"1.5"', '"2147483648"', '" 1"', '"1_000"', 'oldSvcObject.getExternalObjectKey()'])(
    'Integer.parseInt(%s) fails with a NumberFormatException',
    (text) => {
      expect(failureOf(`svcObject != null && Integer.parseInt(${text}) > 0`)).toBe('NumberFormatException');
    },
  );
});

describe('Math', () => {
  hold(
    'Math.abs(-5) == 5 && Math.abs(-5.5) == 5.5 && Math.abs(Integer.MIN_VALUE) == Integer.MIN_VALUE',
    'Math.max(1, 2L) == 2L && Math.min(1.5, 2) == 1.5 && Math.max(svcObject.getDaysTotal(), 20) == 20.0',
    'Math.round(2.5) == 3L && Math.round(-2.5) == -2L && Math.round(0.49999999999999994) == 0L && ' +
      'Math.round(2.5f) == 3',
    'Math.floor(-1.5) == -2.0 && Math.ceil(1.2) == 2.0 && Math.rint(2.5) == 2.0 && Math.sqrt(2.25) == 1.5 && ' +
      'Math.pow(2, 10) == 1024.0',
    'Math.floorMod(5L, 3) * 2147483647 < 0 && Math.floorMod(5L, 3L) * 2147483647 > 0',
    'Math.floorDiv(-7, 2) == -4 && Math.floorMod(-7, 2) == 1 && Math.signum(-3.5) == -1.0 && Math.PI > 3.14',
  );
});

describe('BigDecimal', () => {
  hold(
    'new BigDecimal("1.10").add(new BigDecimal("2.205")).toString() == "3.305"',
    'new BigDecimal("1.00").subtract(BigDecimal.ONE).signum() == 0 && BigDecimal.TEN.multiply(new ' +
      'BigDecimal("0.5")).toString() == "5.0"',
    'new BigDecimal("1").divide(new BigDecimal("8")).toString() == "0.125"',
    'new BigDecimal("1").divide(new BigDecimal("3"), 4, RoundingMode.HALF_UP).toString() == "0.3333"',
    'new BigDecimal("2.345").setScale(2, RoundingMode.HALF_EVEN).toString() == "2.34" && new ' +
      'BigDecimal("2.5").setScale(0, RoundingMode.HALF_UP).intValue() == 3',
    'new BigDecimal("100").stripTrailingZeros().toString() == "1E+2" && new BigDecimal("1E+2").toPlainString() ' +
      '== "100"',
    'BigDecimal.valueOf(12.5).compareTo(BigDecimal.valueOf(svcObject.getDaysTotal())) == 0 && ' +
      'BigDecimal.valueOf(1.0).toString() == "1.0"',
    'new BigDecimal(0.1).toString().startsWith("0.1000000000000000055511151231257827") && new ' +
      'BigDecimal(5).scale() == 0',
    'new BigDecimal("-1.5").abs().max(BigDecimal.ONE).negate().doubleValue() == -1.5 && new ' +
      'BigDecimal("123.45").precision() == 5',
  );

  test('division by zero, or with infinitely many digits, is an ArithmeticException', () => {
    for (const divisor of ['new BigDecimal("3")', 'BigDecimal.ZERO'])
      expect(failureOf(`svcObject != null && BigDecimal.ONE.divide(${divisor}) == null`)).toBe('ArithmeticException');
  });
});

describe('Date', () => {
  hold(
    'svcObject.getCreatedDate().before(svcObject.getModifiedDate()) && !svcObject.getCreatedDate().after(new Date())',
    'svcObject.getCreatedDate().getTime() == 1764576000000L && svcObject.getCreatedDate().compareTo(new Date(0L)) == 1',
    'new Date().getTime() - svcObject.getModifiedDate().getTime() < 5 * 86400000L',
    'new Date(svcObject.getCreatedDate().getTime()).equals(svcObject.getCreatedDate())',
  );

  test('"new Date()" is the time of the evaluation', () => {
    expect(answerOf('svcObject != null && new Date().getTime() == 1768435200000L')).toBe(true);
  });
});

describe('List and Stream', () => {
  hold(
    'svcObject.getPortCalls().size() == 2 && !svcObject.getPortCalls().isEmpty() && ' +
      'oldSvcObject.getPortCalls().isEmpty()',
    'svcObject.getPortCalls().get(1).getPort().isCanal() && ' +
      'svcObject.getPortCalls().contains(svcObject.getPortCalls().get(1))',
    'svcObject.getPortCalls().stream().anyMatch(p -> p.getPort().getUnLoCode().equals("NLRTM"))',
    'svcObject.getPortCalls().stream().allMatch((p) -> p.getPort() != null) && ' +
      'svcObject.getCargos().stream().allMatch(c -> false)',
    'svcObject.getPortCalls().stream().noneMatch(p -> p.getReasonForCall() == "B")',
    'svcObject.getPortCalls().stream().filter(p -> p.getSpeed() != null).count() == 1',
    'svcObject.getPortCalls().stream().map(p -> p.getReasonForCall()).sorted().findFirst().get() == "D"',
    'svcObject.getPortCalls().stream().filter(p -> p.getSpeed() != null).mapToDouble(p -> p.getSpeed()).sum() == 12.5',
    'svcObject.getPortCalls().stream().mapToInt(p -> p.getPortCallSequence()).max().getAsInt() == 2',
    'svcObject.getPortCalls().stream().mapToInt(p -> p.getPortCallSequence()).average().orElse(0) == 1.5',
    'svcObject.getPortCalls().stream().flatMap(p -> p.getEventLogs().stream()).anyMatch(e -> e.getEvent() == "ARR")',
    'svcObject.getPortCalls().stream().anyMatch(p -> p.getEventLogs().stream().anyMatch(e -> ' +
      'e.getEventLogDate().after(p.getEta())))',
    'svcObject.getPortCalls().stream().skip(1).limit(1).toList().get(0).getKey() == 2002',
    'svcObject.getPortCalls().stream().map(p -> p.getPort().getCountry()).distinct().count() == 1',
    'List.of("NOM", "OPR").contains(svcObject.getVoyageStatus()) && Stream.of(1, 2).anyMatch(n -> n == 2)',
    'svcObject.getCargos().stream().findFirst().map(c -> c.getQuantity()).orElse(1.0) == 1.0',
  );

  test('a stream is lazy: elements after the result is known are not evaluated', () => {
    expect(
      answerOf('svcObject.getPortCalls().stream().map(p -> 12 / p.getSpeed().intValue()).anyMatch(n -> n == 1)'),
    ).toBe(true);
    expect(failureOf('svcObject.getPortCalls().stream().map(p -> p.getSpeed().intValue()).anyMatch(n -> n == 1)')).toBe(
      'NullPointerException',
    );
    expect(answerOf('svcObject.getPortCalls().stream().map(p -> p.getSpeed().intValue()).count() == 2')).toBe(true);
    expect(
      answerOf('svcObject.getPortCalls().stream().map(p -> p.getSpeed().intValue()).skip(1).limit(5).count() == 1'),
    ).toBe(true);
  });

  test.each([
    ['svcObject.getPortCalls().stream().map(p -> p.getEventLogs().stream()).count() == 2', 'use flatMap'],
    ['List.of(svcObject.getPortCalls().stream()).isEmpty()', 'not streams'],
    ['Stream.of(svcObject.getPortCalls().stream()).count() == 1', 'not streams'],
    ['svcObject.getPortCalls().stream().findFirst().map(p -> p.getEventLogs().stream()).isPresent()', 'not a stream'],
    ['Objects.requireNonNullElse(svcObject.getPortCalls().stream(), null) == null', 'not streams'],
  ])('a stream is consumed where it is created: %s is rejected', (text, message) => {
    expect(mistakesIn(text)[0]).toContain(message);
  });

  test.each([
    ['svcObject.getPortCalls().get(2) == null', 'IndexOutOfBoundsException'],
    ['svcObject.getPortCalls().get(-1) == null', 'IndexOutOfBoundsException'],
    ['svcObject.getCargos().stream().findFirst().get() == null', 'NoSuchElementException'],
    ['List.of("a").contains(svcObject.getExternalObjectKey())', 'NullPointerException'],
    ['svcObject.getPortCalls().stream().limit(-1).count() == 0', 'IllegalArgumentException'],
    ['svcObject.getPortCalls().stream().map(p -> p.getSpeed()).sorted().count() == 3', 'false'],
  ])('%s fails with %s', (text, exception) => {
    expect(failureOf(text)).toBe(exception);
  });
});

describe('Objects', () => {
  hold(
    'Objects.equals(svcObject.getDaysWaiting(), null) && Objects.equals("a", "a") && !Objects.equals(1, 1.0)',
    'Objects.isNull(oldSvcObject.getVessel()) && Objects.nonNull(svcObject.getVessel())',
    'Objects.requireNonNullElse(svcObject.getDaysWaiting(), 0.0) == 0.0 && ' +
      'Objects.toString(svcObject.getDaysWaiting(), "-") == "-"',
    'java.util.Objects.equals(1, 1) && java.lang.Math.abs(-1) == 1 && new java.math.BigDecimal("1").signum() == 1',
  );
});
