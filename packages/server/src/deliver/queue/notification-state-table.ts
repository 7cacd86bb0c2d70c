// The states of a notification, how each is stored, and the SQL of the moves that several statements share.
//
//   state      | status    | stored besides the record in webhook_notification
//   -----------+-----------+---------------------------------------------------------------------
//   unshaped   | no record | a row of unshaped_match: a script or a stylesheet is still to run
//   ready      | PENDING   | a row of pending_notification: due_at is null, claimed_by is null
//   claimed    | PENDING   | a row of pending_notification: due_at is null, claimed_by is a worker
//   blocked    | PENDING   | a row of pending_notification: due_at is minus infinity, both claimed_by and
//              |           | leased_until are null
//   following  | PENDING   | a row of pending_notification: due_at is minus infinity, claimed_by is a worker
//   waiting    | PENDING   | a row of pending_notification: due_at is the time of the next attempt, claimed_by is null
//   parked     | PENDING   | a row of pending_notification: due_at is infinity, claimed_by is null
//   streamed   | PENDING   | a row of pending_notification: due_at and leased_until are minus infinity
//   leased     | PENDING   | a row of pending_notification: due_at is minus infinity, leased_until is a time
//   delivered  | DELIVERED | nothing
//   replayed   | DELIVERED | a row of pending_notification with replay_of DELIVERED, in any of the states above
//   resendable | FAILED    | a row of resendable_notification: the body is still kept
//   unsendable | FAILED    | nothing: there is no body to send again
//
//   from                   | to         | when                                             | statement
//   -----------------------+------------+--------------------------------------------------+--------------------
//   (an event)             | unshaped   | a match needs a script or a stylesheet           | insertUnshaped
//   (an event), unshaped   | ready      | a match is to be sent                            | insertNotifications
//   (an event), unshaped   | claimed    | the same, dispatched directly                    | insertNotifications
//   (an event), unshaped   | blocked    | the same, its subscription is ordered            | insertNotifications
//   (an event), unshaped   | streamed   | a match is to be streamed                        | insertNotifications
//   (an event), unshaped   | resendable | its subscription is deactivated                  | insertNotifications
//   (an event), unshaped   | unsendable | its body is too large, or its stylesheet failed  | insertNotifications
//   blocked                | ready      | no earlier one about its object is left          | promoteHeads
//   blocked                | streamed   | the same, its subscription is streamed           | promoteHeads
//   blocked                | following  | a worker has claimed the one before it           | claimFollowers
//   following              | blocked    | the one before it was not delivered              | releaseClaimed
//   following              | blocked    | its worker has died                              | releaseClaims
//   ready                  | claimed    | a worker has capacity                            | claimPending
//   claimed                | ready      | it was not attempted                             | releaseClaimed
//   claimed                | ready      | its worker has died                              | releaseClaims
//   claimed                | waiting    | an attempt failed, and attempts are left         | recordRetries
//   claimed                | waiting    | the service itself failed; counts as no attempt  | postpone
//   claimed                | parked     | its user is inactive                             | park
//   waiting                | ready      | its time has come                                | wakePending
//   parked                 | ready      | its user is active again                         | unpark
//   streamed               | leased     | it is sent to a consumer                         | leaseStreamed
//   leased                 | leased     | its time is over: it is sent to the next one     | leaseStreamed
//   leased                 | streamed   | the connection of its consumer has ended         | releaseLeases
//   leased, streamed (§)   | delivered  | the consumer acknowledged it                     | acknowledge
//   any but unshaped (‡)   | delivered  | the receiver accepted it                         | recordDelivered
//   claimed                | resendable | its last attempt failed                          | recordFailure
//   claimed                | resendable | its subscription has ended                       | failClaimed
//   claimed                | unsendable | its body is no longer kept                       | failClaimed
//   any pending one (†)    | resendable | its subscription has ended                       | failPending
//   any but claimed (†)    | resendable | its resend or replay was cancelled               | giveUpPending
//   any pending one (†)    | unsendable | its body is no longer kept                       | failWithoutBody
//   resendable             | ready      | a resend                                         | takeFailed, takeReplaced
//   resendable             | ready      | a replay                                         | takeReplayed
//   resendable             | streamed   | either, its subscription is streamed             | takeFailed, takeReplayed,
//                          |            |                                                  | takeReplaced
//   resendable             | blocked    | either, its subscription is ordered              | takeFailed, takeReplayed,
//                          |            |                                                  | takeReplaced
//   delivered              | replayed   | a replay                                         | takeReplayed
//   replayed               | delivered  | the replay is delivered                          | recordDelivered
//   replayed               | delivered  | the replay fails: all moves to FAILED above      | failText
//   resendable             | unsendable | its body is no longer kept                       | deleteResendable
//   unshaped               | (deleted)  | its script suppressed it                         | takeOutUnshaped
//   delivered, FAILED      | (deleted)  | retention drops the day of its record            | dropDay
//
// A failed attempt that ends when its notification is no longer claimed changes no state: `recordLateFailures` only
// adds it to the log of the notification.
//
// (†) Ready, blocked, following, claimed, waiting, parked, streamed or leased. (‡) Also failed ones: a worker that has
// lost its lease may deliver late. After the one before it was delivered, a following one leaves its state as a claimed
// one does. (§) If it was sent before.
//
// A replayed notification moves among ready, blocked, claimed, waiting and parked like a pending one. Its record stays
// DELIVERED, with the date of the first delivery; only the log of its attempts grows.
//
// While a subscription is listed in ended_subscription, its pending notifications count as failed: `EndPendingLoop` is
// about to mark them.

