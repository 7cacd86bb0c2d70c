// Bad filters: each is a 400 that quotes the filter, gives the position and says what was expected.

import { describe, expect, test } from 'vitest';
import { parseFilters } from '../../src/query/filter/parse-filters.ts';
import { errorOf, typeOf } from './query-fixture.ts';

function messageOf(filters: string | string[], type = 'Voyage'): string {
  const error = errorOf(() => parseFilters([filters].flat(), typeOf(type), 100));
  expect([error.code, error.status]).toEqual(['invalidFilter', 400]);
  return error.message;
}

/** `‸` marks the position that the message must give. */
function expectMessage(marked: string, problem: string): void {
  const text = marked.replace('‸', '');
  expect(messageOf(text)).toBe(`In filter "${text}" at position ${marked.indexOf('‸') + 1}: ${problem}`);
}

describe('a bad path', () => {
  test.each([
    ['vessel.‸vesselNme(EQ)A', 'Vessel has no attribute "vesselNme". Did you mean "vesselName"?'],
    ['‸Freight(EQ)1', 'Voyage has no attribute "Freight". Did you mean "freight"?'],
    ['freight.‸x(EQ)1', 'nothing can follow "freight": it is a decimal number, not a reference or collection.'],
    ['self.‸x(EQ)1', 'nothing can follow "self": it is a URL, not a reference or collection.'],
    ['vessel.‸.vesselName(EQ)A', 'the name of an attribute of Vessel was expected here.'],
    ['‸.freight(EQ)1', 'the name of an attribute of Voyage was expected here.'],
    ['vessel.‸(EQ)1', 'the name of an attribute of Vessel was expected here.'],
    ['‸freight (EQ)1', 'Voyage has no attribute "freight ". Did you mean "freight"?'],
    ['‸(EQ)1', 'the path of an attribute was expected first, as in vessel.vesselName(EQ)Northern Light.'],
    ['‸self(EQ)x', '"self" is a URL and cannot be filtered by.'],
    ['remarks.attachments.‸file(NOTNULL)', '"file" is a file and cannot be filtered by.'],
  ])('%s', expectMessage);

  test('of more than ten names is rejected', () => {
    expect(messageOf(`${'portCalls.voyage.'.repeat(5)}key(EQ)1`)).toContain(
      'a path has at most 10 names, this one has 11',
    );
  });
});

describe('a bad operator', () => {
  test.each([
    ['freight‸', 'an operator was expected, as in vessel.vesselName(EQ)Northern Light.'],
    ['freight=1‸', 'an operator was expected, as in vessel.vesselName(EQ)Northern Light.'],
    ['freight(EQ‸', 'the ")" after the operator is missing.'],
    ['freight(GTE‸', 'the ")" after the operator is missing.'],
    ['isTc(‸GT)true', '"isTc" is a boolean and takes EQ, NE, IN, NIN, NULL, NOTNULL, not GT.'],
    ['vessel(‸LT)5', '"vessel" is a reference to Vessel and takes EQ, NE, IN, NIN, NULL, NOTNULL, not LT.'],
    ['portCalls(‸EQ)5', '"portCalls" is a collection of PortCall and takes NULL, NOTNULL, not EQ.'],
    [
      'freight(‸LIKE)1%',
      '"freight" is a decimal number and takes EQ, NE, GT, GTE, LT, LTE, IN, NIN, NULL, NOTNULL, BETWEEN, not LIKE.',
    ],
  ])('%s', expectMessage);

  test.each(['eq', 'Gte', 'EQUALS', '', ' EQ', 'constructor', '__proto__', 'toString'])('%j is unknown', (name) => {
    const known = 'EQ, NE, GT, GTE, LT, LTE, IN, NIN, LIKE, ILIKE, NULL, NOTNULL, BETWEEN';
    const message = messageOf(`freight(${name})1`);
    expect(message).toContain(`at position 9: unknown operator "${name}"; expected one of ${known}.`);
  });

  test('in lower case gets a hint', () => {
    expect(messageOf('freight(gte)1')).toContain('Did you mean "GTE"?');
  });
});

