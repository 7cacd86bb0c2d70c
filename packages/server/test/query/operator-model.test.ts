// Types that an operator declares: statements work whatever their attributes are called.

import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { parseListRequest, parseReadRequest } from '../../src/query/list-request.ts';
import { compileList } from '../../src/query/list-statement.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { compileRead } from '../../src/query/read-statement.ts';
import { asTexts } from '../support/as-texts.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { insert, links, runList } from './query-fixture.ts';

const { pool, url } = useTestDatabase({ isMigrated: false });

/** Names that the generated SQL uses itself, and words that SQL reserves. */
const awkwardNames = [
  'v',
  't',
  'p',
  'r1',
  'c1',
  'page',
  'object',
  'state',
  'found',
  'place',
  'wanted',
  'rowNumber',
  'order',
];

const model = buildModel({
  Berth: {
    attributes: {
      ...Object.fromEntries(
        [...awkwardNames, 'select', 'table', 'user'].map((name) => [name, { kind: 'text' as const }]),
      ),
      next: { kind: 'reference', to: 'Berth' },
    },
  },
  Crane: { attributes: { v: { kind: 'text' }, t: { kind: 'owner', to: 'Berth', collection: 'c2', isRequired: true } } },
});
const berth = model.types.get('Berth')!;

beforeAll(async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migrate(client, model);
  await client.end();
});

async function read(key: number, fields?: string): Promise<Record<string, unknown>> {
  const { rows } = await pool.query({
    text: compileRead(parseReadRequest(berth, [], { fields }), links),
    values: [key],
    types: asTexts,
  });
  return JSON.parse(rows[0].object);
}

describe('awkward names', () => {
  test('of attributes are shown, sorted and filtered by like any other', async () => {
    const row = Object.fromEntries(awkwardNames.map((name) => [`"${name.replace('N', '_n')}"`, `the ${name}`]));
    const key = await insert(pool, 'berth', row);
    await insert(pool, 'crane', { t: key, v: 'crane' });
    const object = await read(key);
    for (const name of awkwardNames) {
      expect(object[name]).toBe(`the ${name}`);
      const query: QueryParameter[] = [
        ['filter', `${name}(EQ)the ${name}`],
        ['filter', 'c2.v(EQ)crane'],
        ['filter', `c2.t.${name}(NOTNULL)`],
        ['sort', `${name}(DS)`],
        ['limit', '1'],
      ];
      const { texts } = await runList(pool, compileList(parseListRequest(berth, query, {}), links));
      expect(JSON.parse(texts.join())).toMatchObject({ key, [name]: `the ${name}` });
    }
    expect(object.c2).toMatchObject([{ v: 'crane', t: { key } }]);
  });
});

describe('a chain of references', () => {
  test('is followed over 64 levels in one statement', async () => {
    const first = await insert(pool, 'berth', { v: 'level 0' });
    let last = first;
    for (let level = 1; level < 64; level++) last = await insert(pool, 'berth', { v: `level ${level}`, next: last });
    const nest = (levels: number): string => (levels === 1 ? '{"v":"*"}' : `{"v":"*","next":${nest(levels - 1)}}`);
    let object: Record<string, unknown> | null = await read(last, nest(64));
    for (let level = 63; level >= 0; level--) {
      expect(object?.v).toBe(`level ${level}`);
      object = (object?.next ?? null) as Record<string, unknown> | null;
    }
    expect(object).toBeNull();
  });

  test('is filtered and sorted by over ten names', async () => {
    const path = `${'next.'.repeat(9)}v`;
    const query: QueryParameter[] = [
      ['filter', `${path}(EQ)level 20`],
      ['sort', `${path}(AS)`],
    ];
    const { texts } = await runList(pool, compileList(parseListRequest(berth, query, {}), links));
    expect(JSON.parse(texts.join())).toMatchObject({ v: 'level 29' });
  });
});
