// Renders the beginning of a receiver's response as text that can be stored and shown, whatever its bytes are.

import { nameCodePoint } from '@flaghoist/source-text';

export const excerptBytes = 1_024;

/** Renders at most the first 1,024 bytes; null if there are none. */
export function renderExcerpt(bytes: Buffer | undefined): string | null {
  if (!bytes || bytes.length === 0) return null;
  const text = bytes.toString('utf8', 0, excerptBytes);
  // The cut may be inside a character.
  const whole = bytes.length >= excerptBytes ? text.replace(/\uFFFD{1,3}$/, '') : text;
  return isPlain.test(whole) ? whole : whole.replace(/\r\n/g, '\n').replace(strangers, nameStranger);
}

const isPlain = /^[\x20-\x7e\n\t]*$/;

/** Line breaks and tabs are shown as they are. */
const strangers = /(?![\n\t])\p{C}|(?! )\p{Z}/gu;

function nameStranger(character: string): string {
  return nameCodePoint(character.codePointAt(0) ?? 0);
}
