// Decodes Base64 (RFC 4648) to text. Node skips characters that are not Base64 and so accepts anything; this decoder
// does not.

import { decodeUtf8 } from '@flaghoist/source-text';

export type Decoded = { kind: 'text'; text: string } | { kind: 'mistake'; mistake: string };

export function decodeBase64(encoded: string): Decoded {
  const invalid = /[^A-Za-z0-9+/=]/.exec(encoded);
  if (invalid)
    return notBase64(
      `is not Base64: ${JSON.stringify(invalid[0])} at position ${invalid.index + 1} is not in its alphabet.`,
    );
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded)
    return notBase64('is not Base64: it must come in groups of four characters, the last filled up with "=".');
  const text = decodeUtf8(bytes);
  return text === undefined ? notBase64('is Base64, but its content is not UTF-8 text.') : { kind: 'text', text };
}

function notBase64(mistake: string): Decoded {
  return { kind: 'mistake', mistake };
}
