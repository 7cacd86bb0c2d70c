// The short forms: comparisons of attributes, null-safe.

import { describe, expect, test } from 'vitest';
import { answerOf, compiled, mistakesIn, oldVoyage, pathsOf, voyage } from './expression-fixture.ts';

describe('a short form', () => {
  test.each([
    '.voyageStatus = NOM && old.voyageStatus = EST',
    'voyageStatus = "NOM" AND prev.daysLoading < daysLoading',
    "voyageStatus = 'NOM' and old.voyageStatus <> NOM",
    'voyageStatus == NOM && !(voyageStatus != NOM)',
    'NOT voyageStatus = EST AND not (voyageStatus = OPR or voyageStatus = FIN)',
    'voyageStatus = EST OR voyageStatus = NOM AND isTc = true',
    'isTc && NOT isTc = false',
    'vessel.vesselName = "Northern Light" AND vessel.builtYear >= 2010',
    'vessel != null AND old.vessel = null AND ballastPort = null',
    'vessel = 501 AND vessel != 502 AND key = 1042',
    'estimatedVoyageStartDate >= "2026-01-01" AND estimatedVoyageStartDate < "2026-01-01T07:00:00"',
    'createdDate < modifiedDate AND modifiedDate = "2026-01-10T12:30:00Z"',
    'daysTotal > prev.daysTotal * 1.2 AND daysTotal - old.daysTotal = 2.5 AND -daysTotal < 0',
    'comments > "Aaa" AND comments = "Berth at noon"',
    'referenceNo = 17 AND referenceNo = 17.0 AND freight > 250000',
    'old.vessel.vesselName = null',
    'true AND 1 < 2',
  ])('%s', (text) => {
    expect(compiled(text).form).toBe('short');
    expect(answerOf(text)).toBe(true);
  });

  test('never fails on null: a comparison with null is false, except "= null" and "!= null"', () => {
    for (const text of [
      'daysWaiting > 0',
      'daysWaiting <= 0',
      'daysWaiting = 0',
      'daysWaiting != 0',
      'old.vessel.vesselName = "x"',
      'old.vessel.vesselName != "x"',
      'old.vessel = vessel',
      'daysWaiting + 1 > 0',
      'old.isTc',
      'old.isTc = false',
      'daysWaiting != null',
    ])
      expect([text, answerOf(text)]).toEqual([text, false]);
    expect(answerOf('NOT daysWaiting > 0 AND daysWaiting = null AND NOT old.isTc')).toBe(true);
  });

  test('reads null from the old object on create', () => {
    expect(
      answerOf('old.voyageStatus = null AND old.vessel.vesselName = null AND voyageStatus = NOM', voyage, null),
    ).toBe(true);
    expect(answerOf('old.voyageStatus = EST', voyage, null)).toBe(false);
  });

  test('compares a reference with a code, if its type has one', () => {
    const row = { key: 1, port: { key: 2, unLoCode: 'NLRTM' } };
    const expression = compiled('port = NLRTM', 'PortCall');
    const reader = { key: 1, get: () => ({ key: 2, get: () => row.port.unLoCode }) };
    expect(expression.evaluate({ svcObject: reader, oldSvcObject: null })).toEqual({ kind: 'value', value: true });
    expect(pathsOf(expression)).toEqual(['new:port.unLoCode']);
  });

  test('reads a word as a text where a text can be meant, however much it resembles an attribute', () => {
    for (const text of ['voyageStatus = NOM', 'NOM = voyageStatus', 'FIN != old.voyageStatus', '"coments" != comments'])
      expect([text, answerOf(text)]).toEqual([text, true]);
    expect(answerOf('comments = comment')).toBe(false);
    expect(answerOf('Berth < comments')).toBe(true);
  });

  test('contains none of the variables: any text with one of them is Java', () => {
    expect(compiled('"svcObject" = comments').form).toBe('short');
    expect(compiled('svcObject.isTc()').form).toBe('java');
    expect(compiled('Math.abs(-1) > 0').form).toBe('java');
    expect(answerOf('voyageStatus = NOM', { ...voyage, voyageStatus: null }, oldVoyage)).toBe(false);
  });
});

