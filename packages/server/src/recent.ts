// A bounded cache of the most recently used entries. It has two maps: when the younger map is full, it replaces the
// older one, and entries that were not used since then are evicted. Memory grows with use: a dozen preallocated caches
// in each process would be scanned by every garbage collection.
// (A single map in order of use, as is common, deletes and adds an entry on every lookup. V8 then rebuilds its table
// again and again, and each old table keeps all later ones alive until the next full garbage collection.)

export class Recent<Key, Value> {
  readonly #least: number;
  #younger = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  /** Keeps at least the `least` most recently used entries, and at most twice as many. */
  constructor(least: number) {
    this.#least = least;
  }

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#younger.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** Does not count as a use. */
  peek(key: Key): Value | undefined {
    return this.#younger.get(key) ?? this.#older.get(key);
  }

  set(key: Key, value: Value): void {
    this.#older.delete(key);
    if (this.#younger.size >= this.#least && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }

  delete(key: Key): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }
}
