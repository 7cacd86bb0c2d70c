// A stylesheet as it is sent: Base64 of XML in UTF-8, and nothing else.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeStylesheet } from '../src/decode-stylesheet.ts';

const text = '<?xml version="1.0" encoding="utf-8"?>\n<a>Gdańsk 🚢</a>';
const base64 = (from: string | Uint8Array) => Buffer.from(from as string).toString('base64');

test('text comes back as it was sent', () => {
  expect(decodeStylesheet(base64(text))).toEqual({ kind: 'decoded', text });
});

test('XSL-02: line breaks in the Base64 are ignored, as encoders put them there', () => {
  const lines = base64(text.repeat(20)).replace(/.{76}/g, '$&\r\n');
  expect(decodeStylesheet(`${lines}\n`)).toEqual({ kind: 'decoded', text: text.repeat(20) });
});

test.each(['PGEv Pg==', 'PGEvPg'])('blanks and missing padding are accepted: %s', (written) => {
  expect(decodeStylesheet(written)).toEqual({ kind: 'decoded', text: '<a/>' });
});

test('XSL-02: a byte order mark of UTF-8 is dropped', () => {
  expect(decodeStylesheet(base64(`\uFEFF${text}`))).toEqual({ kind: 'decoded', text });
});

test.each([
  ['nothing', '', /empty/],
  ['line breaks alone', '\r\n', /empty/],
  ['white space', base64(' \n'), /empty/],
  ['a byte order mark alone', base64('\uFEFF'), /empty/],
  ['what is not Base64', '<a/>', /not Base64/],
  ['Base64 whose last digit has bits that are not used', 'PGEvPh==', /not Base64/],
  [
    'Base64 for URLs',
    base64(new Uint8Array([60, 251, 255, 254]))
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
    /not Base64/,
  ],
  ['a data URL', `data:text/xml;base64,${base64(text)}`, /not Base64/],
  ['gzip', base64(gzipSync(text)), /gzip/],
  ['UTF-16 with its mark', base64(Buffer.from(`\uFEFF${text}`, 'utf16le')), /UTF-16/],
  ['UTF-16 without its mark', base64(Buffer.from(text, 'utf16le')), /UTF-16/],
  ['UTF-16 with the high byte first', base64(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()), /UTF-16/],
  ['bytes that are not UTF-8', base64(new Uint8Array([0x3c, 0x61, 0xe9, 0x3e])), /not UTF-8/],
  ['an overlong form', base64(new Uint8Array([0x3c, 0xc0, 0xaf])), /not UTF-8/],
  ['half of a surrogate pair', base64(new Uint8Array([0x3c, 0xed, 0xa0, 0x80])), /not UTF-8/],
  ['another encoding declared', base64('<?xml version="1.0" encoding="ISO-8859-1"?><a/>'), /"ISO-8859-1"/],
  ['UTF-7 declared', base64("<?xml version='1.0' encoding = 'UTF-7' ?><a/>"), /"UTF-7"/],
  ['5 MB', base64('a'.repeat(5_000_000)), /larger than 256000 bytes/],
  ['one byte too many', base64('a'.repeat(256_001)), /larger than 256000 bytes/],
])('XSL-02: %s is a mistake that is told', (_, sent, message) => {
  expect(decodeStylesheet(sent)).toEqual({ kind: 'mistaken', message: expect.stringMatching(message) });
});

test('what is just as large as allowed is decoded', () => {
  expect(decodeStylesheet(base64('a'.repeat(256_000))).kind).toBe('decoded');
});
