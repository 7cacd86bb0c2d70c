// Advances the resend jobs. Each round takes one step of each job, so that a short job does not wait for a long one. A
// step is one short transaction: it takes up the next batch, fails part of a cancelled job, or ends the job. Any number
// of processes may run steps; a process skips a job that another one has locked.

import type { Database, Transaction } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import { shareSubscriptionsLock } from '../../subscriptions/subscription-table.ts';
import { deliveryActor } from '../workers/delivery-actor.ts';
import { cancelledReason } from './resend-job-rules.ts';
import {
  beginProgress,
  deleteProgress,
  endCancelled,
  endDone,
  giveUpPending,
  handOverFailed,
  lockProgress,
  type ProgressRow,
  selectResends,
  takeFailed,
  takeReplaced,
} from './resend-progress-table.ts';
import { type TakingUp, takeUpReplayed } from './take-up-replayed.ts';

export interface ResendLoopParts extends Omit<TakingUp, 'run'> {
  database: Database;
  /** Called when notifications are ready to be sent. */
  onMoved(): void;
}

const pollEveryMs = 250;
const rowsAtOnce = 500;

/** How many of one job may be pending. The rest waits, so that a million of them do not delay everything else. */
const pendingMax = 1_000;

/**
 * The same for a job over several subscriptions, of which only 1,000 may be ready to be sent. Those that wait for
 * another attempt, or for a consumer, do not count among these, so that one dead receiver does not delay the others.
 */
const pendingOfSeveralMax = 10_000;

export function createResendLoop(parts: ResendLoopParts): WorkLoop {
  return new WorkLoop({
    round: (loop) => stepAll(parts, loop),
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

async function stepAll(parts: ResendLoopParts, loop: Stopping): Promise<boolean> {
  let isMore = false;
  for (const { key } of await parts.database.run(selectResends())) {
    if (loop.isStopping) return false;
    isMore = (await step(parts, Number(key))) || isMore;
  }
  return isMore;
}

/** A fault in one job does not delay the others. */
async function step(parts: ResendLoopParts, jobKey: number): Promise<boolean> {
  const { observe, onMoved } = parts;
  try {
    const { moved, isMore } = await advanceResend(parts, jobKey);
    if (moved > 0) onMoved();
    return isMore;
  } catch (error) {
    if (isTemporary(error)) throw error;
    observe({ kind: 'resend.failed', job: jobKey, error: error as Error });
    return false;
  }
}

export interface ResendStep {
  /** How many notifications this step has made pending. */
  moved: number;
  /** Whether there may be more to do at once. */
  isMore: boolean;
}

const nothing: ResendStep = { moved: 0, isMore: false };

export function advanceResend(parts: Omit<ResendLoopParts, 'onMoved'>, jobKey: number): Promise<ResendStep> {
  const { database } = parts;
  return database.transaction(deliveryActor, async (transaction) => {
    // Until COMMIT no subscription is unsubscribed or replaced: what is taken up may still be sent.
    const [, rows] = await transaction.run(shareSubscriptionsLock(), lockProgress(jobKey, pendingOfSeveralMax));
    const progress = rows?.[0] as ProgressRow | undefined;
    if (!progress) return nothing;
    return progress.status === 'RUNNING'
      ? takeUp(transaction, jobKey, progress, parts)
      : giveUp(transaction, jobKey, progress);
  });
}

async function takeUp(
  { run }: Transaction,
  jobKey: number,
  progress: ProgressRow,
  { notificationType, observe }: Omit<TakingUp, 'run'>,
): Promise<ResendStep> {
  const { kind, pending, replaced_subscription } = progress;
  if (progress.is_ended) {
    await run(endCancelled(jobKey));
    return nothing;
  }
  if (progress.is_moved) {
    if (pending === 0) await run(endDone(jobKey));
    return nothing;
  }
  if (replaced_subscription === null && !progress.has_begun) {
    const [begun = []] = await run(beginProgress(jobKey));
    return { moved: 0, isMore: begun.length > 0 };
  }
  const rowsMax = capacityOf(progress);
  if (rowsMax <= 0) return nothing;
  if (kind === 'REPLAY') return takeUpReplayed({ run, observe, notificationType }, jobKey, progress, rowsMax);
  const [rows] = await run((replaced_subscription === null ? takeFailed : takeReplaced)(jobKey, rowsMax));
  const { seen, moved } = rows![0]! as { seen: number; moved: number };
  return { moved, isMore: seen > 0 };
}

function capacityOf({ is_ordered, is_of_several, pending, ready }: ProgressRow): number {
  // An ordered subscription sends nothing of the job before everything is taken up: only then is the order known.
  if (is_ordered) return rowsAtOnce;
  if (!is_of_several) return Math.min(rowsAtOnce, pendingMax - pending);
  return Math.min(rowsAtOnce, pendingMax - ready, pendingOfSeveralMax - pending);
}

/** A notification in flight may still be delivered. If its attempt fails, a later round fails it instead of a retry. */
async function giveUp({ run }: Transaction, jobKey: number, progress: ProgressRow): Promise<ResendStep> {
  const [given = []] = await run(giveUpPending(jobKey, rowsAtOnce, cancelledReason));
  const isHandingOver = progress.replaced_subscription !== null && !progress.is_ended && !progress.is_moved;
  const [rows] = isHandingOver ? await run(handOverFailed(jobKey, rowsAtOnce, cancelledReason)) : [];
  const handedOver = Number(rows?.[0]?.seen ?? 0);
  if (progress.pending === 0 && !isHandingOver) await run(deleteProgress(jobKey));
  return { moved: 0, isMore: given.length + handedOver > 0 };
}
