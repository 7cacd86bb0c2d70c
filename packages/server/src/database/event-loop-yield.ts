// Keeps long work inside a transaction from blocking the rest of the process. Yields to the event loop every few
// milliseconds, and runs a statement before the server ends the transaction as idle.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Run } from './database.ts';

const yieldEveryMs = 20;
const keepAliveMs = 2_000;

export class EventLoopYield {
  readonly #run: Run;
  #turnedAt = performance.now();
  #keptAliveAt = performance.now();

  constructor(run: Run) {
    this.#run = run;
  }

  /** Cheap enough to call after every piece of work. If it returns true, the caller awaits `wait()`. */
  isDue(): boolean {
    return performance.now() - this.#turnedAt > yieldEveryMs;
  }

  async wait(): Promise<void> {
    await nextTurn();
    this.#turnedAt = performance.now();
    if (this.#turnedAt - this.#keptAliveAt < keepAliveMs) return;
    await this.#run({ text: 'select 1' });
    this.#keptAliveAt = performance.now();
  }
}
