// The types of getters, the mistakes of expressions that do not fit them, and the attributes that are read.

import { describe, expect, test } from 'vitest';
import { compileExpression } from '../src/compile-expression.ts';
import { answerOf, compiled, mistakesIn, pathsOf, typeOf } from './expression-fixture.ts';
import { shapesOf } from './fleet-shapes.ts';

test('the kind of an attribute determines its Java type', () => {
  const types = {
    getKey: 'Long',
    getSelf: 'String',
    getCreatedDate: 'Date',
    getCreatedById: 'Long',
    getReferenceNo: 'Integer',
    getVoyageStatus: 'String',
    getComments: 'String',
    getDaysTotal: 'Double',
    getIsTc: 'Boolean',
    getVessel: 'Vessel',
    getPortCalls: 'List<PortCall>',
  };
  for (const [getter, type] of Object.entries(types)) {
    expect(mistakesIn(`svcObject.${getter}() - true`)[0]).toContain(`a ${type}`.replace('a Integer', 'an Integer'));
  }
});

test('a boolean has getters with get and is; the getter of isTc is isTc', () => {
  expect(answerOf('svcObject.isTc() && svcObject.getIsTc() && svcObject.getPortCalls().get(0).isArrivalFixed()')).toBe(
    true,
  );
  expect(mistakesIn('svcObject.isIsTc()')).toEqual(['1:11 Voyage has no getter isIsTc(). Did you mean "isTc"?']);
  expect(mistakesIn('svcObject.isDaysTotal()')[0]).toContain('Voyage has no getter isDaysTotal().');
});

test('the two objects have four names', () => {
  expect(answerOf('svcObject == dlpObject && oldSvcObject == oldDlpObject')).toBe(true);
  expect(answerOf('oldDlpObject.getDaysTotal() < dlpObject.getDaysTotal()')).toBe(true);
});

test('files and JSON have no getter, and lists of texts are lists', () => {
  const things = shapesOf({ Thing: { attributes: { file: 'binary', more: 'json', tags: 'textList', code: 'text' } } });
  const check = (text: string) => {
    const result = compileExpression(text, things.get('Thing')!);
    return result.kind === 'compiled' ? [] : result.mistakes.map(({ message }) => message);
  };
  expect(check('svcObject.getFile() != null')).toEqual(['"file" cannot be read in an expression: it is a file.']);
  expect(check('svcObject.getMore() != null')).toEqual(['"more" cannot be read in an expression: it is JSON.']);
  expect(check('svcObject.getTags().contains("x") && svcObject.getTags().get(0).isEmpty()')).toEqual([]);
});