describe('a bad value', () => {
  test.each([
    ['freight(EQ)‸abc', '"abc" is not a decimal number; one like 1250.75 was expected.'],
    ['freight(EQ)‸1.123456789', '"1.123456789" has too many digits; 16 before the point and 8 after it are allowed.'],
    [
      'freight(GT)‸12345678901234567',
      '"12345678901234567" has too many digits; 16 before the point and 8 after it are allowed.',
    ],
    ['freight(EQ)‸1e400', '"1e400" is not a decimal number; one like 1250.75 was expected.'],
    ['freight(EQ)‸NaN', '"NaN" is not a decimal number; one like 1250.75 was expected.'],
    ['referenceNo(EQ)‸1.5', '"1.5" is not an integer from -2147483648 to 2147483647.'],
    ['referenceNo(EQ)‸2147483648', '"2147483648" is not an integer from -2147483648 to 2147483647.'],
    ['key(EQ)‸0', '"0" is not a key; a positive integer was expected.'],
    ['key(EQ)‸-1', '"-1" is not a key; a positive integer was expected.'],
    ['key(EQ)‸1e3', '"1e3" is not a key; a positive integer was expected.'],
    ['key(EQ)‸01', '"01" is not a key; a positive integer was expected.'],
    ['key(EQ)‸9007199254740992', '"9007199254740992" is not a key; a positive integer was expected.'],
    ['vessel(EQ)‸Star', '"Star" is not a key; a positive integer was expected.'],
    ['isTc(EQ)‸yes', '"yes" is not a boolean; true, false, 1 or 0 was expected.'],
    ['voyageStatus(EQ)‸OPN', '"OPN" is not a value of voyageStatus; expected one of EST, NOM, OPR, FIN, CLO.'],
    [
      'estimatedVoyageStartDate(GT)‸2026-02-30',
      '"2026-02-30" is not a date; one like 2026-11-15 or 2026-11-15T01:53:22 was expected.',
    ],
    [
      'estimatedVoyageStartDate(GT)‸2026-11-15T00:00:00 02:00',
      '"2026-11-15T00:00:00 02:00" is not a date; one like 2026-11-15 or 2026-11-15T01:53:22 was expected. The ' +
        '"+" of a zone is written %2B in a URL.',
    ],
    ['freight(EQ)‸', 'a value was expected after (EQ); an empty text is written "".'],
    ['freight(EQ)‸"1', 'the text that starts here has no closing quote.'],
    ['comments(EQ)"a"‸ b', 'nothing may follow the closing quote, but here is " b".'],
    ['comments(EQ)‸"a\\"', 'the text that starts here has no closing quote.'],
    ['comments(EQ)‸(a)', 'a value that begins with a parenthesis must be in double quotes.'],
    ['comments(NULL)‸x', 'NULL takes no value, but here is "x".'],
    ['freight(IN)‸1,2', 'IN takes values in parentheses, as in (a,b).'],
    ['freight(IN)‸', 'IN takes values in parentheses, as in (a,b).'],
    ['freight(IN)(‸)', 'a value was expected here; an empty text is written "".'],
    ['freight(IN)(1,‸,2)', 'a value was expected here; an empty text is written "".'],
    ['freight(IN)(1,2,‸)', 'a value was expected here; an empty text is written "".'],
    ['freight(IN)(1,2‸', 'the ")" after the values is missing.'],
    ['freight(IN)(1,‸x)', '"x" is not a decimal number; one like 1250.75 was expected.'],
    ['freight(NIN)(1)‸2', 'nothing may follow the closing parenthesis, but here is "2".'],
    ['comments(IN)(a‸(b),c)', '"," or ")" was expected; a value with a parenthesis must be in double quotes.'],
    ['comments(IN)("a"‸b)', '"," or ")" was expected; a value with a parenthesis must be in double quotes.'],
    ['freight(BETWEEN)‸(1)', 'BETWEEN takes two values, as in (1,10), but here are 1.'],
    ['freight(BETWEEN)‸(1,2,3)', 'BETWEEN takes two values, as in (1,10), but here are 3.'],
    ['vessel.‸voyageStatus(EQ)X', 'Vessel has no attribute "voyageStatus".'],
  ])('%s', expectMessage);

  test('in a mixed list of keys and codes is rejected', () => {
    expect(messageOf('currency(IN)(5,USD)', 'PortCall')).toContain('at position 16: keys and codes cannot be mixed');
  });

  test.each([
    ['NUL', '\0', 'U+0000'],
    ['a high surrogate alone', '\ud800', 'U+D800'],
    ['a low surrogate alone', 'x\udc00', 'U+DC00'],
  ])('with %s is rejected before it reaches the database', (_, value, shown) => {
    expect(messageOf(`comments(EQ)${value}`)).toContain('a filter cannot contain a NUL or half of a surrogate pair.');
    expect(messageOf(`comments(EQ)${value}`)).toContain(shown);
    expect(messageOf(`comments(IN)("a","${value}")`)).toContain('a filter cannot contain');
  });
});

