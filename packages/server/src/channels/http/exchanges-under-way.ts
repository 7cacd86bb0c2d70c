// The exchanges in progress, oldest first, as a linked list. A `Set` would hold memory: when V8 rehashes it, the old
// table keeps its entries and points to the new one. Once one table is in the old generation, all later tables survive
// until the next full garbage collection, with every body ever sent.

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
