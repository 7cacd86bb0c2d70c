// Records the outcomes of attempts in batches. While too many wait to be recorded, nothing more should be sent.

import type { Database, Row, Statement } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import type { ClaimedKeys } from '../lanes/claimed-keys.ts';
import type { Followers } from '../order/followers.ts';
import type { HeadPromoter } from '../order/head-promoter.ts';
import type { OrderedObject } from '../order/order-table.ts';
import { park, postpone, releaseClaimed } from '../queue/pending-table.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import { BatchQueue } from './batch-queue.ts';
import type { LastFailure, Outcome, Retry } from './outcome.ts';
import { failClaimed, recordDelivered, recordLateFailures, recordRetries } from './outcome-table.ts';

export interface RecorderParts {
  database: Database;
  observe: Observe;
  /** Keys are removed once their outcomes are recorded. */
  claimedKeys: ClaimedKeys;
  /** Is told the ordered objects whose notification has been delivered or has failed. */
  promoter: Pick<HeadPromoter, 'add'>;
  followers: Followers;
  /** Records the failure of a notification whose attempts are used up. */
  recordLastFailure(outcome: LastFailure, workerId: number): Promise<void>;
}

interface Noted<T extends Outcome = Outcome> {
  outcome: T;
  workerId: number;
  /** Whether the next notification about the same object is sent from memory. */
  isFollowed: boolean;
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
        parts.promoter.add(batch.flatMap((noted) => orderedObjectOf(noted)));
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
    const { followers } = this.#parts;
    const isFollowed = outcome.kind === 'delivered' && followers.has(outcome.notification);
    if (outcome.kind === 'failure') this.#failures.add({ outcome, workerId, isFollowed });
    else this.#outcomes.add({ outcome, workerId, isFollowed });
    if (!isFollowed) this.release(followers.takeAll(outcome.notification), workerId);
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
    const groups = new Map<string, Noted[]>();
    for (const noted of batch) {
      const { outcome, workerId } = noted;
      const name = `${outcome.kind} ${workerId} ${outcome.kind === 'ended' ? outcome.reason : ''}`;
      const group = groups.get(name);
      if (group) group.push(noted);
      else groups.set(name, [noted]);
    }
    for (const group of groups.values()) {
      const rows = await this.#parts.database.run(statementFor(group));
      const late = lateIn(group, rows);
      if (late.length > 0) await this.#parts.database.run(recordLateFailures(late));
    }
  }
}

/** Retries that were not recorded because their notifications are no longer claimed. */
function lateIn(group: readonly Noted[], recorded: readonly Row[]): Retry[] {
  const keys = new Set(recorded.map(({ key }) => Number(key)));
  return group.flatMap(({ outcome }) =>
    outcome.kind === 'retry' && !keys.has(outcome.notification.key) ? [outcome] : [],
  );
}

/** The outcomes after which the next notification about the same object may be sent. */
const finalKinds: ReadonlySet<Outcome['kind']> = new Set(['delivered', 'failure', 'ended', 'released'] as const);

function orderedObjectOf({ outcome, isFollowed }: Noted): OrderedObject[] {
  const { subscriptionKey, orderedObject } = outcome.notification;
  return orderedObject === null || isFollowed || !finalKinds.has(outcome.kind)
    ? []
    : [{ subscriptionKey, orderedObject }];
}

type Kind = Exclude<Outcome['kind'], 'failure'>;

/** How to record outcomes of one kind and one worker. */
const statements: { [K in Kind]: (outcomes: (Outcome & { kind: K })[], workerId: number) => Statement } = {
  delivered: recordDelivered,
  retry: (outcomes, workerId) => recordRetries(workerId, outcomes),
  postponed: (outcomes, workerId) =>
    postpone(workerId, keysOf(outcomes), Math.max(...outcomes.map(({ delayMs }) => delayMs))),
  ended: (outcomes, workerId) =>
    failClaimed(workerId, keysOf(outcomes), { errorMessage: outcomes[0]!.reason, canBeSentAgain: true }),
  released: (outcomes, workerId) => releaseClaimed(workerId, keysOf(outcomes)),
  parked: (outcomes, workerId) => park(workerId, keysOf(outcomes)),
};

function statementFor(group: readonly Noted[]): Statement {
  const { outcome, workerId } = group[0]!;
  const record = statements[outcome.kind as Kind] as (outcomes: Outcome[], workerId: number) => Statement;
  return record(
    group.map((noted) => noted.outcome),
    workerId,
  );
}

function keysOf(outcomes: readonly Outcome[]): number[] {
  return outcomes.map(({ notification }) => notification.key);
}
