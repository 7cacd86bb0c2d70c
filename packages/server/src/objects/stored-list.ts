// A list of texts as PostgreSQL array text, which an INSERT from JSON and a cast both accept.

export function storedList(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Parses what `storedList` wrote. */
export function readStoredList(stored: string): string[] {
  return [...stored.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text]) => text!.replace(/\\(.)/gs, '$1'));
}
