// The most recent ones of something that there may be very much of. Two maps, which are filled: when the younger one is full it takes
// the place of the older one, and what was not asked for since is forgotten. Takes memory as it fills: a cache that takes it all at once,
// a dozen times in each process, would be walked over by the collector for ever.
// (One map in the order of asking, as is common, is deleted from and added to whenever it is asked. V8 makes the table of such a map anew
// again and again, and each one that has grown old keeps all later ones for the next full garbage collection.)

export class Recent<Key, Value> {
  readonly #least: number;
  #younger = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  /** Of so many at least the most recent ones are remembered, and of twice as many at most. */
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

  /** Without asking for it. */
  peek(key: Key): Value | undefined {
    return this.#younger.get(key) ?? this.#older.get(key);
  }

  has(key: Key): boolean {
    return this.#younger.has(key) || this.#older.has(key);
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
