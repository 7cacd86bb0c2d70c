// All SQL of the outcomes of attempts: delivered, to be retried, failed. Each statement records a batch. The day of
// each notification is known, so that no other partitions of the log are read.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import { countInResends, failText, isOneOf, thisSecond, unlessDelivered } from '../queue/notification-state-table.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import {
  activityCodes,
  codeOfDelivered,
  insertActivity,
  type SubscriptionError,
} from '../statistics/activity-table.ts';
import { type AttemptOutcome, type LastFailure, type Retry, renderAttempt } from './outcome.ts';

const attemptsKept = 50;

/**
 * Whether a notification is claimed by this worker, for this attempt. If the response to a recording was lost, the
 * number of attempts before prevents a second recording. The notification may also have failed meanwhile and be part of
 * another resend, perhaps with the same worker.
 */
export const isOwn = (first: number) => `p.notification_key = $${first}::bigint and p.claimed_by = $${first + 1}::bigint
  and p.attempts = $${first + 2}::int and p.resend_job is not distinct from $${first + 3}::bigint`;

export function ownValues({ key, attempts, resendJob }: ReadyNotification, workerId: number): unknown[] {
  return [key, workerId, attempts, resendJob];
}

/** `log`: an array of one attempt. For the first attempt, which most are, it is the whole log. */
export const appendedLog = (log: string) => `case when n.attempt_log is null then ${log}
    when jsonb_array_length(n.attempt_log) >= ${attemptsKept} then (n.attempt_log - 0) || ${log}
    else n.attempt_log || ${log} end`;

/** A member of the second parameter, which has an object for each notification, by key. */
const memberOf = (key: string, member: string) => `($2::jsonb -> ${key}::text ${member})`;

/** After a failover the key may belong to another notification that was created later. */
const isTheOneSent = (key: string) => `created_date = ${memberOf(key, "->> 'createdDate'")}::timestamp`;

/**
 * Applies whichever worker has the claim by now, and even if the notification was failed meanwhile: it has arrived. But
 * the replay of a delivered one ends only with its own sending, not with the late response to an earlier attempt.
 */
export function recordDelivered(outcomes: readonly AttemptOutcome[]): Statement {
  return {
    text: `with pending as (
  delete from flaghoist_system.pending_notification where notification_key = any($1::bigint[])
    and ${isTheOneSent('notification_key')}
    and (replay_of is distinct from 'DELIVERED'
      or resend_job = ${memberOf('notification_key', "->> 'resendJob'")}::bigint)
  returning notification_key, resend_job),
resendable as (
  delete from flaghoist_system.resendable_notification where notification_key = any(array(
    select k from unnest($1::bigint[]) as k except select notification_key from pending))
    and ${isTheOneSent('notification_key')}),
healthy as (delete from flaghoist_system.delivery_health where subscription_key = any($5::bigint[])),
counted as (${countInResends('done', 'pending')}),
delivered as (update flaghoist_service.webhook_notification n
set status = 'DELIVERED', attempts = n.attempts + 1, ${unlessDelivered('delivery_date', thisSecond)},
  next_attempt_date = null,
  error_message = null, attempt_log = ${appendedLog(memberOf('n."key"', "-> 'log'"))}, modified_date = ${thisSecond}
where ${isOneOf('$1::bigint[]', '$3', '$4')} and n.${isTheOneSent('n."key"')}
  and (n.status <> 'DELIVERED' or n."key" = any(array(select notification_key from pending)))
returning n."key", n.subscription, n.created_date, n.occurred_at)
${insertActivity(deliveredActivity)}`,
    values: [
      ...keysAndDays(outcomes, ({ notification: { createdDate, resendJob }, attempt }) => ({
        createdDate,
        resendJob,
        agoMs: performance.now() - attempt.endedAtMs,
      })),
      numberArray([...new Set(outcomes.map(({ notification }) => notification.subscriptionKey))]),
      numberArray(outcomes.flatMap(({ notification: { key, resendJob } }) => (resendJob === null ? [] : key))),
    ],
  };
}

