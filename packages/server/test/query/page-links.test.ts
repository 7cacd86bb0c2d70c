// The `Link` header of a page (RFC 8288).

import { describe, expect, test } from 'vitest';
import { parseListRequest } from '../../src/query/list-request.ts';
import { type PageOutcome, renderLinks } from '../../src/query/page-links.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { typeOf } from './query-fixture.ts';

const url = 'https://example.org/ws/rest/Voyage';

function linksOf(query: QueryParameter[], outcome: PageOutcome): Record<string, string> {
  const header = renderLinks(url, query, parseListRequest(typeOf('Voyage'), query, {}).page, outcome) ?? '';
  return Object.fromEntries(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, relation]) => [relation, target]),
  );
}

describe('the links of a page', () => {
  test('are first, prev, next and last', () => {
    const links = linksOf(
      [
        ['limit', '10'],
        ['pageNumber', '3'],
      ],
      { total: 95, next: 'abc' },
    );
    expect(links).toEqual({
      first: `${url}?limit=10&pageNumber=1`,
      prev: `${url}?limit=10&pageNumber=2`,
      next: `${url}?limit=10&pageNumber=4&after=abc`,
      last: `${url}?limit=10&pageNumber=10`,
    });
  });

  test('have no prev on the first page and no next on the last', () => {
    expect(Object.keys(linksOf([['limit', '10']], { total: 11, next: 'abc' }))).toEqual(['first', 'next', 'last']);
    expect(
      Object.keys(
        linksOf(
          [
            ['limit', '10'],
            ['pageNumber', '2'],
          ],
          { total: 11, next: undefined },
        ),
      ),
    ).toEqual(['first', 'prev', 'last']);
  });

  test('have no last if nothing was counted', () => {
    expect(Object.keys(linksOf([['limit', '10']], { total: undefined, next: 'abc' }))).toEqual(['first', 'next']);
  });

  test('lead to page 1 as the last one of an empty list', () => {
    expect(linksOf([['limit', '10']], { total: 0, next: undefined })).toEqual({
      first: `${url}?limit=10&pageNumber=1`,
      last: `${url}?limit=10&pageNumber=1`,
    });
  });

  test('lead back into the list from beyond its end', () => {
    expect(
      linksOf(
        [
          ['limit', '10'],
          ['pageNumber', '99'],
        ],
        { total: 25, next: undefined },
      ).prev,
    ).toContain('pageNumber=3');
  });

  test('keep the other parameters as they were sent, in order and encoded', () => {
    const query: QueryParameter[] = [
      ['filter', 'comments(EQ)"ä & ö<>"'],
      ['pageNumber', '1'],
      ['filter', '(OR)'],
      ['limit', '5'],
      ['filter', 'freight(IN)(1,2)'],
      ['sort', 'freight(DS)'],
    ];
    const { next } = linksOf(query, { total: 9, next: 'c' });
    expect(next).toMatch(/^[\x21-\x7e]+$/);
    expect([...new URL(next!).searchParams]).toEqual([
      ...query.filter(([name]) => name !== 'pageNumber'),
      ['pageNumber', '2'],
      ['after', 'c'],
    ]);
  });

  test('replace the cursor of the request', () => {
    const query: QueryParameter[] = [['limit', '5']];
    const { page } = parseListRequest(typeOf('Voyage'), query, {});
    const header = renderLinks(url, [['after', 'old'], ...query], page, { total: undefined, next: 'new' });
    expect(header).toContain('after=new');
    expect(header).not.toContain('old');
  });

  test('are omitted for a list that is not paged', () => {
    expect(linksOf([], { total: 3, next: undefined })).toEqual({});
  });

  test('of a very long query are only next, so that clients and proxies accept the header', () => {
    const filters = Array.from(
      { length: 60 },
      (_, index): QueryParameter => ['filter', `comments(NE)${'x'.repeat(30)}${index}`],
    );
    expect(Object.keys(linksOf([...filters, ['limit', '5']], { total: 9, next: 'c' }))).toEqual(['next']);
  });
});
