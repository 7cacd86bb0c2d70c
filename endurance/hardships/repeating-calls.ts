// Repeats a call with some concurrency until it is stopped: for the crowd of a hardship, and for the health probe.

import { setTimeout as sleep } from 'node:timers/promises';

export interface RepeatingCallsOptions {
  /** The concurrency. */
  count: number;
  pauseMs: number;
  call: () => Promise<unknown>;
}

export class RepeatingCalls {
  readonly #loops: Promise<void>[];
  #isStopping = false;

  constructor({ count, pauseMs, call }: RepeatingCallsOptions) {
    const loop = async () => {
      while (!this.#isStopping) {
        await call();
        await sleep(pauseMs);
      }
    };
    this.#loops = Array.from({ length: count }, loop);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loops);
  }
}
