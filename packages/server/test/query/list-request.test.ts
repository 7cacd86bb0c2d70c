// The parameters of a list and of a read, and how mistakes in them are reported.

import { describe, expect, test } from 'vitest';
import { renderCursor } from '../../src/query/cursor.ts';
import { parseListRequest, parseReadRequest, type RequestHeaders } from '../../src/query/list-request.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { minimizedView, wholeView } from '../../src/query/view.ts';
import { errorOf, typeOf } from './query-fixture.ts';

const voyage = typeOf('Voyage');

function parse(query: QueryParameter[], headers: RequestHeaders = {}) {
  return parseListRequest(voyage, query, headers);
}

function rejection(query: QueryParameter[], headers: RequestHeaders = {}): [code: string, message: string] {
  const error = errorOf(() => parse(query, headers));
  expect(error.status).toBe(400);
  return [error.code, error.message];
}

describe('query parameters', () => {
  test('an unknown one is rejected with the known names and the most similar one', () => {
    expect(rejection([['pagenumber', '1']])).toEqual([
      'invalidQuery',
      'There is no query parameter "pagenumber" here; known are fields, filter, sort, pageNumber, limit, after. ' +
        'Did you mean "pageNumber"?',
    ]);
    expect(rejection([['__proto__', '1']])[0]).toBe('invalidQuery');
    expect(rejection([['offset', '10']])[0]).toBe('invalidQuery');
  });

  test('noCount gets a hint that it is a header', () => {
    expect(rejection([['noCount', 'YES']])[1]).toContain('"noCount" is a request header.');
  });

  test.each(['fields', 'pageNumber', 'limit', 'after'])('%s given twice is rejected', (name) => {
    const value = name === 'fields' ? '{}' : '1';
    expect(
      rejection([
        [name, value],
        [name, value],
      ]),
    ).toEqual(['invalidQuery', `The query parameter "${name}" is given twice.`]);
  });

  test('filter and sort may repeat, and their order is kept', () => {
    const request = parse([
      ['filter', 'freight(GT)1'],
      ['sort', 'freight(DS)'],
      ['filter', '(OR)'],
      ['sort', 'comments(AS)'],
      ['filter', 'freight(NULL)'],
    ]);
    expect(request.filters).toHaveLength(2);
    expect(request.sorts.map(({ attribute }) => attribute.name)).toEqual(['freight', 'comments']);
  });

  test('the number of filters is limited', () => {
    const query: QueryParameter[] = [
      ['filter', 'freight(GT)1'],
      ['filter', 'freight(LT)9'],
    ];
    expect(parseListRequest(voyage, query, {}, { filtersMax: 2 }).filters).toHaveLength(1);
    const error = errorOf(() => parseListRequest(voyage, query, {}, { filtersMax: 1 }));
    expect([error.code, error.message]).toEqual(['invalidFilter', 'At most 1 filters are allowed, here are 2.']);
  });

  test('a read takes only fields', () => {
    const message = errorOf(() => parseReadRequest(voyage, [['filter', 'key(EQ)1']], {})).message;
    expect(message).toBe('There is no query parameter "filter" here; known are fields.');
    expect(parseReadRequest(voyage, [['fields', '{}']], {}).items).toHaveLength(2);
  });
});

describe('fields', () => {
  test('are by default minimized in a list and whole in a read', () => {
    expect(parse([]).view).toBe(minimizedView(voyage));
    expect(parseReadRequest(voyage, [], {})).toBe(wholeView(voyage));
  });

  test('come from the header or from the query', () => {
    const fields = '{"freight":"*"}';
    expect(parse([], { fields }).view).toEqual(parse([['fields', fields]]).view);
    expect(parse([['fields', fields]], { fields }).view.items).toHaveLength(3);
  });

  test('that differ in header and query are rejected', () => {
    expect(rejection([['fields', '{}']], { fields: '{"freight":"*"}' })[0]).toBe('invalidFields');
  });

  test('that are empty are rejected', () => {
    expect(rejection([['fields', '']])[0]).toBe('invalidFields');
    expect(rejection([], { fields: '' })[0]).toBe('invalidFields');
  });
});

