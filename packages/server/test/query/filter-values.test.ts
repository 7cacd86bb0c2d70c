// The text of values in filters: quotes, escapes and patterns, against a real database.

import { beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '../support/test-database.ts';
import { find, insert } from './query-fixture.ts';

const { pool } = useTestDatabase();

describe('the text of a value', () => {
  beforeAll(async () => {
    for (const text of awkward) await insert(pool, 'commodity', { commodity_code: text, commodity_name: text });
  });

  const awkward = [
    'a,b',
    'a)b',
    '(a',
    'a"b',
    'a\\b',
    '50%',
    '50x',
    'a_b',
    ' a ',
    "'; drop table x; --",
    '$1',
    '',
  ].concat(['{{7*7}}', '\u202e', 'Ærø', '👍', '(EQ)', 'a\nb', 'NULL', '\\', '"']);

  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

  test.each(awkward)('is found unchanged in quotes: %j', async (text) => {
    expect(await names(`commodityName(EQ)${quote(text)}`)).toEqual([text]);
    expect(await names(`commodityName(IN)(${quote(text)}, "nothing")`)).toEqual([text]);
  });

  test.each(awkward.filter((text) => text !== '' && !/^["(]/.test(text)))(
    'needs no quotes on its own: %j',
    async (text) => {
      expect(await names(`commodityName(EQ)${text}`)).toEqual([text]);
    },
  );

  test('in a list, spaces count only inside quotes', async () => {
    expect(await names('commodityName(IN)( 50% , " a " )')).toEqual([' a ', '50%']);
    expect(await names('commodityName(IN)( a )')).toEqual([]);
  });

  test('in a pattern, % matches any text and _ one character', async () => {
    expect(await names('commodityName(LIKE)50_')).toEqual(['50%', '50x']);
    expect(await names('commodityName(LIKE)a%b')).toEqual(['a\nb', 'a"b', 'a)b', 'a,b', 'a\\b', 'a_b'].sort());
  });

  test.each([
    ['50\\%', ['50%']],
    ['"50\\\\%"', ['50%']],
    ['a\\_b', ['a_b']],
    ['a\\\\b', ['a\\b']],
    ['a\\b', ['a\\b']],
    ['\\', ['\\']],
    ['%\\b', ['a\\b']],
  ])(
    'in a pattern, a backslash makes %%, _ and \\ ordinary, and is itself before anything else: %s',
    async (pattern, expected) => {
      expect(await names(`commodityName(LIKE)${pattern}`)).toEqual(expected);
      expect(await names(`commodityName(ILIKE)${pattern}`)).toEqual(expected);
    },
  );

  async function names(filter: string): Promise<string[]> {
    const fits = await find(pool, 'Commodity', filter);
    const { rows } = await pool.query('select commodity_name from flaghoist.commodity where key = any($1)', [fits]);
    return rows.map((row) => row.commodity_name).sort();
  }
});