/** `agoMs`: outcomes are recorded some time after their attempts, together or when the database is back. */
const deliveredActivity = `select d."key", d.subscription, d.created_date, ${codeOfDelivered(
  'd.occurred_at',
  `${memberOf('d."key"', "->> 'agoMs'")}::float8`,
  'd."key" = any($6::bigint[])',
)} as code from delivered d`;

/**
 * Only for notifications that this worker still has claimed, for these attempts; see `isOwn`. Returns their keys, so
 * that the attempts of the others can be recorded with `recordLateFailures`.
 */
export function recordRetries(workerId: number, outcomes: readonly Retry[]): Statement {
  const delayOf = (key: string) => `${memberOf(key, "->> 'delayMs'")}::float8 * interval '1 millisecond'`;
  return {
    text: `with moved as (
  update flaghoist_system.pending_notification p
  set claimed_by = null, attempts = p.attempts + 1, due_at = now() + ${delayOf('p.notification_key')}
  where p.notification_key = any($1::bigint[]) and p.claimed_by = $5::bigint
    and p.attempts = ${memberOf('p.notification_key', "->> 'attempts'")}::int
    and p.resend_job is not distinct from ${memberOf('p.notification_key', "->> 'resendJob'")}::bigint
  returning p.notification_key as key, p.subscription_key),
unhealthy as (${raiseFailures}),
retried as (update flaghoist_service.webhook_notification n
set attempts = n.attempts + 1, ${unlessDelivered('error_message', memberOf('n."key"', "->> 'error'"))},
  attempt_log = ${appendedLog(memberOf('n."key"', "-> 'log'"))},
  next_attempt_date = date_trunc('second', (now() + ${delayOf('n."key"')}) at time zone 'utc'),
  modified_date = ${thisSecond}
where ${isOneOf('array(select key from moved)', '$3', '$4')}
returning n."key", n.subscription, n.created_date),
activity as (${insertActivity(`select *, ${activityCodes.retried} as code from retried`, '$6::jsonb')})
select "key"::text from retried`,
    values: [
      ...keysAndDays(outcomes, ({ notification: { attempts, resendJob }, error, delayMs }) => ({
        attempts,
        resendJob,
        error,
        delayMs,
      })),
      workerId,
      JSON.stringify(outcomes.map(errorOf)),
    ],
  };
}

/**
 * Records failed attempts of notifications that this worker no longer has claimed: while the attempt was in flight, the
 * subscription has ended, or the worker has lost its lease. The attempt is added to the log and counted; the state of
 * the notification stays. An attempt that is in the log already is not added again.
 */
export function recordLateFailures(outcomes: readonly AttemptOutcome[]): Statement {
  return {
    text: `update flaghoist_service.webhook_notification n
set attempts = n.attempts + 1, attempt_log = ${appendedLog(memberOf('n."key"', "-> 'log'"))},
  modified_date = ${thisSecond}
where ${isOneOf('$1::bigint[]', '$3', '$4')} and n.${isTheOneSent('n."key"')}
  and not coalesce(n.attempt_log @> ${memberOf('n."key"', "-> 'started'")}, false)`,
    values: keysAndDays(outcomes, ({ notification, attempt }) => ({
      createdDate: notification.createdDate,
      started: [{ date: renderAttempt(attempt).date }],
    })),
  };
}

const raiseFailures = `insert into flaghoist_system.delivery_health as h (subscription_key, consecutive_failures)
  select subscription_key, count(*) from moved group by 1 order by 1
  on conflict (subscription_key) do update
  set consecutive_failures = h.consecutive_failures + excluded.consecutive_failures`;

function errorOf({ notification, attempt, error }: Retry | LastFailure): SubscriptionError {
  const { date, statusCode } = renderAttempt(attempt);
  return { subscription: notification.subscriptionKey, at: date, text: error, status: statusCode };
}

