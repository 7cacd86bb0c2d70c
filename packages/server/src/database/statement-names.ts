// Decides which statements are prepared under a name. A named statement is planned once per connection and is kept
// until the connection closes. Only texts that repeat get a name, and only a fixed number at a time, because filters
// and field selections have endless variants.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const namesMax = 100;
const timesBeforeNamed = 3;

/** Also the lifetime of a connection: a name that is cleared here disappears from the connections soon after. */
export const namesKeptMs = 10 * 60_000;

export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new LRUCache<string, number>({ max: 2_000 });
  #since = performance.now();

  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined) return name;
    if (this.#names.size >= namesMax && !this.#clear()) return undefined;
    const times = (this.#seen.get(text) ?? 0) + 1;
    this.#seen.set(text, times);
    if (times < timesBeforeNamed) return undefined;
    const fresh = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    this.#names.set(text, fresh);
    return fresh;
  }

  /** Clears a full table so that current texts get names, but not more often than connections are replaced. */
  #clear(): boolean {
    if (performance.now() - this.#since < namesKeptMs) return false;
    this.#since = performance.now();
    this.#names.clear();
    return true;
  }
}
