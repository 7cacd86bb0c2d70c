// The other end of a WorkerPool, in the thread: works on one item after the other, tells which one it is at, and hands over
// what is done every now and then, so that little is done twice where a later item costs the thread.

import { parentPort, workerData } from 'node:worker_threads';

/** What the thread writes where the number of the item stands while it has no batch. */
export const atNoItem = 0;

/** Items of one lane have something in common that may take too long: one script, one stylesheet. Without one an item is alone. */
export interface LanedItem {
  readonly lane?: string;
}

/** With the milliseconds that it took. */
export interface Timed<Answer> {
  readonly answer: Answer;
  readonly tookMs: number;
}

export interface Handover<Answer> {
  /** Null where an item was left out. */
  readonly answers: readonly (Timed<Answer> | null)[];
  /** The batch is done. */
  readonly isLast: boolean;
}

/**
 * Whatever `work` throws ends the thread: then a fresh one goes on. After an answer that took too long, the rest of its lane is left
 * out of the batch, and so it is when a lane has used up its time, or the batch: others are waiting.
 */
export function serveItems<Item extends LanedItem, Answer>(
  work: (item: Item) => Answer | Promise<Answer>,
  isOverTime: (answer: Answer) => boolean = () => false,
): void {
  const { progress } = workerData as { progress: Int32Array };
  parentPort!.on('message', async (items: readonly Item[]) => {
    let answers: (Timed<Answer> | null)[] = [];
    const times = new LaneTimes();
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

/** Of one batch. */
class LaneTimes {
  readonly #spent = new Map<string, number>();
  readonly #endsAt = performance.now() + batchTimeMs;

  isUsedUp({ lane }: LanedItem): boolean {
    return lane !== undefined && (performance.now() > this.#endsAt || (this.#spent.get(lane) ?? 0) >= laneTimeMs);
  }

  add({ lane }: LanedItem, tookMs: number): void {
    if (lane !== undefined) this.#spent.set(lane, (this.#spent.get(lane) ?? 0) + tookMs);
  }
}

const laneTimeMs = 1_000;
export const batchTimeMs = 5_000;

/** What the pool was opened with for its threads. */
export function given(): unknown {
  return (workerData as { given: unknown }).given;
}

const handOverEveryMs = 20;
