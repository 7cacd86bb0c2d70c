// Arrays as parameters: a statement receives exactly the elements that it was given.

import { expect, test } from 'vitest';
import { numberArray, textArray } from '../../src/database/array-parameter.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { pool } = useTestDatabase({ isMigrated: false });

test.each([
  ['nothing', []],
  ['plain text', ['a', 'b']],
  ['what array literals have to escape', ['"', '\\', '{', '}', ',', ' ', '', 'NULL', 'null', '\\"', '\n\t']],
  ['null beside text', [null, 'a', null, '']],
  ['characters of one to four bytes', ['a', 'ø', '漢', '🚢', 'aø漢🚢'.repeat(1000)]],
])('texts reach the database unchanged: %s', async (_, texts) => {
  const { rows } = await pool.query(
    'select coalesce(json_agg(t order by place), $2::json) as found from unnest($1::text[]) with ordinality as u ' +
      '(t, place)',
    [textArray(texts), '[]'],
  );
  expect(rows[0].found).toEqual(texts);
});

test('half of a surrogate pair, which UTF-8 cannot encode, becomes a replacement character', async () => {
  const { rows } = await pool.query('select $1::text[] as found', [textArray(['a\ud83db', 'c'])]);
  expect(rows[0].found).toEqual(['a\ufffdb', 'c']);
});

test.each([[[]], [[0]], [[1, -2, 9_007_199_254_740_991]]])(
  'numbers reach the database unchanged: %j',
  async (numbers) => {
    const { rows } = await pool.query('select array_to_json($1::bigint[]) as found', [numberArray(numbers)]);
    expect(rows[0].found).toEqual(numbers);
  },
);
