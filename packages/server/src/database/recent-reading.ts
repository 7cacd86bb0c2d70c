// Keeps what was read from the database for a few seconds, because it costs milliseconds and may be wanted often.

import { setTimeout as sleep } from 'node:timers/promises';
import { isTemporary, isTooSlow } from './database-away.ts';

const withinMs = 2_000;

export class RecentReading<T> {
  readonly #readNow: () => Promise<T>;
  readonly #keptMs: number;
  #reading: Promise<T | undefined> = Promise.resolve(undefined);
  /** Infinite while a read is running, so that a slow database gets one query at a time. */
  #isGoodUntil = 0;

  constructor(keptMs: number, readNow: () => Promise<T>) {
    this.#keptMs = keptMs;
    this.#readNow = readNow;
  }

  /** Undefined if the database does not respond in time. */
  read(): Promise<T | undefined> {
    if (performance.now() >= this.#isGoodUntil) {
      this.#isGoodUntil = Number.POSITIVE_INFINITY;
      this.#reading = this.#readAnew();
    }
    return Promise.race([this.#reading, sleep(withinMs, undefined, { ref: false })]);
  }

  async #readAnew(): Promise<T | undefined> {
    try {
      const result = await this.#readNow();
      this.#isGoodUntil = performance.now() + this.#keptMs;
      return result;
    } catch (error) {
      this.#isGoodUntil = 0;
      if (isTemporary(error) || isTooSlow(error)) return undefined;
      throw error;
    }
  }
}
