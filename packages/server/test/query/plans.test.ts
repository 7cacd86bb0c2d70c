// How PostgreSQL reads lists of a large table: over indexes, in list order, without sorting or reading all of it.

import { beforeAll, describe, expect, test } from 'vitest';
import { parseListRequest } from '../../src/query/list-request.ts';
import { compileList } from '../../src/query/list-statement.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { links, list, typeOf } from './query-fixture.ts';

const { pool } = useTestDatabase();
let vessel: number;

beforeAll(async () => {
  const client = await pool.connect();
  // No events: these rows are only here to be many.
  for (const table of ['voyage', 'port_call'])
    await client.query(`alter table flaghoist.${table} disable trigger user`);
  await client.query(`
    insert into flaghoist.currency (currency_code) select 'C' || n from generate_series(1, 50) n;
    insert into flaghoist.port (un_lo_code) select 'P' || n from generate_series(1, 500) n;
    insert into flaghoist.vessel (vessel_name) select 'vessel ' || n from generate_series(1, 200) n;
    insert into flaghoist.voyage (vessel, freight)
      select (select min(key) from flaghoist.vessel) + n % 200, n from generate_series(1, 100000) n;
    insert into flaghoist.port_call (voyage, port, currency, reason_for_call, port_call_sequence)
      select v.key, p.first + v.key % 500, c.first + v.key % 50, 'L', 1 from flaghoist.voyage v,
        (select min(key) as first from flaghoist.port) p, (select min(key) as first from flaghoist.currency) c;
  `);
  await client.query('analyze');
  client.release();
  vessel = (await pool.query('select min(key)::int as key from flaghoist.vessel')).rows[0].key;
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** `Index Scan on voyage by voyage__key__pkey`, one for each node that reads a table or sorts what is read from one. */
async function plan(type: string, query: QueryParameter[], noCount = 'YES'): Promise<string[]> {
  const { text, values } = compileList(
    parseListRequest(typeOf(type), [...query, ['limit', '100']], { noCount }),
    links,
  );
  const client = await pool.connect();
  try {
    // The settings that the embedded server runs with.
    await client.query('begin; set local random_page_cost = 1.1; set local jit = off');
    const { rows } = await client.query(`explain (format json) ${text}`, values);
    return describePlan(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function describePlan(node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap(describePlan);
  if (node['Node Type'].includes('Sort')) return below.length === 0 ? [] : ['Sort', ...below];
  const by = node['Index Name'] === undefined ? '' : ` by ${node['Index Name']}`;
  return node['Relation Name'] === undefined
    ? below
    : [`${node['Node Type']} on ${node['Relation Name']}${by}`, ...below];
}

describe('the first page', () => {
  test('of all objects is read from the index of keys', async () => {
    expect(await plan('Voyage', [])).toEqual(['Index Scan on voyage by voyage__key__pkey']);
  });

  test('of objects that refer to one is read from the index of the reference, in key order', async () => {
    expect(await plan('Voyage', [['filter', `vessel(EQ)${vessel}`]])).toEqual([
      'Index Scan on voyage by voyage__vessel__index',
    ]);
  });

  test.each(['currency(EQ)C7', 'currency.currencyCode(EQ)C7'])(
    'of %s looks up the code once and reads the index of the reference, in key order',
    async (filter) => {
      const nodes = await plan('PortCall', [['filter', filter]]);
      expect(nodes.filter((node) => !node.includes('on currency'))).toEqual([
        'Index Scan on port_call by port_call__currency__index',
      ]);
    },
  );

  test.each([
    ['Voyage', 'vessel.vesselName(EQ)vessel 7'],
    ['Voyage', 'portCalls.port.unLoCode(EQ)P17'],
    ['PortCall', 'port(IN)(P17,P18)'],
    ['PortCall', 'voyage.vessel(EQ)1'],
    ['PortCall', 'voyage.referenceNo(EQ)77'],
  ])('of %s with %s scans no large table', async (type, filter) => {
    const nodes = await plan(type, [['filter', filter]], 'NO');
    expect(nodes.filter((node) => /Seq Scan on (voyage|port_call)/.test(node))).toEqual([]);
  });
});

test('matches over other tables are found by key, and only the objects of the page are read', async () => {
  await pool.query('vacuum flaghoist.voyage');
  const nodes = await plan('Voyage', [['filter', 'vessel.vesselName(EQ)vessel 7']]);
  expect(nodes).toContain('Index Only Scan on voyage by voyage__vessel__index');
});

test('a page after a cursor starts at the cursor', async () => {
  const query: QueryParameter[] = [['filter', `vessel(EQ)${vessel}`]];
  const { next } = await list(pool, 'Voyage', [...query, ['limit', '100']]);
  expect(await plan('Voyage', [...query, ['after', next!]])).toEqual(['Index Scan on voyage by voyage__vessel__index']);
  const everything = await list(pool, 'Voyage', [['limit', '100']]);
  expect(await plan('Voyage', [['after', everything.next!]])).toEqual(['Index Scan on voyage by voyage__key__pkey']);
});

test('the default view of a list reads only its own table', () => {
  const { text } = compileList(parseListRequest(typeOf('BunkerOrder'), [], {}), links);
  expect(new Set(text.match(/flaghoist\."\w+"/g))).toEqual(new Set(['flaghoist."bunker_order"']));
});

test('joins of the sorts are not part of the count', () => {
  const { text } = compileList(parseListRequest(typeOf('Voyage'), [['sort', 'vessel.vesselName(AS)']], {}), links);
  expect(text.match(/left join/g)).toHaveLength(1);
});
