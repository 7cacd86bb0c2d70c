// No secret is stored that a receiver sends back, however it writes it.

import { expect, test } from 'vitest';
import { maskSecrets } from '../../src/channels/mask-secrets.ts';

const secret = 'Zm9vOmJh/"c+yIgeyJ';

test.each<[string, string]>([
  [`You sent ${secret}, and ${secret}.`, 'You sent ***, and ***.'],
  [JSON.stringify({ secret }), '{"secret":"***"}'],
  [JSON.stringify({ secret }).replaceAll('/', '\\/'), '{"secret":"***"}'],
  [new URLSearchParams({ secret }).toString(), 'secret=***'],
  [`cut off ${secret.slice(0, -1)}`, 'cut off ***'],
  [`cut off ${secret.slice(0, 8)}`, 'cut off ***'],
  ['a word that ends in Zm9', 'a word that ends in Zm9'],
  ['', ''],
])('%s', (answer, shown) => {
  expect(maskSecrets(answer, ['others', secret])).toBe(shown);
});

test('values of less than six characters are in a response by chance', () => {
  expect(maskSecrets('{"version":1,"tenant":"north"}', ['1', 'north'])).toBe('{"version":1,"tenant":"north"}');
  expect(maskSecrets('{"key":"k-3f9a"}', ['k-3f9a'])).toBe('{"key":"***"}');
});

test('a secret that begins another one does not uncover the rest of it', () => {
  expect(maskSecrets('a key1234 b key1234-and-more', ['key1234', 'key1234-and-more'])).toBe('a *** b ***');
});

test('a secret is found where a program escapes what is not ASCII', () => {
  expect(maskSecrets('{"sent": "p\\u00e4ss\\ud83d\\ude00word"}', ['päss😀word'])).toBe('{"sent": "***"}');
});
