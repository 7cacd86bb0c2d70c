// Numbers that a double cannot hold become strings, and nothing else changes.

import { expect, test } from 'vitest';
import { parseAnswer } from '../src/client/parse-answer.ts';

test.each([
  ['{"a":12345678901234567890}', { a: '12345678901234567890' }],
  ['{"a":9007199254740993,"b":9007199254740992}', { a: '9007199254740993', b: 9007199254740992 }],
  ['[0.1,1.10,100,-0.5,1e3,1.5E-7,0,0.000]', [0.1, 1.1, 100, -0.5, 1000, 1.5e-7, 0, 0]],
  ['[1e999,-1e999]', ['1e999', '-1e999']],
  [
    '["12345678901234567890","\\"12345678901234567890","\\\\",1]',
    ['12345678901234567890', '"12345678901234567890', '\\', 1],
  ],
  ['{"12345678901234567890":[true,null]}', { '12345678901234567890': [true, null] }],
])('%s', (text, parsed) => {
  expect(parseAnswer(text, true)).toEqual(parsed);
});

test('without exactNumbers, numbers are those of JSON.parse', () => {
  expect(parseAnswer('[12345678901234567890]', false)).toEqual([12345678901234567000]);
});

test('a text of many megabytes is read without overflow', () => {
  const file = 'A\\"'.repeat(5_000_000);
  expect(parseAnswer(`{"file":"${file}","n":1}`, true)).toMatchObject({ n: 1 });
});