/** Records the last attempt of a notification, if this worker still has it claimed. */
export function recordFailure(workerId: number, outcome: LastFailure): Statement {
  const { notification, attempt, error } = outcome;
  return {
    text: failText({
      where: isOwn(1),
      error: '$5',
      isResendable: 'true',
      errors: '$7::jsonb',
      also: [`unhealthy as (${raiseFailures})`],
      set: `attempts = n.attempts + 1, attempt_log = ${appendedLog('$6::jsonb')}`,
    }),
    values: [
      ...ownValues(notification, workerId),
      error,
      JSON.stringify([renderAttempt(attempt)]),
      JSON.stringify([errorOf(outcome)]),
    ],
  };
}

/** How many notifications fail in the transaction that ends a subscription. `end-pending-loop.ts` fails the rest. */
export const failedAtOnce = 1_000;

export interface EndOfPending {
  subscriptionKey: number;
  errorMessage: string;
  /** Whether notifications that are being resent fail as well. */
  withResends: boolean;
  rowsMax: number;
}

/** Fails a batch of pending notifications without trying them. Skips locked rows. Returns one row for each. */
export function failPending({ subscriptionKey, errorMessage, withResends, rowsMax }: EndOfPending): Statement {
  const some = (due: string) => `(select q.notification_key from flaghoist_system.pending_notification q
      where q.subscription_key = $1::bigint and q.due_at ${due} and (q.resend_job is null or $4::boolean)
      limit $3::int for update skip locked)`;
  return {
    text: failText({
      where: `p.notification_key = any(array(
    select ready.notification_key from ${some('is null')} ready
    union all
    select waiting.notification_key from ${some('is not null')} waiting
    limit $3::int))`,
      error: '$2',
      isResendable: 'true',
    }),
    values: [subscriptionKey, errorMessage, rowsMax, withResends],
  };
}

/** Fails claimed notifications that are not to be sent. */
export function failClaimed(
  workerId: number,
  keys: readonly number[],
  { errorMessage, canBeSentAgain }: { errorMessage: string; canBeSentAgain: boolean },
): Statement {
  return {
    text: failText({
      where: 'p.notification_key = any($2::bigint[]) and p.claimed_by = $1::bigint',
      error: '$3',
      isResendable: '$4::boolean',
    }),
    values: [workerId, numberArray(keys), errorMessage, canBeSentAgain],
  };
}

export function selectEnded(): Statement {
  return {
    text: `select e.subscription_key::text as key, e.reason, coalesce(s.state, 'UNSUBSCRIBED') as state
from flaghoist_system.ended_subscription e
left join flaghoist_service.webhook_subscription s on s."key" = e.subscription_key limit 100`,
    values: [],
  };
}

/** Deletes nothing if the reason has changed, or if notifications are left that others had locked. */
export function deleteEnded({ subscriptionKey, errorMessage, withResends }: Omit<EndOfPending, 'rowsMax'>): Statement {
  const isLeft = (due: string) => `exists (select from flaghoist_system.pending_notification p
  where p.subscription_key = $1::bigint and p.due_at ${due} and (p.resend_job is null or $3::boolean))`;
  return {
    text: `delete from flaghoist_system.ended_subscription
where subscription_key = $1::bigint and reason = $2 and not ${isLeft('is null')} and not ${isLeft('is not null')}`,
    values: [subscriptionKey, errorMessage, withResends],
  };
}

/** From now on pending notifications count as failed. Those beyond one batch are failed in the background. */
export function noteEnded(subscriptionKey: number, reason: string): Statement {
  return {
    text: `insert into flaghoist_system.ended_subscription (subscription_key, reason) values ($1::bigint, $2)
on conflict (subscription_key) do update set reason = excluded.reason`,
    values: [subscriptionKey, reason],
  };
}

/** The keys, an object for each with its log and other members, and the first and the last of their dates. */
function keysAndDays<T extends AttemptOutcome>(outcomes: readonly T[], members: (outcome: T) => object): unknown[] {
  const days = outcomes.map(({ notification }) => notification.createdDate).sort();
  const entries = outcomes.map(
    (outcome) => [outcome.notification.key, { log: [renderAttempt(outcome.attempt)], ...members(outcome) }] as const,
  );
  return [numberArray(entries.map(([key]) => key)), JSON.stringify(Object.fromEntries(entries)), days[0], days.at(-1)];
}
