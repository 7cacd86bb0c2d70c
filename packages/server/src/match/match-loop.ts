// Line 2: matches queued events batch by batch for as long as the process runs. Any number of processes can run this
// loop in parallel. It is woken by writes in this process and by other processes (`wake-up.ts`), and polls for anything
// else.

import type { Database } from '../database/database.ts';
import { isLockTimeout, isTemporary } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { postponeEvent } from '../events/event-table.ts';
import type { Observe } from '../observe/observation.ts';
import { selectMatchingState } from '../subscriptions/subscription-table.ts';
import { BatchSize } from './batch-size.ts';
import type { KeyReserve } from './key-reserve.ts';
import { type BatchParts, type BatchResult, matchBatch } from './match-batch.ts';

export interface MatchLoopParts extends BatchParts {
  /** Used by matching alone: a claim lasts as long as its transaction, and the server ends an idle one. */
  database: Database;
  observe: Observe;
  keys: KeyReserve;
  /** Called when there are notifications to send that were not dispatched directly within this process. */
  onMatched(): void;
  /** Called when there are matches to shape. */
  onUnshaped(): void;
}

const pollEveryMs = 250;

/**
 * Events that committed late can have ids below the first id of the last claim. Each sweep says how often to look for
 * such events, and how far back.
 */
const sweeps = [
  { everyMs: 2_000, margin: Number.POSITIVE_INFINITY },
  { everyMs: 100, margin: 10_000 },
  { everyMs: 0, margin: 500 },
];

const caller = { userKey: undefined, client: 'matching' };

export function createMatchLoop(parts: MatchLoopParts): WorkLoop {
  const matcher = new Matcher(parts);
  return new WorkLoop({
    round: () => matcher.round(),
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'matching.failed', events: 0, error }),
  });
}

class Matcher {
  readonly #parts: MatchLoopParts;
  readonly #size = new BatchSize();
  #isLoaded = false;
  #lastFirstId = 0;
  #isModelOutdated = false;
  readonly #sweptAt = sweeps.map(() => 0);

  constructor(parts: MatchLoopParts) {
    this.#parts = parts;
  }

  async round(): Promise<boolean> {
    if (!this.#isLoaded) await this.#loadSubscriptions();
    this.#isLoaded = true;
    return this.#batch();
  }

  /** Returns whether there may be more to do at once. */
  async #batch(): Promise<boolean> {
    const { database, observe, onMatched, onUnshaped } = this.#parts;
    const eventsMax = this.#size.eventsMax;
    let startedAt = performance.now();
    let claimed: readonly number[] = [];
    const onClaim = (ids: readonly number[]) => {
      claimed = ids;
      // Time spent waiting for a writer of subscriptions to release the lock does not count as work.
      startedAt = performance.now();
    };
    const request = { eventsMax, fromId: this.#startId(), onClaim };
    try {
      const result = await database.transaction(caller, (transaction) => matchBatch(this.#parts, transaction, request));
      const durationMs = performance.now() - startedAt;
      this.#size.adapt({ durationMs, ...result });
      if (result.firstId !== undefined) this.#lastFirstId = result.firstId;
      this.#noteModel(result);
      const { events, notifications, suppressed, dispatchedDirectly, unshaped } = result;
      if (events > 0) observe({ kind: 'events.matched', events, notifications, suppressed, durationMs });
      if (notifications > dispatchedDirectly) onMatched();
      if (unshaped > 0) onUnshaped();
      return events === eventsMax;
    } catch (error) {
      return await this.#recover(error as Error, claimed);
    }
  }

  /** The id to claim from. Not always 0, because a scan from 0 visits every claimed row that is not vacuumed yet. */
  #startId(): number {
    const now = performance.now();
    const due = sweeps.findIndex(({ everyMs }, n) => now - this.#sweptAt[n]! >= everyMs);
    // A sweep that looks further back covers the nearer ones too.
    this.#sweptAt.fill(now, due);
    return Math.max(0, this.#lastFirstId - sweeps[due]!.margin);
  }

  /** Reports an outdated model once, until the model matches again. Meanwhile this process claims nothing. */
  #noteModel({ isModelOutdated }: BatchResult): void {
    if (isModelOutdated && !this.#isModelOutdated) this.#parts.observe({ kind: 'model.outdated' });
    this.#isModelOutdated = isModelOutdated;
  }

  /** One faulty event must not delay the others. Batches shrink until the event is alone; then it is postponed. */
  async #recover(error: Error, claimed: readonly number[]): Promise<true> {
    const { database, observe, keys } = this.#parts;
    const report = () => observe({ kind: 'matching.failed', events: claimed.length, error });
    keys.forget();
    this.#size.shrink();
    // No other part reports a lock that is held for too long.
    if (isLockTimeout(error)) report();
    if (isTemporary(error) || claimed.length === 0) throw error;
    report();
    if (claimed.length === 1) {
      this.#size.recover();
      await database.run(postponeEvent(claimed[0]!));
    }
    return true;
  }

  /** Loads all subscriptions before the first claim. There may be very many, and nothing should be locked meanwhile. */
  async #loadSubscriptions(): Promise<void> {
    const { database, subscriptions } = this.#parts;
    await database.transaction(caller, async ({ run }) => {
      const [rows] = await run(selectMatchingState());
      await subscriptions.refresh(String(rows?.[0]?.revision), run);
    });
  }
}
