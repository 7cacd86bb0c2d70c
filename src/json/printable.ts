// Shows text of callers inside a message: cut short, and with what cannot be seen named, since messages end up in logs
// and terminals.

export function quoteText(text: string): string {
  return `"${printable(text.length > 40 ? `${text.slice(0, 40)}…` : text)}"`;
}

export function printable(text: string): string {
  return text.replace(/\p{C}|(?! )\p{Z}/gu, (character) => nameCodePoint(character.codePointAt(0) ?? 0));
}

/** Of others, as it is put on record. */
export function recordable(message: string): string {
  return printable(message).slice(0, messageLengthMax);
}

const messageLengthMax = 2_000;

export function nameCodePoint(value: number): string {
  return `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
}
