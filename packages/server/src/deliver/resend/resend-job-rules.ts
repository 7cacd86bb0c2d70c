// Rules for a ResendJob beyond the model: the only change allowed is to cancel the job while it is running.

import { type Clock, renderDateTime } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import type { CheckedBody } from '../../objects/check-body.ts';
import { compareFixedColumn } from '../../objects/compare-sent-back.ts';
import { withMistakes } from '../../objects/mistake.ts';
import { type ObjectChange, withColumns } from '../../objects/object-change.ts';
import type { CheckedChange, LockedRow, TypeRules } from '../../objects/type-rules.ts';
import { awaitProgress, giveUpPending } from './resend-progress-table.ts';

export const cancelledReason = 'The resend was cancelled.';

export function resendJobRules(clock: Clock): TypeRules {
  return {
    currentColumns: ['status', 'cancelled', 'external_object_key'],
    change: ({ key, body, current, check }) => {
      const sent = check(body);
      const checked = withMistakes(sent, compareFixedColumn(externalObjectKey, sent.change.columns, current));
      return isCancellation(sent.change, current) ? cancel(key, checked, current, clock) : checked;
    },
  };
}

const externalObjectKey = { name: 'externalObjectKey', column: 'external_object_key' };

function isCancellation({ columns: sent }: ObjectChange, current: LockedRow): boolean {
  const cancelled = sent.get('cancelled') ?? undefined;
  return cancelled !== undefined && (cancelled !== 'false' || current.get('cancelled') !== 'false');
}

/** How many pending notifications fail in the transaction of the cancellation. The resend loop fails the rest. */
const givenUpAtOnce = 1_000;

function cancel(key: number, { change, violations }: CheckedBody, current: LockedRow, clock: Clock): CheckedChange {
  const status = current.get('status');
  if (status !== 'RUNNING') throw new ApiError('resendEnded', endedMessages[status ?? ''] ?? endedMessages.DONE!);
  const columns = new Map([
    ['status', 'CANCELLED'],
    ['ended_date', renderDateTime(clock.now())],
  ]);
  return {
    change: withColumns(change, columns),
    violations,
    statements: [awaitProgress(key), giveUpPending(key, givenUpAtOnce, cancelledReason)],
  };
}

const endedMessages: Record<string, string> = {
  DONE: 'The resend is done and can no longer be cancelled.',
  CANCELLED: 'The resend is already cancelled.',
};
