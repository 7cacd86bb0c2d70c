// Runs batches of opaque items that may never finish, such as user-supplied scripts and stylesheets, in worker threads.
// If an item takes too long or crashes, its thread is lost; a new thread then runs the unfinished items of the batch.
// An item may therefore run twice, and must be safe to repeat.

import { type Batch, type ItemResult, PoolBusy, PoolThread, type ThreadParts } from './pool-thread.ts';
import type { LanedItem } from './serve-items.ts';

export interface WorkerPoolParts extends ThreadParts {
  threads: number;
  /** Maximum number of batches that wait for a thread. */
  waitingMax: number;
}

export class WorkerPool<Item extends LanedItem, Answer> {
  readonly #parts: WorkerPoolParts;
  readonly #idle: PoolThread<Item, Answer>[] = [];
  readonly #all = new Set<PoolThread<Item, Answer>>();
  readonly #ending = new Set<Promise<unknown>>();
  #waiting: Batch<Item, Answer>[] = [];
  #isClosed = false;

  constructor(parts: WorkerPoolParts) {
    this.#parts = parts;
  }

  /** The number of batches that could start immediately. */
  get freeThreads(): number {
    return this.#isClosed ? 0 : this.#parts.threads - this.#all.size + this.#idle.length;
  }

  /** Returns one result per item. Rejects only with PoolBusy. */
  run(items: readonly Item[]): Promise<ItemResult<Answer>[]> {
    if (items.length === 0) return Promise.resolve([]);
    return new Promise((done, fail) => {
      if (this.#isClosed || (this.freeThreads === 0 && this.#waiting.length >= this.#parts.waitingMax))
        fail(new PoolBusy('Too much is waiting for a free thread.'));
      else this.#begin({ items, results: items.map(() => undefined), done, fail, beganAt: performance.now() });
    });
  }

  /** Abandons all batches, running and waiting. They reject with PoolBusy. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new PoolBusy('The service is stopping.');
    for (const batch of this.#waiting.splice(0)) batch.fail(closed);
    for (const thread of this.#all) thread.end(closed);
    await Promise.all(this.#ending);
  }

  #begin(batch: Batch<Item, Answer>): void {
    const thread = this.#idle.pop() ?? (this.#all.size < this.#parts.threads ? this.#start() : undefined);
    if (thread) thread.work(batch);
    else this.#waiting.push(batch);
  }

  #start(): PoolThread<Item, Answer> {
    const thread = new PoolThread<Item, Answer>(this.#parts, {
      onFree: () => {
        this.#idle.push(thread);
        this.#next();
      },
      onEnd: (gone, left) => {
        this.#all.delete(thread);
        this.#ending.add(gone);
        void gone.then(() => this.#ending.delete(gone));
        const at = this.#idle.indexOf(thread);
        if (at >= 0) this.#idle.splice(at, 1);
        if (left && !this.#isClosed) this.#waiting.unshift(left);
        else left?.fail(new PoolBusy('The service is stopping.'));
        this.#next();
      },
    });
    this.#all.add(thread);
    return thread;
  }

  #next(): void {
    if (this.freeThreads === 0) return;
    const batch = this.#waiting.shift();
    if (batch) this.#begin(batch);
  }
}
