// Processes items in batches, one after the other: items added meanwhile form the next batch, and a small batch waits a
// moment for more. Waits while the database is away. An item that cannot be processed, which only a fault of the
// service can cause, delays no other.

import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout, isTemporary } from '../../database/database-away.ts';
import { WorkLoop } from '../../database/work-loop.ts';

export interface BatchQueueParts<T> {
  /** Must be idempotent: if the connection to the database is lost, it is unknown whether the work was done. */
  work(batch: readonly T[]): Promise<void>;
  /** Called for an item that could not be processed. */
  giveUp(item: T, error: Error): Promise<void>;
  onDone(batch: readonly T[]): void;
  onError(error: Error): void;
  /** How long a small batch waits for more items. */
  gatheredMs: number;
}

const itemsInBatch = 500;
/** This many items are processed without waiting for more. */
const enough = 100;
const retryMs = 250;
const lockedMax = 3;

export class BatchQueue<T> {
  readonly #parts: BatchQueueParts<T>;
  readonly #loop: WorkLoop;
  readonly #waiting: T[] = [];
  #inProgress = 0;
  #gathering: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: BatchQueueParts<T>) {
    this.#parts = parts;
    this.#loop = new WorkLoop({ round: () => this.#workBatch(), pollEveryMs: retryMs, onError: parts.onError });
    this.#loop.start();
  }

  /** How many items are not processed yet, including the batch in progress. */
  get length(): number {
    return this.#waiting.length + this.#inProgress;
  }

  add(item: T): void {
    if (this.#isClosed) return;
    this.#waiting.push(item);
    if (this.#waiting.length >= enough) this.#loop.wake();
    else this.#gathering ??= setTimeout(() => this.#loop.wake(), this.#parts.gatheredMs).unref();
  }

  /** Resolves when every item is processed. After `deadline` the batch in progress ends, and no other starts. */
  async close(deadline: AbortSignal): Promise<void> {
    await this.#loop.stop();
    while (this.#waiting.length > 0 && !deadline.aborted)
      await this.#workBatch().catch(async (error: Error) => {
        if (!isTemporary(error)) this.#parts.onError(error);
        await sleep(retryMs);
      });
    this.#isClosed = true;
  }

  /** Returns whether items are left that do not wait for others. */
  async #workBatch(): Promise<boolean> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const batch = this.#waiting.splice(0, itemsInBatch);
    if (batch.length === 0) return false;
    this.#inProgress = batch.length;
    try {
      const locked = new Set(await this.#workOrSplit(batch));
      // At the end, so that they delay no others.
      this.#waiting.push(...locked);
      this.#parts.onDone(batch.filter((item) => !locked.has(item)));
      return locked.size === 0 && this.#waiting.length > 0 && this.#gathering === undefined;
    } catch (error) {
      this.#waiting.unshift(...batch);
      throw error;
    } finally {
      this.#inProgress = 0;
    }
  }

  /** Returns the items whose rows other transactions have locked. */
  async #workOrSplit(batch: readonly T[]): Promise<readonly T[]> {
    try {
      await this.#parts.work(batch);
      return [];
    } catch (error) {
      if (isTemporary(error) && !isLockTimeout(error)) throw error;
      if (batch.length > 1) return await this.#workOneByOne(batch);
      this.#parts.onError(error as Error);
      if (isLockTimeout(error)) return batch;
      await this.#parts.giveUp(batch[0]!, error as Error);
      return [];
    }
  }

  /** Each locked item costs seconds. After a few of them, the rest waits for its next turn. */
  async #workOneByOne(batch: readonly T[]): Promise<readonly T[]> {
    const left: T[] = [];
    for (const [index, item] of batch.entries()) {
      if (left.length >= lockedMax) return [...batch.slice(index), ...left];
      left.push(...(await this.#workOrSplit([item])));
    }
    return left;
  }
}
