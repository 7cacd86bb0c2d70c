// Makes text from callers safe to show in a message: shortened, and with invisible characters replaced by their names.
// Messages end up in logs and terminals.

export function quoteText(text: string): string {
  return `"${printable(text.length > 40 ? `${text.slice(0, 40)}…` : text)}"`;
}

export function printable(text: string): string {
  return text.replace(/\p{C}|(?! )\p{Z}/gu, (character) => nameCodePoint(character.codePointAt(0) ?? 0));
}

/** A message from an external source, in the form that is stored: printable and limited in length. */
export function storableMessage(message: string): string {
  return printable(message).slice(0, messageLengthMax);
}

const messageLengthMax = 2_000;

export function nameCodePoint(value: number): string {
  return `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
}
