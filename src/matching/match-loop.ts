// Line 2: works off the queue of events, batch by batch, for as long as the process runs. Any number of processes may do so side
// by side. Woken by whoever has written something in this process; others tell (`wake-up.ts`), and what nobody told is found by asking.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { isLockedOut, isPassing } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { postponeEvent } from '../events/event-table.ts';
import type { Observe } from '../observability/observation.ts';
import { selectMatchingState } from '../subscriptions/subscription-table.ts';
import { BatchSize } from './batch-size.ts';
import type { KeyReserve } from './key-reserve.ts';
import { type BatchParts, type BatchResult, matchBatch } from './match-batch.ts';

export interface MatchLoopParts extends BatchParts {
  /** With a connection of its own, whose transactions end when nothing is heard of them for the length of a lease. */
  database: Database;
  observe: Observe;
  keys: KeyReserve;
  /** There is something to send that nobody in this process has yet. */
  onMatched(): void;
  /** There is something to prepare. */
  onUnprepared(): void;
}

const askedEveryMs = 250;

/** Events that committed late stand below the mark where the last claim began: how often they are looked for, and how far back. */
const sweeps = [
  { everyMs: 2_000, margin: Number.POSITIVE_INFINITY },
  { everyMs: 100, margin: 10_000 },
  { everyMs: 0, margin: 500 },
];

const nobody = { userKey: undefined, client: 'matching' };

export class MatchLoop {
  readonly #parts: MatchLoopParts;
  readonly #size = new BatchSize();
  readonly #loop = new WorkLoop({ round: () => this.#round(), askedEveryMs });
  #isLoaded = false;
  #lastFirstId = 0;
  #isModelOutdated = false;
  readonly #sweptAt = sweeps.map(() => 0);

  constructor(parts: MatchLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  /** Finishes the batch that is under way. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  wake(): void {
    this.#loop.wake();
  }

  async #round(): Promise<boolean> {
    if (!this.#isLoaded) await this.#loadSubscriptions();
    this.#isLoaded = true;
    return await this.#batch();
  }

  /** Whether there may be more to do at once. */
  async #batch(): Promise<boolean> {
    const { database, observe, onMatched, onUnprepared } = this.#parts;
    const eventsMax = this.#size.eventsMax;
    let startedAt = performance.now();
    let claimed: readonly number[] = [];
    const onClaim = (ids: readonly number[]) => {
      claimed = ids;
      // Waiting for those who change subscriptions is no work.
      startedAt = performance.now();
    };
    const request = { eventsMax, fromId: this.#startId(), onClaim };
    try {
      const result = await database.transaction(nobody, (transaction) => matchBatch(this.#parts, transaction, request));
      const durationMs = performance.now() - startedAt;
      this.#size.adapt({ durationMs, ...result });
      this.#remember(result);
      this.#noteModel(result);
      const { events, notifications, heldBack, handedOn, unprepared } = result;
      if (events > 0) observe({ kind: 'events.matched', events, notifications, heldBack, durationMs });
      if (notifications > handedOn) onMatched();
      if (unprepared > 0) onUnprepared();
      return events === eventsMax;
    } catch (error) {
      return await this.#recover(error as Error, claimed);
    }
  }

  /** A low mark, because a claim that begins at 0 walks over every row that was taken out and not yet vacuumed away. */
  #startId(): number {
    const now = performance.now();
    const due = sweeps.findIndex(({ everyMs }, n) => now - this.#sweptAt[n]! >= everyMs);
    // What looks further back sees what is nearer, too.
    this.#sweptAt.fill(now, due);
    return Math.max(0, this.#lastFirstId - sweeps[due]!.margin);
  }

  #remember({ firstId }: BatchResult): void {
    if (firstId !== undefined) this.#lastFirstId = firstId;
  }

  /** Once, until it fits again: this process claims nothing any more. */
  #noteModel({ isModelOutdated }: BatchResult): void {
    if (isModelOutdated && !this.#isModelOutdated) this.#parts.observe({ kind: 'model.outdated' });
    this.#isModelOutdated = isModelOutdated;
  }

  /** The fault of one event must not keep the others waiting: batches shrink until it is alone, and then it waits. */
  async #recover(error: Error, claimed: readonly number[]): Promise<boolean> {
    const { database, observe, keys } = this.#parts;
    const isAway = isPassing(error);
    keys.forget();
    if (!isAway || isLockedOut(error)) observe({ kind: 'matching.failed', events: claimed.length, error });
    this.#size.shrink();
    if (claimed.length === 1 && !isAway) {
      this.#size.recover();
      await database.run(postponeEvent(claimed[0]!)).catch(() => sleep(askedEveryMs));
      return true;
    }
    if (isAway || claimed.length === 0) await sleep(askedEveryMs);
    return claimed.length > 0;
  }

  /** Before the first claim, so that nobody waits for it: there may be very many. */
  async #loadSubscriptions(): Promise<void> {
    const { database, subscriptions, observe } = this.#parts;
    while (!this.#loop.isStopping) {
      try {
        await database.transaction(nobody, async ({ run }) => {
          const [rows] = await run(selectMatchingState());
          await subscriptions.refresh(String(rows?.[0]?.revision), run);
        });
        return;
      } catch (error) {
        if (!isPassing(error)) observe({ kind: 'matching.failed', events: 0, error: error as Error });
        await sleep(askedEveryMs);
      }
    }
  }
}
