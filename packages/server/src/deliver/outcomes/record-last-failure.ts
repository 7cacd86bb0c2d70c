// Records the failed last attempt of a notification. One transaction fails the notification, deactivates its
// subscription, marks all other pending notifications as failed, and stores the alert. All locks and writes are sent
// together with the COMMIT, so a process that stops in the middle holds no lock.

import type { Mail } from '../../channels/mail/mail.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Database, Run, Statement } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import { type RetrySettings, scheduleOf } from '../../subscriptions/channel/retry-policy.ts';
import { judge } from '../../subscriptions/state-machine.ts';
import { insertAlert } from '../alerts/outgoing-alert-table.ts';
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
  settings: Pick<Settings, 'deactivatedKeepMs' | 'alertUrl'> & RetrySettings;
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
  const { subscriptionKey, attempts } = outcome.notification;
  const [rows] = await run(countWaiting(subscriptionKey));
  // Includes the notification that has just failed.
  const waiting = Number(rows![0]!.waiting);
  const facts = { attempts: attempts + 1, error: outcome.error, waiting };
  const mail = composeAlert(parts, failing, outcome, waiting);
  return [
    setDeactivated(subscriptionKey, `Deliveries have failed: ${outcome.error}`),
    noteEnded(subscriptionKey, deactivatedReason),
    failPending({ subscriptionKey, errorMessage: deactivatedReason, withResends: false, rowsMax: failedAtOnce }),
    ...(mail ? [insertMail(mail)] : []),
    ...(parts.settings.alertUrl === undefined
      ? []
      : [insertAlert({ subscriptionKey, kind: 'SUBSCRIPTION_DEACTIVATED', facts })]),
  ];
}

/** Undefined if the owner has no address. */
function composeAlert(
  { baseUrl, settings }: LastFailureParts,
  { subscription, user_name, user_email: email, failing_since, retry_policy, first_attempt }: FailingRow,
  { attempt, notification, error }: LastFailure,
  waiting: number,
): Mail | undefined {
  if (email === null) return undefined;
  const { startedAt, result } = attempt;
  const { deactivatedKeepMs } = settings;
  return composeAlertMail({
    subscription,
    user: { name: user_name ?? '', email },
    failingSince: failing_since === null ? startedAt : new Date(failing_since),
    firstAttemptAt: first_attempt === null ? startedAt : new Date(first_attempt),
    lastAttemptAt: startedAt,
    attempts: notification.attempts + 1,
    schedule: scheduleOf(retry_policy, settings),
    hasOwnPolicy: retry_policy !== null,
    lastError: error,
    lastAnswer: result.kind === 'ownFault' ? null : result.answer,
    waiting,
    collectsUntil: deactivatedKeepMs > 0 ? new Date(startedAt.getTime() + deactivatedKeepMs) : null,
    baseUrl,
  });
}
