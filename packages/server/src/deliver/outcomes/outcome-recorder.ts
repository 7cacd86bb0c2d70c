// Records the outcomes of attempts in batches. While too many wait to be recorded, nothing more should be sent.

import type { Database } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import type { ClaimedKeys } from '../lanes/claimed-keys.ts';
import { park } from '../queue/parked-table.ts';
import { postpone, releaseClaimed } from '../queue/pending-table.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import { BatchQueue } from './batch-queue.ts';
import { type AttemptOutcome, type Outcome, renderAttempt } from './outcome.ts';
import { type AttemptRow, failClaimed, recordDelivered, recordRetries } from './outcome-table.ts';

export interface RecorderParts {
  database: Database;
  observe: Observe;
  /** Keys are removed once their outcomes are recorded. */
  claimedKeys: ClaimedKeys;
  /** Records the failure of a notification whose attempts are used up. */
  recordLastFailure(outcome: LastFailure, workerId: number): Promise<void>;
}

export type LastFailure = AttemptOutcome & { kind: 'failure' };

interface Noted<T extends Outcome = Outcome> {
  outcome: T;
  workerId: number;
}

const waitingMax = 5_000;
/**
 * Each batch is a transaction, so small batches would cost more than the sending. If the process dies meanwhile, the
 * notifications are sent again.
 */
const gatheredMs = 20;
const aMinute = 60_000;
const noBody = Buffer.alloc(0);

export class OutcomeRecorder {
  readonly #parts: RecorderParts;
  readonly #outcomes: BatchQueue<Noted>;
  /** These may wait for locks for a long time, so they have a queue of their own. */
  readonly #failures: BatchQueue<Noted<LastFailure>>;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    const common = {
      giveUp: async ({ outcome, workerId }: Noted) => {
        await parts.database.run(postpone(workerId, [outcome.notification.key], aMinute));
      },
      onDone: (batch: readonly Noted[]) => {
        parts.claimedKeys.drop(batch.map(({ outcome }) => outcome.notification.key));
      },
      onError: (error: Error) => parts.observe({ kind: 'delivery.failed', error }),
    };
    this.#outcomes = new BatchQueue<Noted>({ ...common, gatheredMs, work: (batch) => this.#record(batch) });
    this.#failures = new BatchQueue<Noted<LastFailure>>({
      ...common,
      gatheredMs: 0,
      work: async (batch) => {
        for (const { outcome, workerId } of batch) await parts.recordLastFailure(outcome, workerId);
      },
    });
  }

  get isBehind(): boolean {
    return this.#outcomes.length + this.#failures.length >= waitingMax;
  }

  add(outcome: Outcome, workerId: number): void {
    // The body is no longer needed, and an outage of the database may last long.
    outcome.notification.body = noBody;
    if (outcome.kind === 'failure') this.#failures.add({ outcome, workerId });
    else this.#outcomes.add({ outcome, workerId });
  }

  release(notifications: readonly ReadyNotification[], workerId: number): void {
    for (const notification of notifications) this.add({ kind: 'released', notification }, workerId);
  }

  park(notifications: readonly ReadyNotification[], workerId: number): void {
    for (const notification of notifications) this.add({ kind: 'parked', notification }, workerId);
  }

  /** Resolves when everything is recorded. After `deadline` the rest is left to the workers that claim it next. */
  async flush(deadline: AbortSignal): Promise<void> {
    await Promise.all([this.#outcomes.close(deadline), this.#failures.close(deadline)]);
  }

  /** Idempotent: once recorded, a notification is no longer claimed by this worker. */
  async #record(batch: readonly Noted[]): Promise<void> {
    const { database } = this.#parts;
    const delivered: AttemptRow[] = [];
    for (const { outcome } of batch) if (outcome.kind === 'delivered') delivered.push(rowOf(outcome));
    if (delivered.length > 0) await database.run(recordDelivered(delivered));
    for (const [workerId, outcomes] of byWorker(batch)) {
      const retries = outcomes.filter((outcome) => outcome.kind === 'retry');
      if (retries.length > 0) await database.run(recordRetries(workerId, retries.map(retryOf)));
      const postponed = outcomes.filter((outcome) => outcome.kind === 'postponed');
      if (postponed.length > 0)
        await database.run(postpone(workerId, keysOf(postponed), Math.max(...postponed.map(({ delayMs }) => delayMs))));
      await this.#failEnded(workerId, outcomes);
      const released = outcomes.filter(({ kind }) => kind === 'released');
      if (released.length > 0) await database.run(releaseClaimed(workerId, keysOf(released)));
      const parked = outcomes.filter(({ kind }) => kind === 'parked');
      if (parked.length > 0) await database.run(park(workerId, keysOf(parked)));
    }
  }

  async #failEnded(workerId: number, outcomes: readonly Outcome[]): Promise<void> {
    const ended = outcomes.filter((outcome) => outcome.kind === 'ended');
    for (const reason of new Set(ended.map((outcome) => outcome.reason))) {
      const keys = keysOf(ended.filter((outcome) => outcome.reason === reason));
      await this.#parts.database.run(failClaimed(workerId, keys, { errorMessage: reason, canBeSentAgain: true }));
    }
  }
}

function byWorker(batch: readonly Noted[]): Map<number, Outcome[]> {
  const outcomes = new Map<number, Outcome[]>();
  for (const { workerId, outcome } of batch) {
    const others = outcomes.get(workerId);
    if (others) others.push(outcome);
    else outcomes.set(workerId, [outcome]);
  }
  return outcomes;
}

function keysOf(outcomes: readonly Outcome[]): number[] {
  return outcomes.map(({ notification }) => notification.key);
}

function retryOf(outcome: AttemptOutcome & { kind: 'retry' }) {
  return { ...rowOf(outcome), error: outcome.error, delayMs: outcome.delayMs };
}

export function rowOf({ notification, attempt }: AttemptOutcome) {
  const { key, createdDate, subscriptionKey, resendJob, attempts } = notification;
  return { key, createdDate, subscriptionKey, resendJob, attempts, attempt: renderAttempt(attempt) };
}
