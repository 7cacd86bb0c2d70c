// Keys of all notifications that this process has claimed and not yet recorded, with the number of claims of each. A
// notification may be claimed again after it was recorded, before the response to the recording arrives.

export class ClaimedKeys {
  readonly #counts = new Map<number, number>();

  add(keys: Iterable<number>): void {
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  drop(keys: Iterable<number>): void {
    for (const key of keys) {
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    }
  }

  has(key: number): boolean {
    return this.#counts.has(key);
  }
}
