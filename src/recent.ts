// The most recent ones of something that there may be very much of: the one not asked for the longest goes first. Takes memory as it fills:
// a cache that takes it all at once, a dozen times in each process, would be walked over by the collector for ever.

/** Of all that are remembered, one in so many is forgotten at a time. */
const atOnce = 100;

export class Recent<Key, Value> {
  readonly #most: number;
  /** The longest not asked for first. */
  readonly #entries = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** Without asking for it. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    if (!this.#entries.delete(key) && this.#entries.size >= this.#most) this.#forgetOldest();
    this.#entries.set(key, value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Without asking for any. */
  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  /** A few at a time: a map finds its first entry by walking over those deleted before it, which is as long a walk for many as for one. */
  #forgetOldest(): void {
    let left = Math.ceil(this.#most / atOnce);
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      left -= 1;
      if (left === 0) return;
    }
  }
}
