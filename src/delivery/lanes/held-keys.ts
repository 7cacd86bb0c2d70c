// The keys of all that this process has claimed and not yet recorded, each as often as it was claimed: one that was recorded may have
// been claimed again before its recording is answered.

export class HeldKeys {
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
