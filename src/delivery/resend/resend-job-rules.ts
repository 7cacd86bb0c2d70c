// What holds for a ResendJob beyond the model: it can be cancelled while it is running, and that is all.

import { type Clock, renderDateTime } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { joinPath } from '../../json/join-path.ts';
import { awaitProgress, giveUpPending } from '../../notifications/resend-progress-table.ts';
import type { StoredValue } from '../../objects/check-scalar.ts';
import { staysAsItIs } from '../../objects/compare-echoes.ts';
import type { ObjectChange } from '../../objects/object-change.ts';
import type { HeldChange, HeldRow, TypeRules } from '../../objects/type-rules.ts';
import { cancelledReason } from './resend-round.ts';

export function resendJobRules(clock: Clock): TypeRules {
  return {
    held: {
      columns: ['status', 'cancelled', 'external_object_key'],
      change: (change, present) => changeHeld(clock, change, present),
    },
  };
}

/** So many are given up at once; the rest by and by. */
const givenUpAtOnce = 1_000;

function changeHeld(clock: Clock, { key, columns: sent, path }: ObjectChange, present: HeldRow): HeldChange {
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
