// Base64 as people paste it.

import { expect, test } from 'vitest';
import { decodeBase64 } from '../src/decode-base64.ts';

const text = '{"extraCost":"*"}';
const encoded = Buffer.from(text).toString('base64');

test.each([
  ['as an encoder writes it', encoded],
  ['with the line break that `base64` prints', `${encoded}\n`],
  ['in lines', encoded.replace(/.{8}/g, '$&\r\n')],
  ['with blanks and tabs', ` ${encoded.slice(0, 5)}\t${encoded.slice(5)} `],
  ['without padding', encoded.replace(/=+$/, '')],
  ['with more padding than needed', `${encoded}==`],
])('%s', (_, written) => {
  expect(decodeBase64(written)).toEqual({ kind: 'bytes', bytes: Buffer.from(text) });
});

test('nothing is no bytes', () => {
  expect(decodeBase64(' \n')).toEqual({ kind: 'bytes', bytes: Buffer.alloc(0) });
});

test.each([
  ['another alphabet', 'e30-', 'is not Base64: "-" at position 4 is not in its alphabet.'],
  ['another kind of space', 'e3\u00a00', 'is not Base64: "\u00a0" at position 3 is not in its alphabet.'],
  ['padding in the middle', 'e3=0', 'is not Base64: "=" is allowed only at the end.'],
  ['bits that are not used', 'e31=', 'is not Base64: its last character is missing or wrong.'],
  ['one character', 'e', 'is not Base64: its last character is missing or wrong.'],
])('%s is rejected', (_, written, message) => {
  expect(decodeBase64(written)).toEqual({ kind: 'mistake', message });
});

test('a million padding characters take no time to speak of', () => {
  expect(decodeBase64(`${'='.repeat(1_000_000)}A`)).toMatchObject({ kind: 'mistake' });
});