describe('groups', () => {
  test.each([
    [['(OR)'], 'before'],
    [['(OR)', 'freight(EQ)1'], 'before'],
    [['freight(EQ)1', '(OR)'], 'after'],
    [['freight(EQ)1', '(OR)', '(OR)', 'freight(EQ)2'], 'before'],
  ])('without a filter on both sides of (OR) are rejected: %j', (filters, side) => {
    expect(messageOf(filters)).toBe(`"filter=(OR)" separates groups of filters, but there is no filter ${side} it.`);
  });

  test('the separator must be written in upper case', () => {
    expect(messageOf(['freight(EQ)1', '(or)', 'freight(EQ)2'])).toContain(
      'the path of an attribute was expected first',
    );
  });
});

describe('hostile filters', () => {
  test.each([
    'id);--(GTE)1',
    '"password"(GTE)a',
    'tenant.id(EQ)2',
    `${'a.b.c.d.'.repeat(100)}e(EQ)1`,
    '__proto__.x(EQ)1',
    '__proto__(EQ)1',
    'constructor.prototype(EQ)1',
    'vessel.constructor(EQ)1',
    'toString(EQ)1',
    'hasOwnProperty(EQ)1',
    `freight";drop table flaghoist.voyage;--(EQ)1`,
    'flaghoist.voyage.freight(EQ)1',
    'estimated_voyage_start_date(NULL)',
  ])('a path that is not in the model is rejected: %s', (text) => {
    expect(messageOf(text)).toMatch(/at position \d+: /);
  });

  test.each([
    'key(XX)1',
    'key(gte)1',
    'key(GTE)(GTE)',
    'key(GTE)(GTE)1',
    'comments(GTE)(GTE)',
    'key(GTE',
    'key(GTE)',
    `key(EQ)${'1'.repeat(8192)}`,
    `${'x'.repeat(8192)}(EQ)1`,
    `comments(EQ)${'x'.repeat(8192)}`,
    `comments(IN)(${'"'.repeat(8192)})`,
  ])('a broken filter is rejected with its position in a short message: %.40s', (text) => {
    const message = messageOf(text);
    expect(message).toMatch(/at position \d+: /);
    expect(message.length).toBeLessThan(600);
  });

  test('more than 100 filters are rejected', () => {
    const filters = Array.from({ length: 1000 }, (_, index) => `freight(EQ)${index}`);
    expect(messageOf(filters)).toBe('At most 100 filters are allowed, here are 1000.');
  });

  test('100 filters are allowed, and separators do not count', () => {
    const filters = Array.from({ length: 100 }, (_, index) => `freight(EQ)${index}`);
    expect(parseFilters(filters.join('|(OR)|').split('|'), typeOf('Voyage'), 100)).toHaveLength(100);
  });

  test('an empty filter is rejected', () => {
    expect(messageOf('')).toContain('A filter is empty');
  });

  test('invisible characters are named in the message', () => {
    expect(messageOf('comments(EQ)"\u202e\n')).toContain('U+202EU+000A');
  });
});
