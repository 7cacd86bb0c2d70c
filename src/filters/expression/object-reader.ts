// How an evaluation sees an object: attribute by attribute, over rows that somebody else has loaded. Values may be as
// JSON or the database has them; the getters turn them into Java's.

export interface ObjectReader {
  readonly key: number;
  /**
   * By the kind of the attribute: text, code and self a string; decimal a number or its digits; integer a number; key a
   * number; boolean a boolean; dateTime milliseconds or `yyyy-MM-ddTHH:mm:ss` in UTC; a reference a reader; a
   * collection readers; textList strings. What is null, or was not loaded, is null or undefined.
   */
  get(attribute: string): StoredValue;
}

export type StoredValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | ObjectReader
  | readonly ObjectReader[]
  | readonly string[];
