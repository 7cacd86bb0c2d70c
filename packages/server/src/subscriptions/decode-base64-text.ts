// Decodes text from Base64.

import { decodeBase64, decodeUtf8 } from '@flaghoist/source-text';

export type Decoded = { kind: 'text'; text: string } | { kind: 'mistake'; mistake: string };

export function decodeBase64Text(encoded: string): Decoded {
  const decoded = decodeBase64(encoded);
  if (decoded.kind === 'mistake') return { kind: 'mistake', mistake: decoded.message };
  const text = decodeUtf8(decoded.bytes);
  return text === undefined
    ? { kind: 'mistake', mistake: 'is Base64, but its content is not UTF-8 text.' }
    : { kind: 'text', text };
}
