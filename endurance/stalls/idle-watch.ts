// Samples the progress of each worker twice a second, and measures how long a worker that was not stalled did nothing
// while the same piece of work was waiting. Matching and delivery are measured separately: a worker that matches may
// have stopped delivering.

import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

export interface WatchedWorker {
  origin: string;
  readonly isStalled: boolean;
}

export type Line = 'matching' | 'delivery';

/** The oldest event or notification that any worker could claim now; null if there is none. */
export type OldestWaiting = Record<Line, string | null>;

export const lines: readonly Line[] = ['matching', 'delivery'];

const counters: Record<Line, string> = {
  matching: 'flaghoist_events_matched_total',
  delivery: 'flaghoist_attempts_total',
};

const everyMs = 500;

export class IdleWatch {
  /** Of each worker. */
  readonly longestMs: Record<Line, number>[];
  readonly #workers: readonly WatchedWorker[];
  readonly #selectOldest: () => Promise<OldestWaiting>;
  readonly #oldest: OldestWaiting = { matching: null, delivery: null };
  /** Since when it is the oldest one. */
  readonly #waitingSince: Record<Line, number> = { matching: 0, delivery: 0 };
  /** When each worker last made progress or was stalled. */
  readonly #busyAt: Record<Line, number>[];
  readonly #done: Record<Line, number>[];
  #isRunning = true;
  #loop: Promise<void> = Promise.resolve();

  constructor(workers: readonly WatchedWorker[], selectOldest: () => Promise<OldestWaiting>) {
    this.#workers = workers;
    this.#selectOldest = selectOldest;
    const now = performance.now();
    this.longestMs = workers.map(() => ({ matching: 0, delivery: 0 }));
    this.#busyAt = workers.map(() => ({ matching: now, delivery: now }));
    this.#done = workers.map(() => ({ matching: -1, delivery: -1 }));
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
      this.#note(await this.#selectOldest());
      await Promise.all(this.#workers.map((worker, index) => this.#look(worker, index)));
      await sleep(everyMs);
    }
  }

  #note(oldest: OldestWaiting): void {
    for (const line of lines) {
      if (oldest[line] === this.#oldest[line]) continue;
      this.#oldest[line] = oldest[line];
      this.#waitingSince[line] = performance.now();
    }
  }

  async #look(worker: WatchedWorker, index: number): Promise<void> {
    const wasStalled = worker.isStalled;
    const done = wasStalled ? undefined : await countDone(worker.origin);
    const now = performance.now();
    const [busyAt, before, longest] = [this.#busyAt[index]!, this.#done[index]!, this.longestMs[index]!];
    for (const line of lines) {
      // A worker that was stalled meanwhile starts again, too.
      if (wasStalled || worker.isStalled || (done && done[line] !== before[line])) busyAt[line] = now;
      if (done) before[line] = done[line];
      if (this.#oldest[line] === null) continue;
      longest[line] = Math.max(longest[line], now - Math.max(busyAt[line], this.#waitingSince[line]));
    }
  }
}

/** Undefined if the worker does not respond in time, so that its progress is unknown. */
async function countDone(origin: string): Promise<Record<Line, number> | undefined> {
  try {
    const { body } = await request(`${origin}/metrics`, { headersTimeout: 2_000, bodyTimeout: 2_000 });
    const text = await body.text();
    return { matching: sumOf(text, counters.matching), delivery: sumOf(text, counters.delivery) };
  } catch {
    return undefined;
  }
}

function sumOf(metrics: string, name: string): number {
  const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, 'gm'))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