describe('a mistake says what was expected, with a hint', () => {
  test.each([
    ['svcObject.getVesselName()', '1:11 Voyage has no getter getVesselName(). Did you mean "getVessel"?'],
    [
      'svcObject.getVoyageStats() == null',
      '1:11 Voyage has no getter getVoyageStats(). Did you mean "getVoyageStatus"?',
    ],
    ['svcObject.voyageStats == "NOM"', '1:11 Voyage has no fields. Write getVoyageStatus().'],
    [
      'voyageStats == svcObject.getComments()',
      '1:1 "voyageStats" is not known here. Did you mean "svcObject.getVoyageStatus()"?',
    ],
    [
      'getVoyageStats() == svcObject.getComments()',
      '1:1 There is no method "getVoyageStats" without an object or a class before it. Did you mean "getVoyageStatus"?',
    ],
    ['svcObjekt.getKey() == 1', '1:1 "svcObjekt" is not known here. Did you mean "svcObject"?'],
    [
      'svcObject.getComments().startWith("a")',
      '1:25 String has no method startWith() here. Did you mean "startsWith"?',
    ],
    ['svcObject.getVessel().getName() == null', '1:23 Vessel has no getter getName(). Did you mean "getVesselName"?'],
    ['svcObject.getVoyageStatus().equal("x")', '1:29 String has no method equal() here. Did you mean "equals"?'],
    ['svcObject.getVoyageStatus().lenght() > 1', '1:29 String has no method lenght() here. Did you mean "length"?'],
    ['svcObject.voyageStatus == "NOM"', '1:11 Voyage has no fields. Write getVoyageStatus().'],
    ['svcObject.getVoyageStatus.equals("x")', '1:11 Voyage has no fields. Write getVoyageStatus().'],
    ['svcObject.getVoyageStatus().length == 3', '1:29 String has no fields. A method is called with parentheses.'],
    ['svcObjet.getKey() == 1 && svcObject != null', '1:1 "svcObjet" is not known here. Did you mean "svcObject"?'],
    [
      'voyageStatus == svcObject.getVoyageStatus()',
      '1:1 An attribute is read by its getter: svcObject.getVoyageStatus().',
    ],
    [
      'getVoyageStatus() == svcObject.getComments()',
      '1:1 A getter is called on an object: svcObject.getVoyageStatus().',
    ],
    ['svcObject.getDaysTotal(1) > 2', '1:24 The getter getDaysTotal() takes no arguments.'],
    ['svcObject.getDaysTotal()', '1:1 The expression must be true or false (boolean), but it is a Double.'],
    ['svcObject', '1:1 The expression must be true or false (boolean), but it is a Voyage.'],
    ['svcObject.getComments() && true', '1:1 A condition was expected here, but this is a String.'],
    ['!svcObject.getReferenceNo()', '1:2 A condition was expected here, but this is an Integer.'],
    [
      'svcObject.getComments() > "A"',
      '1:25 ">" compares two numbers, but got a String and a String. Use compareTo instead.',
    ],
    [
      'svcObject.getCreatedDate() < new Date()',
      '1:28 "<" compares two numbers, but got a Date and a Date. A Date has before and after.',
    ],
    [
      'svcObject.getCreatedDate() - 1 > 0',
      '1:28 "-" takes two numbers, but got a Date and an int. A Date has getTime(), which returns milliseconds.',
    ],
    [
      'BigDecimal.ONE + 1 == svcObject',
      '1:16 "+" takes two numbers, but got a BigDecimal and an int. A BigDecimal has add, subtract, multiply and ' +
        'divide.',
    ],
    ['svcObject.getReferenceNo() == "1"', '1:28 An Integer is never equal to a String.'],
    [
      'svcObject.getReferenceNo() == svcObject.getKey()',
      '1:28 An Integer is never equal to a Long. Unbox one of them, for example with doubleValue().',
    ],
    ['svcObject.getVessel() == svcObject', '1:23 A Vessel is never equal to a Voyage.'],
    [
      'svcObject.getPortCalls() == oldSvcObject.getPortCalls()',
      '1:26 A List<PortCall> is never equal to a List<PortCall>. Compare them with equals.',
    ],
    ['svcObject.getComments().length() == null', '1:34 An int is a primitive and never null.'],
    ['svcObject.getVessel() instanceof Port', '1:34 A Vessel is never a Port.'],
    ['(int) svcObject.getDaysTotal() == 1', '1:2 A Double cannot be cast to int. Write intValue().'],
    ['(Vessel) svcObject == null', '1:2 A Voyage cannot be cast to Vessel.'],
    ['(short) 1 == 1 && svcObject != null', '1:2 (short) is not supported: cast to int.'],
    [
      '(svcObject.isTc() ? 1 : "a") == 1',
      '1:1 The two branches of "?:" must have the same type, but got an int and a String.',
    ],
    ['svcObject.getComments().startsWith(1)', '1:25 String.startsWith takes (String) or (String, int), but got (int).'],
    [
      'svcObject.getPortCalls().stream().anyMatch(true)',
      '1:35 Stream<PortCall>.anyMatch takes (PortCall -> boolean), but got (boolean).',
    ],
    [
      'svcObject.getPortCalls().stream().anyMatch(p -> p)',
      '1:49 The lambda returns a PortCall, but a boolean is expected.',
    ],
    [
      'svcObject.getPortCalls().stream().anyMatch(svcObject -> true)',
      '1:44 "svcObject" is already defined; rename the parameter.',
    ],
    [
      'svcObject.getPortCalls().stream().anyMatch(p -> p.getEtaa() == null)',
      '1:51 PortCall has no getter getEtaa(). Did you mean "getEta"?',
    ],
    [
      'svcObject.getPortCalls().stream().sorted().count() > 0',
      '1:35 Stream<PortCall>.sorted takes elements with a natural order.',
    ],
    [
      'List.of(1, "a").isEmpty() && svcObject != null',
      '1:6 List.of takes values of one type, but got an Integer and a String.',
    ],
    ['"" + svcObject.getCreatedDate() == ""', '1:4 A Date cannot be added to a String: its text form is not defined.'],
    [
      'svcObject.getCreatedDate().toString() == ""',
      '1:28 Date has no method toString() here. It depends on the time zone of a computer: use before, after or ' +
        'getTime().',
    ],
    [
      'String.format("%d", 1) == svcObject.getComments()',
      '1:8 String has no static method format() here. Join texts with "+".',
    ],
    ['svcObject.getPortCalls().add(null)', '1:26 List<PortCall> has no method add() here. A filter changes nothing.'],
    ['svcObject.getComments()[0] == null', '1:25 String is not an array.'],
    ['svcObject.getPortCalls()[0] == null', '1:26 List<PortCall> is not an array. Use get() on a List.'],
    ['Math == svcObject', '1:1 Math is a class, not a value.'],
    ['Math.sqroot(2) > svcObject.getDaysTotal()', '1:6 Math has no static method sqroot() here. Did you mean "sqrt"?'],
    [
      'Integer.MAX_VALU > svcObject.getReferenceNo()',
      '1:9 Integer has no constant MAX_VALU. Did you mean "MAX_VALUE"?',
    ],
    [
      'new ArrayList().isEmpty() && svcObject != null',
      '1:5 "new ArrayList" is not allowed: only BigDecimal and Date can be created.',
    ],
    [
      'new BigDecimal("1,5").signum() > 0 && svcObject != null',
      '1:5 This text is not a number that BigDecimal accepts.',
    ],
  ])('%s', (text, message) => {
    expect(mistakesIn(text)).toEqual([message]);
  });

  test('all mistakes are reported at once, each once', () => {
    expect(mistakesIn('svcObject.getA() == 1 && svcObject.getB() > svcObject.getC().getD() && 1')).toEqual([
      '1:11 Voyage has no getter getA().',
      '1:36 Voyage has no getter getB().',
      '1:55 Voyage has no getter getC().',
      '1:72 A condition was expected here, but this is an int.',
    ]);
  });

  test('a mistake causes no further ones', () => {
    expect(
      mistakesIn('(int) Long.sum(svcObject.getFoo(), 1L) + Math.abs(svcObject.getBar()) == svcObject.getBaz()'),
    ).toEqual([
      '1:26 Voyage has no getter getFoo().',
      '1:61 Voyage has no getter getBar().',
      '1:84 Voyage has no getter getBaz().',
    ]);
  });

  test('at most twenty mistakes are reported', () => {
    expect(
      mistakesIn(Array.from({ length: 50 }, (_, index) => `svcObject.getA${index}() == 1`).join(' && ')),
    ).toHaveLength(20);
  });
});

