// Records the failed last attempt of a notification. One transaction fails the notification, deactivates its
// subscription, marks all other pending notifications as failed, and stores the alert. All locks and writes are sent
// together with the COMMIT, so a process that stops in the middle holds no lock.

import type { Mail } from '../../channels/mail/mail.ts';
import type { Database, Run, Statement } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import { judge } from '../../subscriptions/state-machine.ts';
import { composeAlertMail } from '../mail/compose-alert-mail.ts';
import { insertMail } from '../mail/outgoing-mail-table.ts';
import { deliveryActor } from '../workers/delivery-actor.ts';
import {
  countWaiting,
  type FailingRow,
  requireUnchanged,
  selectFailing,
  setDeactivated,
} from './deactivation-table.ts';
import type { LastFailure } from './outcome.ts';
import { failedAtOnce, failPending, noteEnded, recordFailure, recordLateFailures } from './outcome-table.ts';

export interface LastFailureParts {
  database: Database;
  observe: Observe;
  baseUrl: string;
  /** How long a deactivated subscription continues to collect notifications. */
  deactivatedKeepMs: number;
}

export const deactivatedReason = 'The subscription is deactivated.';

export async function recordLastFailure(
  parts: LastFailureParts,
  outcome: LastFailure,
  workerId: number,
): Promise<void> {
  const { notification } = outcome;
  const record = recordFailure(workerId, outcome);
  const isDeactivated = await parts.database.transaction(deliveryActor, async ({ run, commitWith }) => {
    const [rows] = await run(selectFailing(notification, workerId));
    const failing = rows?.[0] as FailingRow | undefined;
    // Another worker has the notification, it has failed meanwhile with its subscription, or it deactivates nothing.
    if (!failing?.is_own || !isEnd(failing)) {
      await commitWith(record, recordLateFailures([outcome]));
      return false;
    }
    const deactivation = await deactivate(parts, run, failing, outcome);
    await commitWith(...requireUnchanged(failing, notification, workerId), record, ...deactivation);
    return true;
  });
  const { subscriptionKey: subscription } = notification;
  if (isDeactivated) parts.observe({ kind: 'subscription.deactivated', subscription, reason: outcome.error });
}

/** A receiver that rejects what it has accepted before, such as a duplicate, may still accept new notifications. */
function isEnd({ state, do_not_unsubscribe, was_delivered }: FailingRow): boolean {
  const verdict = judge(state, 'deactivate');
  return !was_delivered && !do_not_unsubscribe && verdict.kind === 'moved' && verdict.state !== state;
}

async function deactivate(
  parts: LastFailureParts,
  run: Run,
  failing: FailingRow,
  outcome: LastFailure,
): Promise<Statement[]> {
  const { subscriptionKey } = outcome.notification;
  return [
    setDeactivated(subscriptionKey, `Deliveries have failed: ${outcome.error}`),
    noteEnded(subscriptionKey, deactivatedReason),
    failPending({ subscriptionKey, errorMessage: deactivatedReason, withResends: false, rowsMax: failedAtOnce }),
    ...(failing.user_email === null
      ? []
      : [insertMail(await composeAlert(parts, run, failing, failing.user_email, outcome))]),
  ];
}

async function composeAlert(
  { baseUrl, deactivatedKeepMs }: LastFailureParts,
  run: Run,
  { subscription, user_name, failing_since }: FailingRow,
  email: string,
  { attempt, notification, error }: LastFailure,
): Promise<Mail> {
  const [rows] = await run(countWaiting(notification.subscriptionKey));
  return composeAlertMail({
    subscription,
    user: { name: user_name ?? '', email },
    failingSince: failing_since === null ? attempt.startedAt : new Date(failing_since),
    lastAttemptAt: attempt.startedAt,
    attempts: notification.attempts + 1,
    lastError: error,
    lastAnswer: attempt.result.kind === 'ownFault' ? null : attempt.result.answer,
    // Includes the notification that has just failed.
    waiting: Number(rows![0]!.waiting),
    collectsUntil: deactivatedKeepMs > 0 ? new Date(attempt.startedAt.getTime() + deactivatedKeepMs) : null,
    baseUrl,
  });
}
