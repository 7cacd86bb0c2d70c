// How an evaluation reads an object: attribute by attribute, from rows that the caller has loaded. Values may have
// their JSON or their database form; the getters convert them to Java values.

export interface ObjectReader {
  readonly key: number;
  /**
   * The value of the attribute, by kind:
   * - text, code, self: a string; textList: strings; boolean: a boolean
   * - integer, key: a number; decimal: a number, or its digits as a string
   * - dateTime: milliseconds, or `yyyy-MM-ddTHH:mm:ss` in UTC
   * - reference: a reader; collection: readers
   *
   * Null or undefined if the attribute is null or was not loaded.
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