describe('what an expression reads', () => {
  const paths = (text: string) => pathsOf(compiled(text));

  test('is recorded as paths of the new and the old object', () => {
    expect(
      paths('svcObject.getDaysTotal() > oldSvcObject.getDaysTotal() && svcObject.getVessel().getFlag() != null'),
    ).toEqual(['new:daysTotal', 'new:vessel.flag', 'old:daysTotal']);
  });

  test('is followed through lists, streams, lambdas, choices and optionals', () => {
    expect(
      paths(`(svcObject.isTc() ? svcObject : oldSvcObject).getPortCalls().stream().filter(p -> p.getSpeed() > 1)
        .map(p -> p.getPort()).findFirst().map(q -> q.getCountry()).isPresent()`),
    ).toEqual([
      'new:isTc',
      'new:portCalls.speed',
      'new:portCalls.port.country',
      'old:portCalls.speed',
      'old:portCalls.port.country',
    ]);
    expect(paths('List.of(svcObject, oldSvcObject).get(0).getComments() == null')).toEqual([
      'new:comments',
      'old:comments',
    ]);
    expect(
      paths('svcObject.getPortCalls().get(0).getEventLogs().stream().anyMatch(e -> e.getEvent() == "ARR")'),
    ).toEqual(['new:portCalls.eventLogs.event']);
  });

  test('ends at a reference or collection from which nothing is read', () => {
    expect(paths('svcObject.getVessel() == oldSvcObject.getVessel() && svcObject.getPortCalls().isEmpty()')).toEqual([
      'new:vessel',
      'new:portCalls',
      'old:vessel',
    ]);
  });

  test('is empty if only the objects themselves are compared', () => {
    expect(paths('svcObject == oldSvcObject')).toEqual([]);
  });

  test('is a field selection', () => {
    const { selections } = compiled(
      'svcObject.getVessel().getFlag() == oldSvcObject.getComments() && svcObject.getPortCalls().isEmpty()',
    );
    expect(selections).toEqual({
      new: new Map<string, unknown>([
        ['vessel', new Map([['flag', '*']])],
        ['portCalls', new Map()],
      ]),
      old: new Map([['comments', '*']]),
    });
  });

  test('passes each collection once and is at most ten attributes deep', () => {
    expect(mistakesIn('svcObject.getPortCalls().get(0).getVoyage().getPortCalls().isEmpty()')).toEqual([
      '1:45 A path goes through each collection once, and portCalls is already in it.',
    ]);
    const deep = `svcObject${'.getPortCall().getVoyage()'.repeat(6)}.isTc()`;
    const result = compileExpression(deep.replace('.getPortCall().getVoyage()', '.getVoyage()'), typeOf('PortCall'));
    expect(result.kind).toBe('mistakes');
  });
});
