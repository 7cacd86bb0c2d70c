// Parameters: a statement receives exactly the values that it was given.

import { afterAll, expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url } = useTestDatabase({ isMigrated: false });
const database = new Database({ url, observe: () => undefined, connectionsMax: 1, statementTimeoutMs: 5_000 });
afterAll(() => database.close());

test.each([
  ['text', 'text', 'a"b\\c{},\n🚢'],
  ['bigint', 'an integer', 9_007_199_254_740_991],
  ['numeric', 'a fraction', -1.5],
  ['boolean', 'true or false', false],
  ['jsonb', 'an object', { a: [1, null, '"'], b: {} }],
  ['text', 'null', null],
  ['text[]', 'no texts', []],
  ['text[]', 'texts', ['', ' ', 'NULL', 'null', '"', '\\', '\\"', '{', '}', ',', '\n\t', 'aø漢🚢', null]],
  ['bigint[]', 'numbers', [0, -2, 9_007_199_254_740_991]],
])('%s: %s', async (type, _, value) => {
  expect(await database.run({ text: `select to_jsonb($1::${type}) as found`, values: [value] })).toEqual([
    { found: value },
  ]);
});

test('undefined is sent as null, and bytes are sent unchanged', async () => {
  const bytes = Buffer.from([0, 255]);
  const text = 'select $1::text as missing, $2::bytea as bytes';
  expect(await database.run({ text, values: [undefined, bytes] })).toEqual([{ missing: null, bytes }]);
});
