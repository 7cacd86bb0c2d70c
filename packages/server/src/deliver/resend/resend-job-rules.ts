// Rules for a ResendJob beyond the model: the only change allowed is to cancel the job while it is running.

import { type Clock, renderDateTime } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { joinPath } from '../../json/join-path.ts';
import type { StoredValue } from '../../objects/check-scalar.ts';
import { staysAsItIs } from '../../objects/compare-sent-back.ts';
import type { ObjectChange } from '../../objects/object-change.ts';
import type { LockedChange, LockedRow, TypeRules } from '../../objects/type-rules.ts';
import { awaitProgress, giveUpPending } from './resend-progress-table.ts';
import { cancelledReason } from './resend-round.ts';

export function resendJobRules(clock: Clock): TypeRules {
  return {
    locked: {
      columns: ['status', 'cancelled', 'external_object_key'],
      change: (change, present) => changeLocked(clock, change, present),
    },
  };
}

/** How many pending notifications fail in the transaction of the cancellation. The resend loop fails the rest. */
const givenUpAtOnce = 1_000;

function changeLocked(clock: Clock, { key, columns: sent, path }: ObjectChange, present: LockedRow): LockedChange {
  const isOther =
    sent.has('external_object_key') && sent.get('external_object_key') !== present.get('external_object_key');
  const violations = isOther ? [{ path: joinPath(path, 'externalObjectKey'), message: staysAsItIs }] : [];
  const cancelled = sent.get('cancelled') ?? undefined;
  const status = present.get('status');
  if (cancelled === undefined || (cancelled === 'false' && present.get('cancelled') === 'false'))
    return { columns: new Map(), violations, statements: [] };
  if (status !== 'RUNNING') throw new ApiError('resendEnded', refusals[status ?? ''] ?? refusals.DONE!);
  return {
    columns: new Map<string, StoredValue>([
      ['status', 'CANCELLED'],
      ['ended_date', renderDateTime(clock.now())],
    ]),
    violations,
    statements: [awaitProgress(key!), giveUpPending(key!, givenUpAtOnce, cancelledReason)],
  };
}

const refusals: Record<string, string> = {
  DONE: 'The resend is done and cannot be cancelled any more.',
  CANCELLED: 'The resend is cancelled already.',
};
