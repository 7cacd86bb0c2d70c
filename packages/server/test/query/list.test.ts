// Lists: their order, their pages and their counts.

import { beforeAll, describe, expect, test } from 'vitest';
import { parseListRequest } from '../../src/query/list-request.ts';
import { compileList } from '../../src/query/list-statement.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { insert, links, list, typeOf } from './query-fixture.ts';

describe('sort', () => {
  const { pool } = useTestDatabase();

  beforeAll(async () => {
    const vessels = { alpha: 'alpha', Bravo: 'Bravo', charlie: 'charlie' };
    const port = await insert(pool, 'port', { un_lo_code: 'NLRTM' });
    const rows: Record<string, unknown>[] = [
      { comments: 'v1', freight: '10', vessel: vessels.charlie, voyage_status: 'OPR', is_tc: true },
      { comments: 'v2', freight: '9', vessel: vessels.Bravo, voyage_status: 'EST', is_tc: false },
      { comments: 'v3', freight: null, vessel: vessels.alpha, voyage_status: null, ballast_port: port },
      { comments: 'v4', freight: '10', vessel: null, estimated_voyage_start_date: '2026-01-01' },
    ];
    const keys = new Map<unknown, number>();
    for (const name of ['charlie', 'alpha', 'Bravo'])
      keys.set(name, await insert(pool, 'vessel', { vessel_name: name }));
    for (const row of rows) await insert(pool, 'voyage', { ...row, vessel: keys.get(row.vessel) ?? null });
  });

  async function order(...sorts: string[]): Promise<string> {
    const query = sorts.map((text): QueryParameter => ['sort', text]);
    return (await list(pool, 'Voyage', query)).objects.map(({ comments }) => comments).join(' ');
  }

  test.each([
    [[], 'v1 v2 v3 v4'],
    [['freight(AS)'], 'v2 v1 v4 v3'],
    [['freight(DS)'], 'v3 v1 v4 v2'],
    [['freight(AS)', 'comments(DS)'], 'v2 v4 v1 v3'],
    [['freight(DS)', 'comments(DS)'], 'v3 v4 v1 v2'],
    [['vessel.vesselName(ASI)'], 'v3 v2 v1 v4'],
    [['vessel.vesselName(DSI)'], 'v4 v1 v2 v3'],
    [['vessel(AS)'], 'v1 v3 v2 v4'],
    [['vessel.key(DS)'], 'v4 v2 v3 v1'],
    [['voyageStatus(AS)'], 'v2 v1 v3 v4'],
    [['isTc(AS)'], 'v2 v1 v3 v4'],
    [['isTc(DSI)'], 'v3 v4 v1 v2'],
    [['estimatedVoyageStartDate(AS)'], 'v4 v1 v2 v3'],
    [['key(DS)'], 'v4 v3 v2 v1'],
    [['key(DS)', 'comments(AS)'], 'v4 v3 v2 v1'],
    [['freight(ASI)', 'freight(DS)'], 'v2 v1 v4 v3'],
  ])('%j: nulls last ascending and first descending, ties by key', async (sorts, expected) => {
    expect(await order(...sorts)).toBe(expected);
  });

  test('without I follows the order of the database and respects case', async () => {
    const { rows } = await pool.query('select vessel_name from flaghoist.vessel order by vessel_name');
    const listed = await list(pool, 'Vessel', [['sort', 'vesselName(AS)']]);
    expect(listed.objects.map(({ vesselName }) => vesselName)).toEqual(rows.map((row) => row.vessel_name));
  });

  test('and filter over the same reference share one join', () => {
    const query: QueryParameter[] = [
      ['filter', 'vessel.vesselName(GT)a'],
      ['sort', 'vessel.vesselName(AS)'],
      ['sort', 'vessel.flag(AS)'],
    ];
    const { text } = compileList(parseListRequest(typeOf('Voyage'), query, { noCount: 'YES' }), links);
    expect(text.match(/left join/g)).toHaveLength(1);
  });

  test('by a text of a megabyte keeps the cursor short', async () => {
    const text = 'x'.repeat(1_000_000);
    const source = await insert(pool, 'voyage', { comments: 'remarked' });
    const remarks = [`${text}b`, `${text}a`, `y${text}`];
    for (const remark_text of remarks) await insert(pool, 'remarks', { source, remark_text });
    const query: QueryParameter[] = [
      ['sort', 'remarkText(AS)'],
      ['limit', '1'],
      ['fields', '{}'],
    ];
    const keys: number[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await list(pool, 'Remarks', after === '' ? query : [...query, ['after', after]]);
      keys.push(...page.keys);
      after = page.next;
      expect(after?.length ?? 0).toBeLessThan(500);
    }
    expect(keys).toHaveLength(3);
    expect(keys).toEqual([...keys].sort((one, other) => one - other));
  });
});

