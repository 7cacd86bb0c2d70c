// Advances the resend jobs. Each round takes one step of each job, so that a short job does not wait for a long one. A
// step is one short transaction: it takes up the next batch, fails part of a cancelled job, or ends the job. Any number
// of processes may run steps; a process skips a job that another one has locked.

import type { Database, Transaction } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { shareSubscriptionsLock } from '../../subscriptions/subscription-table.ts';
import { deliveryActor } from '../workers/delivery-actor.ts';
import { takeReplayed } from './replay-table.ts';
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

export interface ResendLoopParts {
  database: Database;
  observe: Observe;
  /** Called when notifications are ready to be sent. */
  onMoved(): void;
}

const pollEveryMs = 250;
const rowsAtOnce = 500;

/** How many of one job may be pending. The rest waits, so that a million of them do not delay everything else. */
const pendingMax = 1_000;

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
async function step({ database, observe, onMoved }: ResendLoopParts, jobKey: number): Promise<boolean> {
  try {
    const { moved, isMore } = await advanceResend(database, jobKey);
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

export function advanceResend(database: Database, jobKey: number): Promise<ResendStep> {
  return database.transaction(deliveryActor, async (transaction) => {
    // Until COMMIT no subscription is unsubscribed or replaced: what is taken up may still be sent.
    const [, rows] = await transaction.run(shareSubscriptionsLock(), lockProgress(jobKey, pendingMax));
    const progress = rows?.[0] as ProgressRow | undefined;
    if (!progress) return nothing;
    return progress.status === 'RUNNING'
      ? takeUp(transaction, jobKey, progress)
      : giveUp(transaction, jobKey, progress);
  });
}

async function takeUp({ run }: Transaction, jobKey: number, progress: ProgressRow): Promise<ResendStep> {
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
  // An ordered subscription sends nothing of the job before everything is taken up: only then is the order known.
  const capacity = progress.is_ordered ? rowsAtOnce : Math.min(rowsAtOnce, pendingMax - pending);
  if (capacity <= 0) return nothing;
  const take = replaced_subscription === null ? takes[kind] : takeReplaced;
  const [rows] = await run(take(jobKey, capacity));
  const { seen, moved } = rows![0]! as { seen: number; moved: number };
  return { moved, isMore: seen > 0 };
}

const takes = { RESEND: takeFailed, REPLAY: takeReplayed };

/** A notification in flight may still be delivered. If its attempt fails, a later round fails it instead of a retry. */
async function giveUp({ run }: Transaction, jobKey: number, progress: ProgressRow): Promise<ResendStep> {
  const [given = []] = await run(giveUpPending(jobKey, rowsAtOnce, cancelledReason));
  const isHandingOver = progress.replaced_subscription !== null && !progress.is_ended && !progress.is_moved;
  const [rows] = isHandingOver ? await run(handOverFailed(jobKey, rowsAtOnce, cancelledReason)) : [];
  const handedOver = Number(rows?.[0]?.seen ?? 0);
  if (progress.pending === 0 && !isHandingOver) await run(deleteProgress(jobKey));
  return { moved: 0, isMore: given.length + handedOver > 0 };
}
