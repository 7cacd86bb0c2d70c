// Values in the filters of the API.

/** A text in double quotes, in which `"` and `\` are escaped. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** For ILIKE: any text that contains this one. `%` and `_` in it stand for themselves. */
export function containing(text: string): string {
  return quoted(`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`);
}

export function isKeyText(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}

/** For a reference: a number is a key. In quotes it would be a code. */
export function keyOrCode(text: string): string {
  return isKeyText(text) ? text : quoted(text);
}