describe('noCount', () => {
  test('YES omits the count; NO or no header keeps it', () => {
    expect(parse([], { noCount: 'YES' }).countsAll).toBe(false);
    expect(parse([], { noCount: 'yes' }).countsAll).toBe(false);
    expect(parse([], { noCount: 'NO' }).countsAll).toBe(true);
    expect(parse([]).countsAll).toBe(true);
  });

  test('is rejected with another value', () => {
    expect(rejection([], { noCount: 'maybe' })).toEqual([
      'invalidHeader',
      'The header "noCount" must be YES or NO, but it is "maybe".',
    ]);
  });
});

describe('the page', () => {
  test('is by default the whole list', () => {
    expect(parse([]).page).toEqual({ limit: undefined, number: 1, offset: 0, after: undefined });
  });

  test('starts after the pages before it', () => {
    expect(
      parse([
        ['limit', '50'],
        ['pageNumber', '3'],
      ]).page,
    ).toMatchObject({ limit: 50, number: 3, offset: 100 });
    expect(parse([['limit', '2000']]).page).toMatchObject({ limit: 2000, number: 1, offset: 0 });
  });

  test('has 2000 objects if only its number is given', () => {
    expect(parse([['pageNumber', '2']]).page).toMatchObject({ limit: 2000, number: 2, offset: 2000 });
  });

  test.each(['0', '-1', '2001', '1e3', '1e9', 'abc', '', ' 1', '01', '1.5', '٣', '9'.repeat(400)])(
    'limit %j is rejected',
    (limit) => {
      const [code, message] = rejection([['limit', limit]]);
      expect(code).toBe('invalidPage');
      expect(message).toContain('"limit" must be an integer from 1 to 2000');
    },
  );

  test.each(['0', '-1', 'abc', '', '1.0', '9007199254740992', '9'.repeat(400)])(
    'pageNumber %j is rejected',
    (pageNumber) => {
      expect(rejection([['pageNumber', pageNumber]])[0]).toBe('invalidPage');
    },
  );

  test('whose offset is beyond 2^53 is rejected', () => {
    expect(
      rejection([
        ['pageNumber', '9007199254740991'],
        ['limit', '2000'],
      ]),
    ).toEqual([
      'invalidPage',
      '"pageNumber" must be an integer from 1 to 4503599627369, but it is "9007199254740991".',
    ]);
    expect(parse([['pageNumber', '4503599627369']]).page.offset).toBeLessThan(2 ** 53);
  });
});

