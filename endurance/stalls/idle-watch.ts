// Looks twice a second at what each worker gets done, and tells how long one that was not stalled has stood idle although there was
// something to do all the time.

import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

export interface WatchedWorker {
  origin: string;
  readonly isStalled: boolean;
}

const everyMs = 500;

export class IdleWatch {
  /** Of each worker. */
  readonly longestMs: number[];
  readonly #workers: readonly WatchedWorker[];
  readonly #isWorkWaiting: () => Promise<boolean>;
  /** When each worker was last known to have done something, or had nothing to do. */
  readonly #busyAt: number[];
  readonly #done: number[];
  #isRunning = true;
  #loop: Promise<void> = Promise.resolve();

  constructor(workers: readonly WatchedWorker[], isWorkWaiting: () => Promise<boolean>) {
    this.#workers = workers;
    this.#isWorkWaiting = isWorkWaiting;
    this.longestMs = workers.map(() => 0);
    this.#busyAt = workers.map(() => performance.now());
    this.#done = workers.map(() => -1);
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      const isWaiting = await this.#isWorkWaiting();
      await Promise.all(this.#workers.map((worker, index) => this.#look(worker, index, isWaiting)));
      await sleep(everyMs);
    }
  }

  async #look(worker: WatchedWorker, index: number, isWaiting: boolean): Promise<void> {
    const wasStalled = worker.isStalled;
    const done = wasStalled ? undefined : await countDone(worker.origin);
    const now = performance.now();
    const isChanged = done !== undefined && done !== this.#done[index];
    // One that was stalled meanwhile begins anew, too.
    if (wasStalled || worker.isStalled || isChanged || !isWaiting) this.#busyAt[index] = now;
    if (done !== undefined) this.#done[index] = done;
    this.longestMs[index] = Math.max(this.longestMs[index]!, now - this.#busyAt[index]!);
  }
}

/** Events matched and attempts made; undefined where it does not answer in time: then it has done nothing that is known of. */
async function countDone(origin: string): Promise<number | undefined> {
  try {
    const { body } = await request(`${origin}/metrics`, { headersTimeout: 2_000, bodyTimeout: 2_000 });
    const text = await body.text();
    const values = [...text.matchAll(/^flaghoist_(?:events_matched|attempts)_total(?:\{[^}]*\})? (\d+)/gm)];
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  } catch {
    return undefined;
  }
}
