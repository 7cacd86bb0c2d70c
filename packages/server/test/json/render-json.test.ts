// Parsed JSON is rendered as JSON of the same meaning.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/json/parse-json.ts';
import { renderJson } from '../../src/json/render-json.ts';

test('any JSON has the same value after it was parsed and rendered', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!/__proto__|constructor|prototype|\\u0000|\\ud[89a-f]/i.test(text));
      expect(JSON.parse(renderJson(parseJson(text))!)).toEqual(normalZero(JSON.parse(text)));
    }),
  );
});

test.each([
  ['{"b":1,"a":[true,null,"x\\n\\""]}', '{"b":1,"a":[true,null,"x\\n\\""]}'],
  ['12345678901234567890.123456789', '12345678901234567890.123456789'],
  [' [ 1.50 , 1e3 , -0 ] ', '[1.5,1000,0]'],
])('%s is written as %s', (text, expected) => {
  expect(renderJson(parseJson(text))).toBe(expected);
});

test.each(['1e400', '[1e-401]', '{"a":[{"b":1e999999}]}'])(
  'a value with a number that is too long is rejected as a whole: %s',
  (text) => {
    expect(renderJson(parseJson(text))).toBeUndefined();
  },
);

/** JSON has no negative zero that anybody could tell apart. */
function normalZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
