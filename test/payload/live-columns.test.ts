// A live row has the values that its image in an event has, whatever is in it: notifications mix both.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRow, type StoredRow } from '../../src/events/stored-row.ts';
import { buildModel, type Declarations } from '../../src/model/build-model.ts';
import { planOf } from '../../src/payload/load-plan.ts';
import { selectRows } from '../../src/payload/object-rows-table.ts';
import { tablesFor } from '../../src/payload/wanted-tables.ts';
import { wholeView } from '../../src/query/view.ts';
import { useObjects } from '../objects/objects-fixture.ts';
import { countRuns } from './payload-fixture.ts';
import { awkwardDecimals, awkwardText } from './world.ts';

const declarations: Declarations = {
  Sample: {
    attributes: {
      name: { kind: 'text' },
      grade: { kind: 'code', values: ['A', 'B'] },
      weight: { kind: 'decimal' },
      count: { kind: 'integer' },
      isSealed: { kind: 'boolean' },
      takenAt: { kind: 'dateTime' },
      tags: { kind: 'textList' },
      details: { kind: 'json' },
      beside: { kind: 'reference', to: 'Sample' },
    },
  },
};

const { database } = useObjects(declarations);
const type = buildModel(declarations).types.get('Sample')!;
const table = tablesFor(new Set([planOf(wholeView(type))])).get('sample')!;

/** Live, and as an event would have it. */
async function readBoth(column: string, values: readonly unknown[]): Promise<{ live: unknown[]; image: unknown[] }> {
  const insert = `insert into flaghoist.sample (${column}) select v::${casts[column]} from unnest($1::text[]) with ordinality as u (v, n) order by n returning key`;
  const { rows } = await database.pool.query<{ key: string }>(insert, [values]);
  const keys = rows.map(({ key }) => Number(key));
  const { run } = countRuns(database.pool);
  const [live = []] = await run(selectRows(table, keys));
  const images = await database.pool.query<{ row: string }>(
    'select new_row::text as row from flaghoist_system.event where object_key = any($1::bigint[])',
    [keys],
  );
  const jsonColumns = new Set(['details']);
  return {
    live: inOrder(live as StoredRow[], column),
    image: inOrder(
      images.rows.map(({ row }) => readRow(row, jsonColumns)),
      column,
    ),
  };
}

function inOrder(rows: readonly StoredRow[], column: string): unknown[] {
  return [...rows].sort((a, b) => Number(a.key) - Number(b.key)).map((row) => row[column]);
}

const casts: Record<string, string> = {
  name: 'text',
  grade: 'text',
  weight: 'numeric',
  count: 'integer',
  is_sealed: 'boolean',
  taken_at: 'timestamp',
  tags: 'text[]',
  details: 'json',
  beside: 'bigint',
};

const given: [column: string, values: (string | null)[]][] = [
  ['name', ['', ' ', 'null', 'T', awkwardText, 'ÆØÅ 渡り鳥 🚢', 'a\nb\tc\\d"e', null]],
  ['grade', ['A', 'B', null]],
  ['weight', ['0', '-0.00000001', '1e-8', '12.50', '1234567.12345678', '9999999999999999.99999999', 'NaN', null]],
  ['weight', awkwardDecimals.map(String)],
  ['count', ['0', '-1', '2147483647', '-2147483648', null]],
  ['is_sealed', ['true', 'false', null]],
  ['taken_at', ['2026-11-17 01:02:03', '1969-12-31 23:59:59', '0044-03-15 00:00:00 BC', '12026-01-01 00:00:00', null]],
  ['taken_at', ['infinity', '-infinity']],
  ['tags', ['{}', '{a,"b c","q\\"uote","{}",NULL,""}', null]],
  ['details', ['{"b": [1.50, "}\\"{"], "a": {}}', '[]', '1.50', '"x"', 'true', null]],
  ['beside', [null]],
];

test.each(given)('%s: %j', async (column, values) => {
  const { live, image } = await readBoth(column, values);
  expect(live).toHaveLength(values.length);
  expect(live).toEqual(image);
});

test('any decimal, integer and text', async () => {
  const decimals = fc.sample(fc.bigInt(-(10n ** 24n) + 1n, 10n ** 24n - 1n), 500).map((units) => `${units}e-8`);
  const short = fc.sample(fc.bigInt(-(10n ** 12n), 10n ** 12n), 500).map((units) => `${units}e-8`);
  const integers = fc.sample(fc.integer(), 500).map(String);
  const texts = fc.sample(fc.string({ unit: 'grapheme' }), 500).map((text) => text.replaceAll('\0', ''));
  for (const [column, values] of Object.entries({ weight: [...decimals, ...short], count: integers, name: texts })) {
    const { live, image } = await readBoth(column, values);
    expect(live).toHaveLength(values.length);
    expect(live).toEqual(image);
  }
});
