// Bodies that are no JSON as RFC 8259 has it, or JSON that is legal and dangerous: each is a 400 that says where.

import { describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { postBytes } from '../support/post-bytes.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
const postVessel = (bytes: Buffer | string, headers?: Record<string, string>) =>
  postBytes(service, 'Vessel', bytes, headers);

describe('text that is no JSON is a 400 that says where', () => {
  test.each([
    '',
    ' ',
    '\u0000',
    '{',
    '}',
    '[',
    ']',
    '{]',
    '[}',
    '{"vesselName"',
    '{"vesselName":',
    '{"vesselName":"x"',
    '{"vesselName":"x"}}',
    '{"vesselName":"x"}{}',
    '{"vesselName":"x"} x',
    '{"vesselName":"x",}',
    '{,"vesselName":"x"}',
    '{"vesselName":"x",,"flag":"NO"}',
    '{"vesselName" "x"}',
    '{"vesselName"::"x"}',
    '{vesselName:"x"}',
    "{'vesselName':'x'}",
    '{"vesselName":x}',
    '{"vesselName":"x" "flag":"NO"}',
    '{"vesselName":"x"/**/}',
    '// comment\n{"vesselName":"x"}',
    '/* comment */{"vesselName":"x"}',
    '{"vesselName":"x"}#',
    '[{"vesselName":"x"},]',
    '[,]',
    '[1 2]',
    '{1:"x"}',
    '{null:"x"}',
    '{"a":undefined}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":-Infinity}',
    '{"a":-}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":5.}',
    '{"a":01}',
    '{"a":-01}',
    '{"a":1e}',
    '{"a":1e+}',
    '{"a":1.e5}',
    '{"a":0x10}',
    '{"a":1_000}',
    '{"a":1,5}',
    '{"a":１}',
    '{"a":True}',
    '{"a":TRUE}',
    '{"a":nul}',
    '{"a":nulll}',
    '{"a":"\t"}',
    '{"a":"\n"}',
    '{"a":"\u0001"}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '{"a":"\\u{41}"}',
    '{"a":"\\uD800"}',
    '{"a":"\\uDC00"}',
    '{"a":"\\uDC00\\uD800"}',
    '{"a":"\\uD800\\u0041"}',
    '{"a":"\\u0000"}',
    '{"\\u0000":1}',
    '{"a":"\\0"}',
    '{"a":"\\a"}',
    '{"a":"\\"}',
    '{"a":"x',
    '{"a":"x\\',
    '\u00a0{}',
    '\u2028{}',
    '\u000b{}',
    '\ufeff{"vesselName":"x"}',
    '<vessel/>',
    'vesselName=x',
    '--\r\nContent-Disposition: form-data\r\n\r\nx\r\n----',
    'undefined',
    '[object Object]',
  ])('%j', async (text) => {
    expect(expectErrorBody(await postVessel(text), 400).message).toMatch(/Line \d+, column \d+: /);
  });

  test.each(['null', 'true', '0', '"x"', '-1e400', '[null]', '[1]', '["x"]', '[[]]', '[[{"vesselName":"x"}]]'])(
    'JSON that is no object is one too: %s',
    async (text) => {
      expect(expectErrorBody(await postVessel(text), 400).violations).toHaveLength(1);
    },
  );

  test('keys that stand twice are not decided by position', async () => {
    for (const text of ['{"vesselName":"a","vesselName":"b"}', '{"vesselName":"a","vessel\\u004eame":"b"}'])
      expect(expectErrorBody(await postVessel(text), 400).message).toContain('twice');
  });
});

describe('keys that reach into prototypes', () => {
  test.each(['__proto__', 'constructor', 'prototype'])(
    '%s is a 400 at every level, however it is written',
    async (name) => {
      const escaped = [...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
      for (const key of [name, escaped]) {
        for (const text of [
          `{"vesselName":"x","${key}":{"admin":true}}`,
          `{"${key}":null,"vesselName":"x"}`,
          `{"vesselName":"x","flag":{"a":{"${key}":{"admin":true}}}}`,
          `[{"vesselName":"x","${key}":[]}]`,
        ])
          expect(expectErrorBody(await postVessel(text), 400).message).toContain(`the key "${name}" is not allowed`);
      }
      expect(({} as Record<string, unknown>).admin).toBeUndefined();
    },
  );

  test.each([
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'isPrototypeOf',
    'then',
    'toJSON',
    'length',
    '',
  ])('%j is an attribute like any other that is not there', async (name) => {
    const { violations } = expectErrorBody(await postVessel(JSON.stringify({ vesselName: 'x', [name]: 1 })), 400);
    const path = name === '' ? '""' : name;
    expect(violations).toEqual([{ path, message: expect.stringContaining('is not an attribute of Vessel') }]);
  });
});

describe('depth', () => {
  const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;

  test.each([
    ['arrays', 10_000, '[', ']'],
    ['objects', 10_000, '{"a":', '}'],
    ['arrays', 500_000, '[', ']'],
    ['objects', 65, '{"a":', '}'],
    ['both', 100, '[{"a":', '}]'],
  ])('%s inside each other, %i of them, are a 400 and no stack overflow', async (_, levels, open, close) => {
    expect(expectErrorBody(await postVessel(nested(open, close, levels)), 400).message).toContain('64 levels');
    expect(expectErrorBody(await postVessel(open.repeat(levels)), 400).message).toContain('64 levels');
  });

  test('64 levels are read, and then told what is wrong with them', async () => {
    expect(expectErrorBody(await postVessel(nested('{"a":', '}', 64)), 400).violations).toHaveLength(2);
  });
});

describe('bytes that are no UTF-8', () => {
  test.each([
    ['a single 0xFF', [0xff]],
    ['a continuation byte alone', [0x80]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['an overlong slash', [0xe0, 0x80, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a pair of surrogates (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a letter cut short', [0xe2, 0x82]],
    ['Latin-1', [0xc6, 0x72, 0xf8]],
  ])('are a 400: %s', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"vesselName":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(expectErrorBody(await postVessel(body), 400).message).toContain('UTF-8');
  });

  test('UTF-16 and UTF-32 are a 400, with a mark or without', async () => {
    const text = '{"vesselName":"x"}';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const wide = Buffer.concat([...text].map((letter) => Buffer.from([letter.charCodeAt(0), 0, 0, 0])));
    const mark = Buffer.from([0xff, 0xfe]);
    for (const bytes of [little, big, wide, Buffer.concat([mark, little]), Buffer.concat([mark, wide])])
      expectErrorBody(await postVessel(bytes), 400);
  });
});

describeUnharmed(service);
