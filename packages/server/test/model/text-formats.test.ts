// The formats of texts: what each takes and refuses, and that the API description says no less than the check.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextFormat } from '../../src/model/attribute-declaration.ts';
import { textFormats } from '../../src/model/text-formats.ts';

const texts: Record<TextFormat, { good: string[]; bad: string[] }> = {
  imoNumber: { good: ['9074729', '9319466'], bad: ['', '9074728', '907472', 'IMO9074729', ' 9074729'] },
  email: {
    good: [
      'a@b',
      'ops@agent.example',
      'first.last+tag@sub.agent.example',
      'jørgen@blåbær.example',
      "o'neil@x-y.example",
      'root@localhost',
      'ops@3com.example',
      'ops@1.2.3.example',
      'ops@4u',
    ],
    bad: [
      '',
      'a',
      '@b',
      'a@',
      'a@b@c',
      'a b@c',
      'a,b@c',
      '<a@b>',
      'a@b,c@d',
      'a@b\r\nBcc: c@d',
      `${'a'.repeat(254)}@b`,
      'a@127.0.0.1',
      'a@[127.0.0.1]',
      'a@127。0。0。1',
      'a@１２７.０.０.１',
      'a@0x7f.1',
      'a@2130706433',
      'a@agent.1',
    ],
  },
  clientId: {
    good: ['abc', '!#[]~', 'https://client.example/~id?a=b&c', 'a'.repeat(128)],
    bad: ['', 'ab', 'a b', 'a"b', 'a\\b', 'abc\n', 'a\u007fb', 'åbc', 'a'.repeat(129)],
  },
  apiVersion: {
    good: ['3.3', '3.16', '4.0', '5.23', '6.9', '6.44'],
    bad: ['', '3', '3.2', '2.99', '6.45', '7.0', '5.23.0', 'v5.23', ' 5.23', '5.23\n', '５.23'],
  },
  signingSecret: {
    good: Array.from({ length: 41 }, (_, more) => secretOf(24 + more)),
    bad: [
      ...[0, 1, 23, 65, 66, 67, 1000].map((bytes) => secretOf(bytes)),
      ...['', 'whsec_', secretOf(32).slice(6), secretOf(32).replace('whsec_', 'WHSEC_'), ` ${secretOf(32)}`],
      ...[`${secretOf(32)}\n`, secretOf(32).slice(0, -1), `${secretOf(32)}=`, secretOf(32).replace('/', '_')],
      // Unused bits that are not zero.
      secretOf(25).replace('w==', 'x=='),
    ],
  },
};

function secretOf(bytes: number): string {
  return `whsec_${Buffer.alloc(bytes, 0xff).toString('base64')}`;
}

describe.each(Object.entries(texts))('%s', (name, { good, bad }) => {
  const { fits, pattern, example } = textFormats[name as TextFormat];

  test('accepts valid texts, and its own example', () => {
    expect([...good, example].filter((text) => !fits(text))).toEqual([]);
  });

  test('rejects invalid texts', () => {
    expect(bad.filter(fits)).toEqual([]);
  });

  test('has a pattern that matches all valid texts, with every flag', () => {
    for (const flags of ['', 'u', 'v'])
      expect([...good, example].filter((text) => !new RegExp(pattern, flags).test(text))).toEqual([]);
  });
});

test.each<TextFormat>(['email', 'clientId', 'signingSecret'])(
  'every text that the pattern of %s matches is accepted',
  (name) => {
    const { fits, pattern } = textFormats[name];
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(pattern)), (text) => {
        fc.pre(text.length <= 254);
        expect(fits(text)).toBe(true);
      }),
    );
  },
);

test('a long text that is not an address is rejected quickly', () => {
  const started = performance.now();
  expect(textFormats.email.fits(`${'a.'.repeat(120)}@`)).toBe(false);
  expect(textFormats.email.fits('a'.repeat(1_000_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});
