// Shares values that many users have in common. Each value is created once and kept for as long as anything uses it.

export interface Shared<T> {
  readonly name: string;
  readonly value: T;
}

interface Counted<T> extends Shared<T> {
  uses: number;
}

export class Interned<T> {
  readonly #entries = new Map<string, Counted<T>>();

  /** Each call must be paired with one call of `release`. */
  take(name: string, make: () => T): Shared<T> {
    let entry = this.#entries.get(name);
    if (!entry) {
      entry = { name, value: make(), uses: 0 };
      this.#entries.set(name, entry);
    }
    entry.uses += 1;
    return entry;
  }

  release({ name }: Shared<T>): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.uses -= 1;
    if (entry.uses === 0) this.#entries.delete(name);
  }
}
