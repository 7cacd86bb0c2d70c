// A live row has the same values as its image in an event, whatever they are, because notifications mix both.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStoredRow, type StoredRow } from '../../src/events/stored-row.ts';
import { buildModel, type Declarations } from '../../src/model/build-model.ts';
import type { ObjectType } from '../../src/model/object-type.ts';
import { selectLive } from '../../src/snapshots/object-rows-table.ts';
import { useObjects } from '../objects/objects-fixture.ts';
import { countRuns } from './payload-fixture.ts';
import { awkwardDecimals, awkwardText } from './world.ts';

const attributes: Declarations[string]['attributes'] = {
  name: { kind: 'text', maxLength: 200 },
  grade: { kind: 'code', values: ['A', 'B'] },
  weight: { kind: 'decimal' },
  count: { kind: 'integer' },
  isSealed: { kind: 'boolean' },
  takenAt: { kind: 'dateTime' },
  tags: { kind: 'textList' },
  details: { kind: 'json' },
  formerly: { kind: 'key' },
};

const declarations: Declarations = {
  Sample: { attributes: { ...attributes, beside: { kind: 'reference', to: 'Sample' } } },
  // Its images are built differently, because they omit columns.
  Filed: {
    attributes: {
      ...attributes,
      sample: { kind: 'owner', to: 'Sample', collection: 'filed' },
      photo: { kind: 'binary', isOnDemand: true },
      secret: { kind: 'text', isHidden: true },
    },
  },
};

const { database } = useObjects(declarations);
const { types } = buildModel(declarations);

const casts: Record<string, string> = {
  name: 'text',
  grade: 'text',
  weight: 'numeric',
  count: 'integer',
  is_sealed: 'boolean',
  taken_at: 'timestamp',
  tags: 'text[]',
  details: 'jsonb',
  formerly: 'bigint',
};

function typeOf(table: string): ObjectType {
  return [...types.values()].find((type) => type.table === table)!;
}

/** Compares the live rows with the images of their events. */
async function expectBoth(name: string, column: string, values: readonly (string | null)[]): Promise<void> {
  const { rows } = await database.pool.query<{ key: string }>(
    `insert into flaghoist.${name} (${column}) select v::${casts[column]} from unnest($1::text[]) as v returning key`,
    [values],
  );
  const keys = rows.map(({ key }) => Number(key));
  const [live = []] = await countRuns(database).run(selectLive(typeOf(name), 'key', keys));
  const images = await imagesOf(name, keys);
  expect(live).toHaveLength(values.length);
  const columns = live.map(({ xmin: _, ...row }) => row as StoredRow);
  expect(byKey(columns)).toEqual(byKey(images));
}

async function imagesOf(name: string, keys: readonly number[]): Promise<StoredRow[]> {
  const { rows } = await database.pool.query<{ row: string }>(
    'select new_row::text as row from flaghoist_system.event where object_key = any($1::bigint[])',
    [keys],
  );
  return rows.map(({ row }) => readStoredRow(row, typeOf(name)));
}

function byKey(rows: readonly StoredRow[]): StoredRow[] {
  return [...rows].sort((a, b) => Number(a.key) - Number(b.key));
}

const given: [column: string, values: (string | null)[]][] = [
  ['name', ['', ' ', 'null', 'T', awkwardText.slice(0, 200), 'ÆØÅ 渡り鳥 🚢', 'a\nb\tc\\d"e', null]],
  ['grade', ['A', 'B', null]],
  ['weight', ['0', '-0.00000001', '1e-8', '12.50', '1234567.12345678', '9999999999999999.99999999', 'NaN', null]],
  ['weight', awkwardDecimals.map(String)],
  ['count', ['0', '-1', '2147483647', '-2147483648', null]],
  ['is_sealed', ['true', 'false', null]],
  ['taken_at', ['2026-11-17 01:02:03', '1969-12-31 23:59:59', '0044-03-15 00:00:00 BC', '12026-01-01 00:00:00', null]],
  ['taken_at', ['infinity', '-infinity']],
  ['tags', ['{}', '{a,"b c","q\\"uote","{}",""}', null]],
  ['details', ['{"b": [1.50, "}\\"{"], "a": {}}', '[]', '1.50', '"x"', 'true', 'null', null]],
  ['formerly', ['1', '999999999999999', '-99999999999999', '1000000000000000', '9007199254740991', null]],
  ['formerly', ['9007199254740993', '9223372036854775807', '-9223372036854775808', '1000000000000000000']],
];

describe.each(['sample', 'filed'])('%s', (name) => {
  test.each(given)('%s: %j', (column, values) => expectBoth(name, column, values));
});

test('any decimal, of any number of digits; any integer and text', async () => {
  const seed = Date.now() % 1_000_000;
  const sample = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { numRuns: 500, seed });
  const decimal = fc
    .integer({ min: 1, max: 24 })
    .chain((digits) => fc.bigInt(-(10n ** BigInt(digits)) + 1n, 10n ** BigInt(digits) - 1n));
  const decimals = sample(decimal).map((units) => `${units}e-8`);
  const texts = sample(fc.string({ unit: 'grapheme', maxLength: 50 })).map((text) => text.replaceAll('\0', ''));
  try {
    await expectBoth('sample', 'weight', decimals);
    await expectBoth('sample', 'count', sample(fc.integer()).map(String));
    await expectBoth('sample', 'name', texts);
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  }
});

test('keys of owners and references are numbers; files and hidden columns are not loaded', async () => {
  const { rows } = await database.pool.query<{ key: string }>(
    `with one as (insert into flaghoist.sample (name) values ('one') returning key)
     insert into flaghoist.filed (sample, photo, secret) select key, 'photo', 'secret' from one
       returning sample as key`,
  );
  const owner = Number(rows[0]!.key);
  await database.pool.query('insert into flaghoist.sample (beside) values ($1)', [owner]);
  const { run } = countRuns(database);
  const [filed = [], beside = []] = await run(
    selectLive(typeOf('filed'), 'sample', [owner]),
    selectLive(typeOf('sample'), 'beside', [owner]),
  );
  expect([filed[0]!.sample, beside[0]!.beside]).toEqual([owner, owner]);
  expect(filed.flatMap(Object.keys)).not.toContain('photo');
  expect(filed.flatMap(Object.keys)).not.toContain('secret');
});

describe('a column that another process alters meanwhile', () => {
  async function readTimes(times: number): Promise<StoredRow[]> {
    const { rows } = await database.pool.query(
      `insert into flaghoist.sample (name, count) values ('x', 7) returning key`,
    );
    let live: StoredRow[] = [];
    // Often enough for a prepared statement.
    for (let time = 0; time < times; time += 1)
      live = (await database.connections.run(
        selectLive(typeOf('sample'), 'key', [Number(rows[0].key)]),
      )) as StoredRow[];
    return live;
  }

  test('is still read if it was made wider', async () => {
    await readTimes(8);
    await database.pool.query('alter table flaghoist.sample alter column name type varchar(400)');
    expect(await readTimes(8)).toMatchObject([{ name: 'x', count: 7 }]);
  });

  test('is rejected if its type differs from the model: no wrong value is sent', async () => {
    await readTimes(8);
    await database.pool.query(`alter table flaghoist.sample alter column count type text using count || '.5'`);
    await expect(database.connections.run(selectLive(typeOf('sample'), 'key', await keysWithCount()))).rejects.toThrow(
      'another type than the model says',
    );
  });

  async function keysWithCount(): Promise<number[]> {
    const { rows } = await database.pool.query('select key from flaghoist.sample where count is not null limit 1');
    return rows.map(({ key }) => Number(key));
  }
});