import { activityCodes, insertActivity } from '../statistics/activity-table.ts';

/**
 * Finds records by a list of keys and the days they are from, never by a join. So only one plan is possible, whatever
 * the planner assumes about the size of tables that were empty a minute ago.
 */
export const isOneOf = (keys: string, from: string, to: string) =>
  `n."key" = any(${keys}) and n.created_date >= ${from}::timestamp and n.created_date <= ${to}::timestamp`;

/** `rows`: a named query with the columns `key` and `created_date`. */
export const isIn = (rows: string) =>
  isOneOf(
    `array(select key from ${rows})`,
    `(select min(created_date) from ${rows})`,
    `(select max(created_date) from ${rows})`,
  );

/** The columns of a pending notification that make it blocked or streamed, if its subscription is. */
export const queueColumns = 'due_at, sequence, ordered_object, is_repeat, leased_until';

/** `row`: has the columns `is_ordered`, `is_streamed`, `subscribed_object_key` and `sequence`. `isRepeat`: SQL. */
export const queueValues = (row: string, isRepeat: string) =>
  [
    `case when ${row}.is_ordered or ${row}.is_streamed then '-infinity'::timestamptz end`,
    `case when ${row}.is_ordered or ${row}.is_streamed then ${row}.sequence end`,
    `case when ${row}.is_ordered then ${row}.subscribed_object_key end`,
    `case when ${row}.is_ordered then ${isRepeat} end`,
    `case when ${row}.is_streamed and not ${row}.is_ordered then '-infinity'::timestamptz end`,
  ].join(', ');

/** A subselect, so that it is evaluated once for all rows. */
export const thisSecond = '(select flaghoist_system.utc_second())';

/** SQL of a column of the record that a replay must not change once the notification is delivered. */
export const unlessDelivered = (column: string, value: string) =>
  `${column} = case when n.status = 'DELIVERED' then n.${column} else ${value} end`;

interface Failing {
  /** Which rows of `pending_notification` fail. */
  where: string;
  /** SQL of the message. */
  error: string;
  /** SQL: whether their bodies are kept, so that they can be sent again. */
  isResendable: string;
  /** Whether the resends that they belong to count them as failed. */
  isCounted?: boolean;
  /** SQL of the errors that the attempts of their subscriptions ended with. */
  errors?: string;
  /** Other named queries, over `moved`. */
  also?: readonly string[];
  /** Other columns of the record to set. */
  set?: string;
}

/**
 * Moves pending notifications to `resendable` or `unsendable`, and replayed ones to `delivered`. Returns one row each.
 */
export function failText(failing: Failing): string {
  const { where, error, isResendable, isCounted = true, errors, also = [], set } = failing;
  const failedCode = isCounted ? activityCodes.failed : activityCodes.changed;
  const queries = [
    `moved as (delete from flaghoist_system.pending_notification p where ${where}
  returning p.notification_key as key, p.created_date, p.subscription_key, p.resend_job,
    p.replay_of)`,
    `resendable as (insert into flaghoist_system.resendable_notification (subscription_key, notification_key,
  created_date)
  select subscription_key, key, created_date from moved
  where ${isResendable} and replay_of is distinct from 'DELIVERED' on conflict do nothing)`,
    ...(isCounted ? [`counted as (${countInResends('failed', 'moved')})`] : []),
    ...also,
    `failed as (update flaghoist_service.webhook_notification n
set ${unlessDelivered('status', "'FAILED'")}, ${unlessDelivered('error_message', error)}, next_attempt_date = null,
  modified_date = ${thisSecond}${set === undefined ? '' : `, ${set}`}
where ${isIn('moved')}
returning n."key", n.subscription, n.created_date,
  case when n.status = 'FAILED' then ${failedCode} else ${activityCodes.changed} end as code)`,
    `activity as (${insertActivity('select * from failed', errors)})`,
  ];
  return `with ${queries.join(',\n')}
select 1 from failed`;
}

/** Adds to the counts of the resends that the rows belong to. */
export const countInResends = (column: 'done' | 'failed', rows: string) =>
  `update flaghoist_service.resend_job j set ${column} = j.${column} + g.count
  from (select resend_job, count(*) from ${rows} where resend_job is not null group by 1) g
    where j."key" = g.resend_job`;
