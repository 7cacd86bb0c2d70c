// Decodes a stylesheet from Base64 to text, and reports mistakes in the bytes. The text itself is checked elsewhere.

import { decodeBase64, decodeUtf8, quoteText } from '@flaghoist/source-text';

export type DecodedStylesheet =
  | { readonly kind: 'decoded'; readonly text: string }
  | { readonly kind: 'mistaken'; readonly message: string };

const stylesheetBytesMax = 256_000;

export function decodeStylesheet(base64: string): DecodedStylesheet {
  const decoded = decodeBase64(base64);
  if (decoded.kind === 'mistake') return mistaken(`The stylesheet ${decoded.message}`);
  return decoded.bytes.length === 0 ? mistaken('The stylesheet is empty.') : decodeBytes(decoded.bytes);
}

function decodeBytes(bytes: Buffer): DecodedStylesheet {
  if (bytes.length > stylesheetBytesMax) return tooLarge;
  const signature = signatures.find(({ start }) => bytes.subarray(0, start.length).equals(start));
  if (signature) return mistaken(`The stylesheet is ${signature.name}; it must be XML in UTF-8.`);
  const text = decodeUtf8(bytes)?.replace(/^\uFEFF/, '');
  if (text === undefined) return mistaken('The stylesheet is not UTF-8.');
  if (text.trim() === '') return mistaken('The stylesheet is empty.');
  const encoding = declaredEncoding.exec(text)?.[2];
  if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding))
    return mistaken(`The stylesheet declares the encoding ${quoteText(encoding)}; it must be UTF-8.`);
  return { kind: 'decoded', text };
}

/** In the XML declaration, which is allowed only at the start. */
const declaredEncoding = /^<\?xml\s[^>]*?\sencoding\s*=\s*(["'])(.*?)\1/;

/** UTF-16 text without a byte order mark begins with `<`, which has a zero byte before or after it. */
const signatures = [
  { start: Buffer.from([0x1f, 0x8b]), name: 'compressed with gzip' },
  { start: Buffer.from([0xfe, 0xff]), name: 'in UTF-16' },
  { start: Buffer.from([0xff, 0xfe]), name: 'in UTF-16' },
  { start: Buffer.from([0x00, 0x3c]), name: 'in UTF-16' },
  { start: Buffer.from([0x3c, 0x00]), name: 'in UTF-16' },
];

const tooLarge = mistaken(`The stylesheet is larger than ${stylesheetBytesMax} bytes.`);

function mistaken(message: string): DecodedStylesheet {
  return { kind: 'mistaken', message };
}
