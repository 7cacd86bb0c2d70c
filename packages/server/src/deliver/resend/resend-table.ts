// All SQL of requesting a resend of failed notifications: counts what can be sent again, and creates the job. A replay
// shares its scope and the end of what it includes, and has its own requests in `replay-table.ts`. The SQL that
// advances a job is in `resend-progress-table.ts`.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';

/** Which notifications of a user to send again: failed ones, or in a replay delivered ones too. Null: no limit. */
export interface ResendScope {
  userKey: number;
  subscriptionKey: number | null;
  from: string | null;
  to: string | null;
  notifications: readonly number[] | null;
}

/**
 * Serializes the resend requests of one user: of two concurrent requests, the second one finds the job of the first.
 */
export function lockResends(userKey: number): Statement {
  return {
    text: `select pg_advisory_xact_lock(hashtextextended('flaghoist resend ' || $1::text, 0))`,
    values: [String(userKey)],
  };
}

/** Returns the keys that the scope may include: notifications of the user, and of the subscription if one is given. */
export function selectOwnNotifications({ userKey, subscriptionKey, notifications }: ResendScope): Statement {
  return {
    text: `select n."key"::text from flaghoist_service.webhook_notification n
where n."key" = any($1::bigint[]) and n."user" = $2::bigint and ($3::bigint is null or n.subscription = $3::bigint)`,
    values: [numberArray(notifications ?? []), userKey, subscriptionKey],
  };
}

export const isInWindow = (failed: string, from: string, to: string) => `(${from} is null and ${to} is null or exists (
  select from flaghoist_service.webhook_notification n
  where n."key" = ${failed}.notification_key and n.created_date = ${failed}.created_date
    and (${from} is null or n.event_time >= ${from}) and (${to} is null or n.event_time < ${to})))`;

/**
 * Failed notifications, and pending ones that count as failed because their subscription was deactivated. Notifications
 * that a running job has yet to take up are excluded: that job sends them already.
 */
const toSend = `from (
    select f.subscription_key, f.notification_key, f.created_date, f.failure_no
      from flaghoist_system.resendable_notification f
    union all
    select p.subscription_key, p.notification_key, p.created_date, null from flaghoist_system.pending_notification p
    where p.resend_job is null and exists (select from flaghoist_system.ended_subscription e
      where e.subscription_key = p.subscription_key)) c
  where c.subscription_key in (
      select s."key" from flaghoist_service.webhook_subscription s
      where s."user" = $1::bigint and s.state <> 'UNSUBSCRIBED' and ($2::bigint is null or s."key" = $2::bigint))
    and ($5::bigint[] is null or c.notification_key = any($5::bigint[]))
    and ${isInWindow('c', '$3::timestamp', '$4::timestamp')}
    and not exists (
      select from flaghoist_system.resend_progress p join flaghoist_service.resend_job j on j."key" = p.job_key
      where j."user" = $1::bigint and j.status = 'RUNNING' and not p.is_moved and j.replaced_subscription is null
        and j.kind = 'RESEND'
        and (j.subscription is null or j.subscription = c.subscription_key)
        and (p.last_failure is null or c.failure_no <= p.last_failure)
        and (c.subscription_key, c.notification_key) > (p.at_subscription, p.at_notification)
        and (coalesce(j.notifications, 'null') = 'null' or j.notifications @> to_jsonb(c.notification_key))
        and ${isInWindow('c', 'j."from"', 'j."to"')})`;

const scopeValues = ({ userKey, subscriptionKey, from, to, notifications }: ResendScope) => [
  userKey,
  subscriptionKey,
  from,
  to,
  notifications === null ? null : numberArray(notifications),
];

export function countToSend(scope: ResendScope): Statement {
  return { text: `select count(*)::int as total ${toSend}`, values: scopeValues(scope) };
}

/** Whether notifications that count as failed are not yet stored as failed. */
export const isEndedInScope = (user: string, subscription: string) => `exists (
  select from flaghoist_system.ended_subscription e
    join flaghoist_service.webhook_subscription s on s."key" = e.subscription_key
  where s."user" = ${user} and s.state <> 'UNSUBSCRIBED' and (${subscription} is null or s."key" = ${subscription}))`;

/** The number of the newest failure. A resend or replay includes no later ones. */
export const lastFailure = '(select last_value from flaghoist_system.resendable_notification_failure_no_seq)';

/** Returns `total` and, if there is something to send, `job`. */
export function insertResendJob(scope: ResendScope): Statement {
  return {
    text: `with counted as materialized (select count(*)::int as total ${toSend}),
made as (
  insert into flaghoist_service.resend_job ("user", subscription, "from", "to", notifications, total)
  select $1::bigint, $2::bigint, $3::timestamp, $4::timestamp, to_jsonb($5::bigint[]), total from counted
    where total > 0
  returning "key"),
begun as (
  insert into flaghoist_system.resend_progress (job_key, last_failure)
  select "key", case when not ${isEndedInScope('$1::bigint', '$2::bigint')} then ${lastFailure} end from made)
select counted.total, (select "key"::text from made) as job from counted`,
    values: scopeValues(scope),
  };
}

/**
 * Carries over to the new subscription everything that the replaced one has not delivered: failed notifications, and
 * pending ones, which fail in the background. Jobs that carry over to the replaced subscription continue, with the new
 * one as their target.
 */
export function insertCarryOver(oldKey: number, newKey: number): Statement {
  return {
    text: `with redirected as (
  update flaghoist_service.resend_job j set subscription = $2::bigint
  where j.subscription = $1::bigint and j.replaced_subscription is not null
    and j."key" in (select job_key from flaghoist_system.resend_progress)),
counted as materialized (select
  (select count(*) from flaghoist_system.resendable_notification where subscription_key = $1::bigint)
  + (select count(*) from flaghoist_system.pending_notification where subscription_key = $1::bigint
    and replay_of is distinct from 'DELIVERED')
  + (select count(*) from flaghoist_system.unshaped_match where subscription_key = $1::bigint) as total),
marked as (
  insert into flaghoist_system.notified_subscription (subscription_key) select $2::bigint
  where exists (select from flaghoist_system.notified_subscription where subscription_key = $1::bigint)
    or exists (select from flaghoist_system.unshaped_match where subscription_key = $1::bigint) on conflict do nothing),
made as (
  insert into flaghoist_service.resend_job ("user", subscription, replaced_subscription, total)
  select s."user", $2::bigint, $1::bigint, total from counted, flaghoist_service.webhook_subscription s
    where s."key" = $1::bigint
  returning "key")
insert into flaghoist_system.resend_progress (job_key) select "key" from made`,
    values: [oldKey, newKey],
  };
}
