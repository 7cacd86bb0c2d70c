import { expect, test } from 'vitest';
import { parseGrace } from '../../src/cli/parse-grace.ts';

test.each([
  ['0', 0],
  ['45', 45],
  ['90s', 90],
  ['30m', 1_800],
  ['24h', 86_400],
  ['7d', 604_800],
  ['30d', 2_592_000],
  ['2592000', 2_592_000],
])('%s is %i seconds', (text, seconds) => {
  expect(parseGrace(text)).toBe(seconds);
});

test.each(['', ' ', '-1', '1.5h', '1e3', 'h', '1w', '1H', '24 h', '24h ', '31d', '2592001', '99999999', '٣'])(
  '%j is rejected, with what is allowed',
  (text) => {
    expect(() => parseGrace(text)).toThrow('Give a time from 0 to 30d, such as 30m, 24h, 7d, or a number of seconds.');
  },
);
