// Which statements are prepared under a name. A named statement is planned once per connection and stays there for as long
// as the connection does, so only texts that come again get one, and never more than a fixed number at a time: filters
// and field selections are endless.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const namesMax = 100;
const timesBeforeNamed = 3;

/** Also how long a connection lives: what is forgotten here is gone there not much later. */
export const namesKeptMs = 10 * 60_000;

export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new LRUCache<string, number>({ max: 2_000 });
  #since = performance.now();

  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined) return name;
    if (this.#names.size >= namesMax && !this.#startAnew()) return undefined;
    const times = (this.#seen.get(text) ?? 0) + 1;
    this.#seen.set(text, times);
    if (times < timesBeforeNamed) return undefined;
    const fresh = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    this.#names.set(text, fresh);
    return fresh;
  }

  /** Full: those that are asked for now get their turn, but not more often than connections are replaced. */
  #startAnew(): boolean {
    if (performance.now() - this.#since < namesKeptMs) return false;
    this.#since = performance.now();
    this.#names.clear();
    return true;
  }
}
