// Processes items in batches, one after the other: items added meanwhile form the next batch, and a small batch waits a
// moment for more. Waits while the database is away. An item that cannot be processed, which only a fault of the
// service can cause, delays no other. Not a `WorkLoop`: it runs only while there are items, and closing it drains it.

import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout, isTemporary } from '../../database/database-away.ts';

export interface BatchQueueParts<T> {
  /** Must be idempotent: if the connection to the database is lost, it is unknown whether the work was done. */
  work(batch: readonly T[]): Promise<void>;
  /** Called for an item that could not be processed. */
  giveUp(item: T, error: Error): Promise<void>;
  onDone(batch: readonly T[]): void;
  onError(error: Error): void;
  /** How long a small batch waits for more items; 0: only for those of the same turn of the event loop. */
  gatheredMs: number;
}

const itemsInBatch = 500;
/** This many items are processed without waiting for more. */
const many = 100;
const tryAgainMs = 250;
const lockedMax = 3;

export class BatchQueue<T> {
  readonly #parts: BatchQueueParts<T>;
  #waiting: T[] = [];
  #working: Promise<void> | undefined;
  #isClosed = false;
  #isHurried = false;
  #goOn = nothing;

  constructor(parts: BatchQueueParts<T>) {
    this.#parts = parts;
  }

  get length(): number {
    return this.#waiting.length;
  }

  add(item: T): void {
    if (this.#isClosed) return;
    this.#waiting.push(item);
    if (this.#waiting.length >= many) this.#goOn();
    this.#start();
  }

  #start(): void {
    this.#working ??= this.#workAll().finally(() => {
      this.#working = undefined;
      // Items may have been added while the last batch ended.
      if (this.#waiting.length > 0 && !this.#isClosed) this.#start();
    });
  }

  /** Resolves when every item is processed. After `deadline` the batch in progress ends, and no other starts. */
  async close(deadline: AbortSignal): Promise<void> {
    const close = () => {
      this.#isClosed = true;
    };
    if (deadline.aborted) close();
    deadline.addEventListener('abort', close);
    this.#isHurried = true;
    this.#goOn();
    await this.#working;
    close();
  }

  async #workAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      if (this.#isClosed) return;
      const batch = this.#waiting.slice(0, itemsInBatch);
      try {
        const left = new Set(await this.#workOrSplit(batch));
        // Locked items go to the end, so that they delay no others.
        this.#waiting = [...this.#waiting.slice(batch.length), ...left];
        this.#parts.onDone(batch.filter((item) => !left.has(item)));
        if (left.size > 0) await sleep(tryAgainMs);
      } catch (error) {
        // The database layer reports outages.
        if (!isTemporary(error)) this.#parts.onError(error as Error);
        await sleep(tryAgainMs);
      }
    }
  }

  async #gather(): Promise<void> {
    // Items that are added in the same turn of the event loop go into one batch.
    await new Promise(setImmediate);
    if (this.#waiting.length >= many || this.#isHurried || this.#parts.gatheredMs === 0) return;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(goOn, this.#parts.gatheredMs);
      this.#goOn = goOn;
    });
    this.#goOn = nothing;
  }

  /** Returns the items that are left because other transactions have locked their rows. */
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

function nothing(): void {}
