// How lists find objects without reading all of them. Only for the service's own types.

export interface IndexDeclaration {
  /** Names of attributes. */
  on: readonly string[];
  /** The index has only the objects in which this attribute is not null. */
  whereSet?: string;
}

/** What an attribute declares for filters on it. None of it changes what they select. */
export interface Lookups {
  /** Has an index of its own, because it is often looked up. */
  isIndexed?: boolean;
  /**
   * Computed: the code of the object whose key is in this column, or another value by which people know it. Filters
   * look the object up.
   */
  codeOf?: string;
  /** A regular expression whose group is the key of the object. */
  keyPattern?: string;
  /** By value: SQL that is true of every row with it, and that an index can find. `{row}` stands for the row. */
  implies?: Readonly<Record<string, string>>;
}
