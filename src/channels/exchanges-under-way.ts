// Exchanges that have begun and not ended, the oldest first. Linked to each other, and not in a `Set`: whenever V8 makes the table of a
// set anew, the one before keeps what was in it and points to the next. Once one of them has grown old, all that come after it are kept
// for the next full garbage collection, with every body that was ever sent.

import type { Exchange } from './exchange.ts';

export class ExchangesUnderWay {
  #oldest: Exchange | undefined;
  #newest: Exchange | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get oldest(): Exchange | undefined {
    return this.#oldest;
  }

  add(exchange: Exchange): void {
    exchange.older = this.#newest;
    if (this.#newest) this.#newest.newer = exchange;
    else this.#oldest = exchange;
    this.#newest = exchange;
    this.#size += 1;
  }

  delete(exchange: Exchange): void {
    const { older, newer } = exchange;
    if (!older && exchange !== this.#oldest) return;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    exchange.older = undefined;
    exchange.newer = undefined;
    this.#size -= 1;
  }
}
