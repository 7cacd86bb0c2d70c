// Shares values that many users have in common. Each value is created once and kept for as long as anything uses it.

import { entryOf } from '../entry-of.ts';

export interface Shared<T = unknown> {
  readonly name: string;
  readonly value: T;
}

export class Interned {
  readonly #entries = new Map<string, Shared & { uses: number }>();

  /** Each call must be paired with one call of `release`. A name always stands for a value of the same type. */
  take<T>(name: string, make: () => T): Shared<T> {
    const entry = entryOf(this.#entries, name, () => ({ name, value: make(), uses: 0 }));
    entry.uses += 1;
    return entry as Shared<T>;
  }

  release({ name }: Shared): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.uses -= 1;
    if (entry.uses === 0) this.#entries.delete(name);
  }
}