describe('a cursor', () => {
  const sorted: QueryParameter[] = [['sort', 'freight(AS)']];
  const { mark } = parse(sorted);

  test('replaces the offset; the page number only numbers the links', () => {
    const after = renderCursor('["12.50000000", "77"]', mark);
    const { page } = parse([...sorted, ['limit', '10'], ['pageNumber', '4'], ['after', after]]);
    expect(page).toEqual({ limit: 10, number: 4, offset: 0, after: { values: ['12.5'], key: '77' } });
  });

  test('stays valid when limit, fields and page number change', () => {
    const after = renderCursor('[null, "77"]', mark);
    expect(parse([['fields', '{}'], ['after', after], ...sorted]).page.after).toEqual({ values: [null], key: '77' });
  });

  test.each([
    ['another sort', [['sort', 'freight(DS)']]],
    ['no sort', []],
    ['a filter more', [...sorted, ['filter', 'freight(NOTNULL)']]],
  ] as [string, QueryParameter[]][])('of this list is rejected with %s', (_, query) => {
    expect(rejection([...query, ['after', renderCursor('["1", "77"]', mark)]])).toEqual([
      'invalidPage',
      '"after" is not a cursor of this list. Take it from the "next" link, and keep filters and sorts as they are.',
    ]);
  });

  test('of another type is rejected', () => {
    const after = renderCursor('["77"]', parse([]).mark);
    expect(errorOf(() => parseListRequest(typeOf('PortCall'), [['after', after]], {})).code).toBe('invalidPage');
  });

  test.each([
    '["1"]',
    '["1", "2", "77"]',
    '["1", "0"]',
    '["1", "-7"]',
    '["1", "1e3"]',
    '["1", 77]',
    '[1, "77"]',
    '["x", "77"]',
    '["1); --", "77"]',
    '["1.123456789", "77"]',
    '["1", null]',
    '["1", "9007199254740992"]',
    '[["1"], "77"]',
    '{"length": 2, "0": "1", "1": "77"}',
    'null',
    '',
    '["1", "77"',
  ])('that was made up is rejected before it reaches the database: %s', (position) => {
    expect(rejection([...sorted, ['after', renderCursor(position, mark)]])[0]).toBe('invalidPage');
  });

  test.each(['\0', '\ud800'])('with text that the database cannot hold is rejected: %j', (text) => {
    const query: QueryParameter[] = [['sort', 'comments(AS)']];
    const after = renderCursor(JSON.stringify([text, '77']), parse(query).mark);
    expect(rejection([...query, ['after', after]])[0]).toBe('invalidPage');
  });

  test.each(['', 'x', '%', 'a b', '=', 'AAAA'.repeat(4000), '{"key":1}'])(
    'that is garbage is rejected: %.20s',
    (after) => {
      expect(rejection([...sorted, ['after', after]])[0]).toBe('invalidPage');
    },
  );
});

describe('sort', () => {
  test.each([
    ['freight‸', 'a direction was expected, as in vessel.vesselName(AS).'],
    ['freight(AS‸', 'a direction was expected, as in vessel.vesselName(AS).'],
    ['freight(‸ASC)', 'unknown direction "ASC"; expected one of AS, ASI, DS, DSI. Did you mean "AS"?'],
    ['freight(‸as)', 'unknown direction "as"; expected one of AS, ASI, DS, DSI. Did you mean "AS"?'],
    ['freight(‸)', 'unknown direction ""; expected one of AS, ASI, DS, DSI.'],
    ['freight(‸AS)(DS)', 'unknown direction "AS)(DS"; expected one of AS, ASI, DS, DSI.'],
    ['vessel.‸name(AS)', 'Vessel has no attribute "name". Did you mean "vesselName"?'],
    ['‸__proto__(AS)', 'Voyage has no attribute "__proto__".'],
    ['vessel.‸self(AS)', '"self" is a URL and cannot be sorted by.'],
    ['‸portCalls(AS)', '"portCalls" is a collection of PortCall and cannot be sorted by.'],
    ['‸portCalls.eta(AS)', '"portCalls" is a collection of PortCall, and sorting over a collection is not possible.'],
    ['vessel.‸(AS)', 'the name of an attribute of Vessel was expected here.'],
    ['‸(AS)', 'the name of an attribute of Voyage was expected here.'],
  ])('is rejected with its position: %s', (marked, problem) => {
    const text = marked.replace('‸', '');
    expect(rejection([['sort', text]])).toEqual([
      'invalidSort',
      `In sort "${text}" at position ${marked.indexOf('‸') + 1}: ${problem}`,
    ]);
  });

  test('by a file is rejected', () => {
    const error = errorOf(() => parseListRequest(typeOf('Attachment'), [['sort', 'file(AS)']], {}));
    expect(error.code).toBe('invalidSort');
  });

  test('ten times is allowed, eleven times is not', () => {
    const sorts = Array.from({ length: 11 }, (): QueryParameter => ['sort', 'freight(AS)']);
    expect(parse(sorts.slice(1)).sorts).toHaveLength(10);
    expect(rejection(sorts)).toEqual(['invalidSort', 'At most 10 sorts are allowed, here are 11.']);
  });
});
