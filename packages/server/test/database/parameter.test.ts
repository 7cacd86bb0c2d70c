// Parameters: what the statement gets is what was given.

import { expect, test } from 'vitest';
import { parameterOf } from '../../src/database/parameter.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { pool } = useTestDatabase({ isMigrated: false });

test.each([
  ['text', 'text', 'a"b\\c{},\n🚢'],
  ['bigint', 'an integer', 9_007_199_254_740_991],
  ['numeric', 'a fraction', -1.5],
  ['boolean', 'true or false', false],
  ['jsonb', 'an object', { a: [1, null, '"'], b: {} }],
  ['text', 'nothing', null],
  ['text[]', 'no texts', []],
  ['text[]', 'texts', ['', ' ', 'NULL', 'null', '"', '\\', '\\"', '{', '}', ',', '\n\t', 'aø漢🚢', null]],
  ['bigint[]', 'numbers', [0, -2, 9_007_199_254_740_991]],
])('%s: %s', async (type, _, value) => {
  const { rows } = await pool.query(`select to_jsonb($1::${type}) as found`, [parameterOf(value)]);
  expect(rows[0].found).toEqual(value);
});

test('what is not given is null, and bytes are sent as they are', () => {
  const bytes = Buffer.from([0, 255]);
  expect([parameterOf(undefined), parameterOf(bytes)]).toEqual([null, bytes]);
});
