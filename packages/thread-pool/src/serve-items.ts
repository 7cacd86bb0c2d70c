// The part of a WorkerPool that runs in the thread: processes the items in order and publishes the current item number.
// Sends the answers at short intervals, so that little work is repeated if a later item ends the thread.

import { parentPort, workerData } from 'node:worker_threads';

/** The published item number while the thread has no batch. */
export const atNoItem = 0;

/**
 * Items of one lane share something that may take too long, such as a script or a stylesheet, and a time limit per
 * batch. An item without a lane is never skipped.
 */
export interface LanedItem {
  readonly lane?: string;
}

/** An answer, and the milliseconds that it took. */
export interface Timed<Answer> {
  readonly answer: Answer;
  readonly tookMs: number;
}

export interface Handover<Answer> {
  /** Null for an item that was skipped. */
  readonly answers: readonly (Timed<Answer> | null)[];
  /** Whether the batch is complete. */
  readonly isLast: boolean;
}

/**
 * Runs `work` for each item. An exception from `work` ends the thread, and a new thread continues.
 * After an answer that is over time, the remaining items of its lane in the batch are skipped. Items are also skipped
 * when the time of their lane or of the batch is used up, because other batches are waiting.
 */
export function serveItems<Item extends LanedItem, Answer>(
  work: (item: Item) => Answer | Promise<Answer>,
  isOverTime: (answer: Answer) => boolean = () => false,
): void {
  const { progress, batchTimeMs } = workerData as { progress: Int32Array; batchTimeMs?: number };
  parentPort!.on('message', async (items: readonly Item[]) => {
    let answers: (Timed<Answer> | null)[] = [];
    const times = new LaneTimes(batchTimeMs);
    let handedOverAt = performance.now();
    for (const [n, item] of items.entries()) {
      Atomics.store(progress, 0, n + 1);
      if (times.isUsedUp(item)) answers.push(null);
      else {
        const began = performance.now();
        const answer = await work(item);
        const tookMs = performance.now() - began;
        times.add(item, isOverTime(answer) ? laneTimeMs : tookMs);
        answers.push({ answer, tookMs });
      }
      if (performance.now() - handedOverAt < handOverEveryMs) continue;
      parentPort!.postMessage({ answers, isLast: false } satisfies Handover<Answer>);
      answers = [];
      handedOverAt = performance.now();
    }
    Atomics.store(progress, 0, atNoItem);
    parentPort!.postMessage({ answers, isLast: true } satisfies Handover<Answer>);
  });
  parentPort!.postMessage('started');
}

/** The time that each lane has used in one batch. */
class LaneTimes {
  readonly #spent = new Map<string, number>();
  readonly #endsAt: number;

  constructor(batchTimeMs = defaultBatchTimeMs) {
    this.#endsAt = performance.now() + batchTimeMs;
  }

  isUsedUp({ lane }: LanedItem): boolean {
    return lane !== undefined && (performance.now() > this.#endsAt || (this.#spent.get(lane) ?? 0) >= laneTimeMs);
  }

  add({ lane }: LanedItem, tookMs: number): void {
    if (lane !== undefined) this.#spent.set(lane, (this.#spent.get(lane) ?? 0) + tookMs);
  }
}

const laneTimeMs = 1_000;
export const defaultBatchTimeMs = 5_000;

/** The value that the pool was given for its threads (`ThreadParts.given`). */
export function given(): unknown {
  return (workerData as { given: unknown }).given;
}

const handOverEveryMs = 20;