describe('pages', () => {
  const { pool } = useTestDatabase();
  const all: number[] = [];

  beforeAll(async () => {
    for (let index = 0; index < 25; index++) all.push(await insert(pool, 'voyage', { freight: index % 5 }));
  });

  test('are cut by limit and pageNumber', async () => {
    const page = (limit: string, pageNumber: string) =>
      list(pool, 'Voyage', [
        ['limit', limit],
        ['pageNumber', pageNumber],
      ]);
    expect((await page('10', '1')).keys).toEqual(all.slice(0, 10));
    expect((await page('10', '3')).keys).toEqual(all.slice(20));
    expect((await page('10', '4')).keys).toEqual([]);
    expect((await page('2000', '1')).keys).toEqual(all);
    expect((await page('1', '25')).keys).toEqual(all.slice(24));
  });

  test.each([
    ['the first page', [['limit', '10']], 10, true],
    [
      'a page in the middle',
      [
        ['limit', '10'],
        ['pageNumber', '2'],
      ],
      10,
      true,
    ],
    [
      'the last page',
      [
        ['limit', '10'],
        ['pageNumber', '3'],
      ],
      5,
      false,
    ],
    [
      'a last page that is full',
      [
        ['limit', '5'],
        ['pageNumber', '5'],
      ],
      5,
      false,
    ],
    [
      'a page beyond the end',
      [
        ['limit', '10'],
        ['pageNumber', '9'],
      ],
      0,
      false,
    ],
    ['a list without pages', [], 25, false],
  ] as [string, QueryParameter[], number, boolean][])(
    '%s has the total number of matches, and whether more follow',
    async (_, query, count, hasMore) => {
      expect(await list(pool, 'Voyage', query)).toMatchObject({ total: 25, count, hasMore });
      expect(await list(pool, 'Voyage', query, { noCount: 'YES' })).toMatchObject({ total: undefined, count, hasMore });
      const filtered = await list(pool, 'Voyage', [['filter', 'freight(GTE)3'], ...query]);
      expect(filtered.total).toBe(10);
    },
  );

  test('by a cursor still count all matches', async () => {
    const query: QueryParameter[] = [
      ['filter', 'freight(GTE)3'],
      ['limit', '4'],
    ];
    const first = await list(pool, 'Voyage', query);
    const second = await list(pool, 'Voyage', [...query, ['after', first.next!], ['pageNumber', '2']]);
    expect([first.total, second.total]).toEqual([10, 10]);
    expect([...first.keys, ...second.keys]).toEqual(all.filter((_, index) => index % 5 >= 3).slice(0, 8));
  });

  test('by a cursor end with the list', async () => {
    const seen: number[] = [];
    const query: QueryParameter[] = [
      ['sort', 'freight(DS)'],
      ['limit', '7'],
    ];
    let after: string | undefined;
    do {
      const page = await list(pool, 'Voyage', after === undefined ? query : [...query, ['after', after]]);
      seen.push(...page.keys);
      expect(page.hasMore).toBe(page.next !== undefined);
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual([4, 3, 2, 1, 0].flatMap((freight) => all.filter((_, index) => index % 5 === freight)));
  });

  test('of an empty list are empty', async () => {
    expect(await list(pool, 'Cargo')).toMatchObject({
      objects: [],
      total: 0,
      count: 0,
      hasMore: false,
      next: undefined,
    });
    expect((await list(pool, 'Cargo')).texts).toEqual([]);
  });
});

describe('a list without limit', () => {
  const { pool } = useTestDatabase();

  beforeAll(async () => {
    await pool.query("insert into flaghoist.vessel (vessel_name) select 'v' || n from generate_series(1, 2001) n");
  });

  test('of more than 2000 objects is not rendered, and reports it', async () => {
    expect(await list(pool, 'Vessel')).toMatchObject({ objects: [], hasMore: true, total: 2001 });
  });

  test('of exactly 2000 objects is complete', async () => {
    expect(await list(pool, 'Vessel', [['filter', 'vesselName(NE)v7']])).toMatchObject({
      count: 2000,
      hasMore: false,
      total: 2000,
    });
  });

  test('has 2000 per page if it is paged', async () => {
    const page = await list(pool, 'Vessel', [['pageNumber', '1']]);
    expect(page).toMatchObject({ count: 2000, hasMore: true, total: 2001 });
    expect(page.objects).toHaveLength(2000);
  });
});

test('the same request always has the same text, which does not contain its values', () => {
  const compile = (name: string, limit: string) => {
    const query: QueryParameter[] = [
      ['filter', `vessel.vesselName(EQ)${name}`],
      ['filter', 'portCalls.speed(IN)(1,2)'],
      ['limit', limit],
    ];
    return compileList(parseListRequest(typeOf('Voyage'), query, {}), links);
  };
  expect(compile('a', '5').text).toBe(compile("'; --", '5').text);
  expect(compile('a', '5').values).toEqual(['a', ['1', '2']]);
  expect(compile('a', '5').text).not.toBe(compile('a', '6').text);
});
