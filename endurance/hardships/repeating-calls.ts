// Something that is asked over and over by several at once until it is stopped: the crowd of a hardship, and the probe
// of health.

import { setTimeout as sleep } from 'node:timers/promises';

export interface RepeatingCallsOptions {
  /** How many at once. */
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