describe('a mistake in a short form has a hint', () => {
  test.each([
    ['voyageStats = NOM', '1:1 Voyage has no attribute "voyageStats". Did you mean "voyageStatus"?'],
    ['.voyageStats = NOM', '1:2 Voyage has no attribute "voyageStats". Did you mean "voyageStatus"?'],
    ['old.voyageStats = NOM', '1:5 Voyage has no attribute "voyageStats". Did you mean "voyageStatus"?'],
    ['freigth > 5', '1:1 Voyage has no attribute "freigth". Did you mean "freight"?'],
    ['svcObjekt != null', '1:1 Voyage has no attribute "svcObjekt". Did you mean "svcObject"?'],
    ['coments = comments', '1:1 Voyage has no attribute "coments". Did you mean "comments"? A text goes in quotes.'],
    [
      'voyageStats = old.voyageStatus',
      '1:1 Voyage has no attribute "voyageStats". Did you mean "voyageStatus"? A text goes in quotes.',
    ],
    ['daysLoadng > daysTotal', '1:1 Voyage has no attribute "daysLoadng". Did you mean "daysLoading"?'],
    ['daysTotal > daysLoadng', '1:13 Voyage has no attribute "daysLoadng". Did you mean "daysLoading"?'],
    ['modifiedDate > createDate', '1:16 Voyage has no attribute "createDate". Did you mean "createdDate"?'],
    ['isTC = isTc', '1:1 Voyage has no attribute "isTC". Did you mean "isTc"?'],
    ['vessell = vessel', '1:1 Voyage has no attribute "vessell". Did you mean "vessel"?'],
    ['voyageStatus = NOMM', '1:16 "NOMM" is not a value of voyageStatus; use one of EST, NOM, OPR, FIN, CLO.'],
    ['vessel.name = x', '1:8 Vessel has no attribute "name". Did you mean "vesselName"?'],
    ['comments.length = 3', '1:10 Nothing can follow "comments": it is a text, not a reference.'],
    [
      'portCalls.speed > 3',
      '1:11 "portCalls" is a collection of PortCall; a short form follows only references. Write ' +
        'svcObject.getPortCalls().stream().anyMatch(item -> …).',
    ],
    [
      'estimatedVoyageStartDate > tomorrow',
      '1:28 "tomorrow" is not a date; write one like 2026-11-15 or 2026-11-15T01:53:22.',
    ],
    ['daysTotal = many', '1:11 A Double cannot be compared with a String.'],
    ['isTc > false', '1:6 ">" has no meaning for true and false.'],
    ['daysTotal < null', '1:11 Null can only be compared with "=" and "!=".'],
    ['5 = null', '1:3 Only an attribute can be null.'],
    ['vessel = ballastPort', '1:1 A Vessel is never equal to a Port.'],
    ['vessel = "Northern Light"', '1:1 A Vessel has no code to compare with; name one of its attributes.'],
    ['voyageStatus', '1:1 A condition was expected here, but this is a String.'],
    ['foo', '1:1 Voyage has no attribute "foo".'],
    ['daysTotal + comments > 1', '1:11 "+" takes two numbers, but got a Double and a String.'],
    ['daysTotal + foo > 1', '1:13 Voyage has no attribute "foo".'],
    ['voyageStatus = ', '1:16 Expected an attribute or a value, but the expression ends here.'],
    ['voyageStatus NOM', '1:14 Expected an operator or the end, but found "NOM".'],
    ['AND isTc', '1:1 Expected an attribute or a value, but found "AND".'],
    [
      'isTc ? 1 : 2',
      '1:6 "?" cannot be used in a short form. For more than comparisons, write Java with svcObject and oldSvcObject.',
    ],
    ['vessel. = 1', '1:9 Expected the name of an attribute, but found "=".'],
  ])('%s', (text, message) => {
    expect(mistakesIn(text)).toEqual([message]);
  });
});
