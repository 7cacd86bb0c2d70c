// One step of one resend, in one short transaction: the next batch is taken up, or given up where the job is cancelled, or the job
// has come to its end. Any number of processes may do so: who finds another at work on a job leaves it alone.

import type { Database, Transaction } from '../../database/database.ts';
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
} from '../../notifications/resend-progress-table.ts';
import { holdSubscriptions } from '../../subscriptions/subscription-table.ts';

export interface ResendRound {
  /** How many are pending from now on. */
  moved: number;
  /** Whether there may be more to do at once. */
  isMore: boolean;
}

const rowsAtOnce = 500;

/** Of one job: the rest waits, so that a million of them do not get in the way of everything else. */
const pendingMax = 1_000;

export const cancelledReason = 'The resend was cancelled.';

const nobody = { userKey: undefined, client: 'delivery' };
const nothing: ResendRound = { moved: 0, isMore: false };

export function resendRound(database: Database, jobKey: number): Promise<ResendRound> {
  return database.transaction(nobody, async (transaction) => {
    // Nobody is unsubscribed or replaced from here to COMMIT: what is taken up is for those who are still to be sent something.
    const [, rows] = await transaction.run(holdSubscriptions(), lockProgress(jobKey, pendingMax));
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

/** What is under way may arrive yet, or is to be tried again, which it then is not. */
async function giveUp({ run }: Transaction, jobKey: number, progress: ProgressRow): Promise<ResendRound> {
  const [given = []] = await run(giveUpPending(jobKey, rowsAtOnce, cancelledReason));
  const isHandingOver = progress.replaced_subscription !== null && !progress.is_ended && !progress.is_moved;
  const [rows] = isHandingOver ? await run(handOverFailed(jobKey, rowsAtOnce, cancelledReason)) : [];
  const handedOver = Number(rows?.[0]?.seen ?? 0);
  if (progress.pending === 0 && !isHandingOver) await run(deleteProgress(jobKey));
  return { moved: 0, isMore: given.length + handedOver > 0 };
}
