// One thread of a WorkerPool: sends a batch to the thread, collects the answers, and kills the thread if an item takes
// too long.

import { Worker } from 'node:worker_threads';
import { atNoItem, defaultBatchTimeMs, type Handover, type LanedItem } from './serve-items.ts';

export interface ThreadParts {
  /** The compiled module that each thread runs; it calls `serveItems`. */
  module: URL;
  /** Wall-clock time limit of one item. A thread that exceeds it is killed. */
  itemTimeMs: number;
  /** After this time, the items of a batch that have a lane are skipped. Defaults to 5 s. */
  batchTimeMs?: number;
  /** Limit of the JavaScript heap of one thread. Memory outside the heap does not count. */
  heapMb: number;
  /** The value that `given()` returns in each thread. */
  given?: unknown;
}

/**
 * Thrown when too many batches are waiting, when the pool is closed, and, with a cause, when no thread can be started.
 */
export class PoolBusy extends Error {}

export type ItemResult<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly tookMs: number }
  /** The item took too long, and its thread was killed. */
  | { readonly kind: 'killed' }
  /** Skipped: the time of its lane or of the batch was used up, or its lane has a killed or crashed item. */
  | { readonly kind: 'skipped' }
  /** The thread died while it ran the item. */
  | { readonly kind: 'crashed'; readonly error: Error };

export interface Batch<Item extends LanedItem, Answer> {
  readonly items: readonly Item[];
  readonly results: (ItemResult<Answer> | undefined)[];
  done(results: ItemResult<Answer>[]): void;
  fail(error: Error): void;
  readonly beganAt: number;
}

export interface ThreadEvents<Item extends LanedItem, Answer> {
  onFree(): void;
  /** The thread has ended or is ending, see `gone`. `left` is its batch if that still has unfinished items. */
  onEnd(gone: Promise<unknown>, left: Batch<Item, Answer> | undefined): void;
}

/** How often the time of the current item is checked. */
const checkEveryMs = 25;
/** Time limit for loading the module, and for starting a batch. */
const startTimeMs = 15_000;

export class PoolThread<Item extends LanedItem, Answer> {
  readonly #parts: ThreadParts;
  readonly #events: ThreadEvents<Item, Answer>;
  readonly #worker: Worker;
  /** The number of the current item among those sent, from 1; written by the thread. */
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));
  #batch: Batch<Item, Answer> | undefined;
  /** The indexes in the batch of the items that were sent and not yet answered. */
  #places: number[] = [];
  #sent = 0;
  #seen = atNoItem;
  #seenAt = 0;
  #watch: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(parts: ThreadParts, events: ThreadEvents<Item, Answer>) {
    this.#parts = parts;
    this.#events = events;
    this.#worker = startWorker(parts, this.#progress);
    this.#worker.on('message', (message: Handover<Answer> | 'started') => this.#take(message));
    this.#worker.on('error', (error) => this.#end({ kind: 'crashed', error }));
    this.#worker.on('exit', () => this.#end({ kind: 'crashed', error: new Error('Its thread ended.') }));
    this.#worker.unref();
  }

  work(batch: Batch<Item, Answer>): void {
    this.#batch = batch;
    this.#places = batch.results.flatMap((result, place) => (result === undefined ? [place] : []));
    this.#sent = this.#places.length;
    this.#worker.ref();
    this.#watchFrom(atNoItem);
    this.#worker.postMessage(this.#places.map((place) => batch.items[place]!));
    this.#watch = setInterval(() => this.#checkTime(), checkEveryMs);
  }

  /** Kills the thread and abandons its batch, which rejects with the error. */
  end(error: Error): void {
    this.#batch?.fail(error);
    this.#batch = undefined;
    this.#end({ kind: 'crashed', error });
  }

  #take(message: Handover<Answer> | 'started'): void {
    if (this.#hasEnded) return;
    if (message === 'started') {
      this.#watchFrom(atNoItem);
      return;
    }
    const batch = this.#batch!;
    for (const answer of message.answers)
      batch.results[this.#places.shift()!] = answer === null ? { kind: 'skipped' } : { kind: 'answered', ...answer };
    if (!message.isLast) return;
    clearInterval(this.#watch);
    this.#worker.unref();
    this.#batch = undefined;
    batch.done(batch.results as ItemResult<Answer>[]);
    this.#events.onFree();
  }

  #watchFrom(item: number): void {
    this.#seen = item;
    this.#seenAt = performance.now();
  }

  #checkTime(): void {
    const at = Atomics.load(this.#progress, 0);
    // `atNoItem`: the thread has not started the batch, or the main thread was too busy to receive its answers.
    const timeMs = at === atNoItem ? startTimeMs : this.#parts.itemTimeMs;
    if (at !== this.#seen) this.#watchFrom(at);
    else if (performance.now() - this.#seenAt > timeMs) this.#end({ kind: 'killed' });
  }

  #end(verdict: ItemResult<Answer>): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#watch);
    const at = Atomics.load(this.#progress, 0);
    const gone = this.#worker.terminate();
    const batch = this.#batch;
    this.#batch = undefined;
    this.#events.onEnd(gone, batch && this.#blame(batch, verdict, at) ? batch : undefined);
  }

  /** Blames the end of the thread on its current item, whatever the cause. Returns whether unfinished items remain. */
  #blame(batch: Batch<Item, Answer>, verdict: ItemResult<Answer>, at: number): boolean {
    if (at === atNoItem) {
      const cause = verdict.kind === 'crashed' ? verdict.error : new Error('it took too long');
      batch.fail(new PoolBusy(`A thread could not be started: ${cause.message}`, { cause }));
      return false;
    }
    const place = this.#places[at - 1 - (this.#sent - this.#places.length)];
    if (place !== undefined) {
      batch.results[place] = verdict;
      const { lane } = batch.items[place]!;
      if (lane !== undefined) skip(batch, lane);
    }
    // A killed item has used its full time limit. The limit of the batch keeps a batch of many such items from delaying
    // the other batches.
    const { batchTimeMs = defaultBatchTimeMs } = this.#parts;
    if (performance.now() - batch.beganAt > batchTimeMs) skip(batch);
    const isLeft = batch.results.includes(undefined);
    if (!isLeft) batch.done(batch.results as ItemResult<Answer>[]);
    return isLeft;
  }
}

/** Skips the unfinished items of the batch that have a lane: `lane`, or any. */
function skip<Item extends LanedItem, Answer>({ items, results }: Batch<Item, Answer>, lane?: string): void {
  for (const [n, item] of items.entries()) {
    const isMeant = item.lane !== undefined && (lane === undefined || item.lane === lane);
    if (results[n] === undefined && isMeant) results[n] = { kind: 'skipped' };
  }
}

function startWorker(parts: ThreadParts, progress: Int32Array): Worker {
  return new Worker(parts.module, {
    workerData: { progress, given: parts.given, batchTimeMs: parts.batchTimeMs },
    resourceLimits: { maxOldGenerationSizeMb: parts.heapMb, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 },
    env: {},
    execArgv: [],
    stdin: false,
    // Output is discarded. It is not read either, because reading would keep the process alive: a thread that prints
    // a lot fills its own heap.
    stdout: true,
    stderr: true,
  });
}
