// How a message shows a text: its position, and the text without characters that could disturb a terminal.

import { expect, test } from 'vitest';
import { decodeUtf8 } from '../src/decode-utf8.ts';
import { placeInText } from '../src/place-in-text.ts';
import { printable, quoteText, storableMessage } from '../src/printable.ts';

test.each([
  ['the start', 'ab', 0, { line: 1, column: 1 }],
  ['after LF', 'a\nb', 2, { line: 2, column: 1 }],
  ['after CR LF, which is one line break', 'a\r\nbc', 4, { line: 2, column: 2 }],
  ['after CR', 'a\rb', 2, { line: 2, column: 1 }],
  ['the end of several lines', '\n\n', 2, { line: 3, column: 1 }],
])('line and column count from 1: %s', (_, text, offset, place) => {
  expect(placeInText(text, offset)).toEqual(place);
});

test.each([
  ['a\u0000b', 'aU+0000b'],
  ['\u001b[31m', 'U+001B[31m'],
  ['a\u00a0b', 'aU+00A0b'],
  ['a b', 'a b'],
  ['Größe 🚢', 'Größe 🚢'],
])('invisible characters are named: %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('a quoted text is cut to 40 characters, and a stored message to 2,000', () => {
  expect(quoteText('x'.repeat(40))).toBe(`"${'x'.repeat(40)}"`);
  expect(quoteText('x'.repeat(41))).toBe(`"${'x'.repeat(40)}…"`);
  expect(storableMessage('x'.repeat(3_000))).toHaveLength(2_000);
});

test('bytes that are not UTF-8 are not decoded, and a byte order mark stays', () => {
  expect(decodeUtf8(Buffer.from('Ærø'))).toBe('Ærø');
  expect(decodeUtf8(Buffer.from([0xc3, 0x28]))).toBeUndefined();
  expect(decodeUtf8(Buffer.from('\uFEFFa'))).toBe('\uFEFFa');
});
