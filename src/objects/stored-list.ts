// A list of texts as it travels to PostgreSQL: the text of an array, which an INSERT from JSON and a cast both take.

export function storedList(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** What `storedList` has written. */
export function readStoredList(stored: string): string[] {
  return [...stored.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text]) => text!.replace(/\\(.)/gs, '$1'));
}
