// Works things off in batches, one batch after the other: what comes in meanwhile is the next. Where there is little to do it waits a
// moment for more. A database that is away is waited for; one thing that cannot be done, which only a fault of ours can cause, holds up
// no other.

import { setTimeout as sleep } from 'node:timers/promises';
import { isLockedOut, isPassing } from '../../database/database-away.ts';

export interface BatchQueueParts<T> {
  /** Twice must do no harm: whether it was done is not known when the database is lost. */
  work(batch: readonly T[]): Promise<void>;
  /** One that could not be done. */
  giveUp(item: T, error: Error): Promise<void>;
  onDone(batch: readonly T[]): void;
  onError(error: Error): void;
  /** How long a few wait for others; 0: only for those that come in the same turn. */
  gatheredMs: number;
}

const itemsInBatch = 500;
/** Worth to be done at once. */
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
      // Added while it ended.
      if (this.#waiting.length > 0 && !this.#isClosed) this.#start();
    });
  }

  /** Everything that was added is done, or `deadline` is over: then what is under way ends, and no other is begun. */
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
        // Behind the others: what is locked keeps nobody waiting.
        this.#waiting = [...this.#waiting.slice(batch.length), ...left];
        this.#parts.onDone(batch.filter((item) => !left.has(item)));
        if (left.size > 0) await sleep(tryAgainMs);
      } catch (error) {
        // Whoever waits for a database that is away tells so.
        if (!isPassing(error)) this.#parts.onError(error as Error);
        await sleep(tryAgainMs);
      }
    }
  }

  async #gather(): Promise<void> {
    // What ends in the same turn is done together.
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

  /** Answers what is left, because somebody else has it locked. */
  async #workOrSplit(batch: readonly T[]): Promise<readonly T[]> {
    try {
      await this.#parts.work(batch);
      return [];
    } catch (error) {
      if (isPassing(error) && !isLockedOut(error)) throw error;
      if (batch.length > 1) return await this.#workOneByOne(batch);
      this.#parts.onError(error as Error);
      if (isLockedOut(error)) return batch;
      await this.#parts.giveUp(batch[0]!, error as Error);
      return [];
    }
  }

  /** Each that is locked costs seconds: after a few of them the rest waits for its next turn. */
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
