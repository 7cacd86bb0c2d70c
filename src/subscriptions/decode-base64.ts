// Base64 as RFC 4648 has it, decoded to text. Node would skip whatever is no Base64, and so accept anything.

import { decodeUtf8 } from '../json/decode-utf8.ts';

export type Decoded = { kind: 'text'; text: string } | { kind: 'mistake'; mistake: string };

export function decodeBase64(encoded: string): Decoded {
  const stranger = /[^A-Za-z0-9+/=]/.exec(encoded);
  if (stranger)
    return refuse(
      `is no Base64: ${JSON.stringify(stranger[0])} at position ${stranger.index + 1} is not in its alphabet.`,
    );
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded)
    return refuse('is no Base64: it must come in groups of four characters, the last filled up with "=".');
  const text = decodeUtf8(bytes);
  return text === undefined ? refuse('is Base64, but what is inside is no UTF-8 text.') : { kind: 'text', text };
}

function refuse(mistake: string): Decoded {
  return { kind: 'mistake', mistake };
}
