// One step of one resend job, in one short transaction: takes up the next batch, fails part of a cancelled job, or ends
// the job. Any number of processes may run steps. A process skips a job that another process has locked.

import type { Database, Transaction } from '../../database/database.ts';
import { shareSubscriptionsLock } from '../../subscriptions/subscription-table.ts';
import {
  beginProgress,
  deleteProgress,
  endCancelled,
  endDone,
  giveUpPending,
  handOverFailed,
  lockProgress,
  type ProgressRow,
  takeFailed,
  takeReplaced,
} from './resend-progress-table.ts';

export interface ResendRound {
  /** How many notifications this step has made pending. */
  moved: number;
  /** Whether there may be more to do at once. */
  isMore: boolean;
}

const rowsAtOnce = 500;

/** How many of one job may be pending. The rest waits, so that a million of them do not delay everything else. */
const pendingMax = 1_000;

export const cancelledReason = 'The resend was cancelled.';

const nobody = { userKey: undefined, client: 'delivery' };
const nothing: ResendRound = { moved: 0, isMore: false };

export function resendRound(database: Database, jobKey: number): Promise<ResendRound> {
  return database.transaction(nobody, async (transaction) => {
    // Until COMMIT no subscription is unsubscribed or replaced: what is taken up may still be sent.
    const [, rows] = await transaction.run(shareSubscriptionsLock(), lockProgress(jobKey, pendingMax));
    const progress = rows?.[0] as ProgressRow | undefined;
    if (!progress) return nothing;
    return progress.status === 'RUNNING' ? goOn(transaction, jobKey, progress) : giveUp(transaction, jobKey, progress);
  });
}

async function goOn({ run }: Transaction, jobKey: number, progress: ProgressRow): Promise<ResendRound> {
  const { pending, replaced_subscription } = progress;
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
  const room = Math.min(rowsAtOnce, pendingMax - pending);
  if (room <= 0) return nothing;
  const [rows] = await run(replaced_subscription === null ? takeFailed(jobKey, room) : takeReplaced(jobKey, room));
  const { seen, moved } = rows![0]! as { seen: number; moved: number };
  return { moved, isMore: seen > 0 };
}

/** A notification in flight may still be delivered. If its attempt fails, a later round fails it instead of a retry. */
async function giveUp({ run }: Transaction, jobKey: number, progress: ProgressRow): Promise<ResendRound> {
  const [given = []] = await run(giveUpPending(jobKey, rowsAtOnce, cancelledReason));
  const isHandingOver = progress.replaced_subscription !== null && !progress.is_ended && !progress.is_moved;
  const [rows] = isHandingOver ? await run(handOverFailed(jobKey, rowsAtOnce, cancelledReason)) : [];
  const handedOver = Number(rows?.[0]?.seen ?? 0);
  if (progress.pending === 0 && !isHandingOver) await run(deleteProgress(jobKey));
  return { moved: 0, isMore: given.length + handedOver > 0 };
}
