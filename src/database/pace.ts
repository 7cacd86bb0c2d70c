// Keeps long work inside a transaction from holding up everybody else: lets the event loop turn every few milliseconds, and says a word
// to the database before it takes the transaction for abandoned.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Run } from './database.ts';

const turnMs = 20;
const wordMs = 2_000;

export class Pace {
  readonly #run: Run;
  #turnedAt = performance.now();
  #saidAt = performance.now();

  constructor(run: Run) {
    this.#run = run;
  }

  /** Cheap: to be asked after every piece of work; `await rest()` where it is so. */
  isDue(): boolean {
    return performance.now() - this.#turnedAt > turnMs;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#turnedAt = performance.now();
    if (this.#turnedAt - this.#saidAt < wordMs) return;
    await this.#run({ text: 'select 1' });
    this.#saidAt = performance.now();
  }
}
