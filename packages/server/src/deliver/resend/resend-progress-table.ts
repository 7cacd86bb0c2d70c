// All SQL of the progress of a job, which is a resend, a replay, or carries over from a replaced subscription: takes up
// failed notifications in batches, and fails them again if the job is cancelled. `takeReplayed` (`replay-table.ts`)
// takes up those of a replay. The statements run while the progress of the job is locked. One statement moves both the
// rows and the position: if the process dies, the transaction rolls back and nothing changes.

import type { Statement } from '../../database/database.ts';
import { failText, isIn, queueColumns, queueValues, thisSecond } from '../queue/notification-state-table.ts';
import { activityCodes, insertActivity } from '../statistics/activity-table.ts';
import { isEndedInScope, isInWindow, lastFailure } from './resend-table.ts';

export function selectResends(): Statement {
  return { text: 'select job_key::text as key from flaghoist_system.resend_progress order by job_key', values: [] };
}

export interface ProgressRow {
  status: 'RUNNING' | 'DONE' | 'CANCELLED';
  kind: 'RESEND' | 'REPLAY';
  replaced_subscription: string | null;
  /** Whether the job is for one subscription, and that subscription is unsubscribed or deleted. */
  is_ended: boolean;
  /** Whether the job is for one subscription and no replay, and that subscription is ordered. */
  is_ordered: boolean;
  has_begun: boolean;
  is_moved: boolean;
  /** Whether the job is for several subscriptions. */
  is_of_several: boolean;
  /** Counted up to `pendingMax`. */
  pending: number;
  /** How many of those can be sent now: they wait neither for their next attempt nor for a consumer. */
  ready: number;
  at_notification: string;
}

/** No row: another process has locked the job, or the job has ended. */
export function lockProgress(jobKey: number, pendingMax: number): Statement {
  return {
    text: `select j.status, j.kind, j.replaced_subscription::text, p.last_failure is not null as has_begun, p.is_moved,
  j.subscription is null as is_of_several, p.at_notification::text,
  j.subscription is not null and not exists (
    select from flaghoist_service.webhook_subscription s where s."key" = j.subscription
      and s.state <> 'UNSUBSCRIBED') as is_ended,
  j.kind <> 'REPLAY' and exists (select from flaghoist_service.webhook_subscription s
    where s."key" = j.subscription and s.ordering = 'OBJECT') as is_ordered,
  c.pending, c.ready
from flaghoist_system.resend_progress p join flaghoist_service.resend_job j on j."key" = p.job_key
cross join lateral (
  select count(*)::int as pending, (count(*) filter (where q.due_at is null))::int as ready
  from (select q.due_at from flaghoist_system.pending_notification q where q.resend_job = p.job_key
    limit $2::int) q) c
where p.job_key = $1::bigint for update of p skip locked`,
    values: [jobKey, pendingMax],
  };
}

/** For a cancellation: once this lock is acquired, no batch is being moved, and none can start. */
export function awaitProgress(jobKey: number): Statement {
  return {
    text: 'select from flaghoist_system.resend_progress where job_key = $1::bigint for update',
    values: [jobKey],
  };
}

/** Sets the last failure to include, once all notifications that count as failed are stored as failed. */
export function beginProgress(jobKey: number): Statement {
  return {
    text: `update flaghoist_system.resend_progress p set last_failure = ${lastFailure}
from flaghoist_service.resend_job j where p.job_key = $1::bigint and j."key" = p.job_key
  and not ${isEndedInScope('j."user"', 'j.subscription')}
returning 1`,
    values: [jobKey],
  };
}

/** The columns `is_ordered` and `is_streamed`. */
export const queueOf = (subscription: string) => {
  const of = (column: string) =>
    `(select ${column} from flaghoist_service.webhook_subscription s where s."key" = ${subscription})`;
  return `${of(`s.ordering = 'OBJECT'`)} as is_ordered, ${of('coalesce(s.is_streamed, false)')} as is_streamed`;
};

/**
 * `next` holds the chosen rows. A notification that was delivered meanwhile is not sent again. `to`: the subscription
 * that gets the notifications. `isRepeat`: SQL. What is carried over from a replaced subscription is no repeat: it is
 * sent before what is new. `replayOf`: SQL of their status before, if they are replayed.
 */
export const taken = (to: string, isRepeat: string, replayOf = 'null') => `removed as (
  delete from flaghoist_system.resendable_notification where ctid = any(array(select place from next where is_wanted))
  returning notification_key as key, created_date),
resent as (
  update flaghoist_service.webhook_notification n
  set status = 'PENDING', error_message = null, subscription = ${to},
    next_attempt_date = (select ${thisSecond} from flaghoist_service.webhook_subscription s
      where s."key" = ${to} and s.ordering <> 'OBJECT' and s.is_streamed is not true),
    modified_date = ${thisSecond}
  where ${isIn('removed')} and n.status = 'FAILED'
  returning n."key", n.created_date, n.subscription, n.sequence, n.subscribed_object_key),
activity as (${insertActivity(`select *, ${activityCodes.changed} as code from resent`)}),
pending as (
  insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, resend_job,
    replay_of, ${queueColumns})
  select r."key", r.created_date, r.subscription, $1::bigint, ${replayOf}, ${queueValues('r', isRepeat)}
  from (select resent.*, ${queueOf('resent.subscription')} from resent) r)`;

/**
 * Reads the next failed notifications, and takes up those that the job includes. The position moves past every row
 * read, wanted or not. Returns `seen`, how many were read, and `moved`, how many were taken up.
 */
export function takeFailed(jobKey: number, rowsMax: number): Statement {
  return {
    text: `with job as materialized (
  select j.*, p.last_failure, p.at_subscription, p.at_notification,
    case when jsonb_typeof(j.notifications) = 'array' then array(select
      jsonb_array_elements_text(j.notifications)::bigint) end as chosen
  from flaghoist_system.resend_progress p join flaghoist_service.resend_job j on j."key" = p.job_key
    where p.job_key = $1::bigint),
next as materialized (
  select f.*, ${isInWindow('f', 'job."from"', 'job."to"')} as is_wanted
  from job cross join lateral (
    select f.* from flaghoist_service.webhook_subscription s cross join lateral (
      select f.ctid as place, f.subscription_key, f.notification_key, f.created_date
        from flaghoist_system.resendable_notification f
      where f.subscription_key = s."key" and f.failure_no <= job.last_failure
        and f.notification_key > case when s."key" = job.at_subscription then job.at_notification else 0 end
        and (job.chosen is null or f.notification_key = any(job.chosen))
      order by f.notification_key limit $2::int) f
    where s."user" = job."user" and s.state <> 'UNSUBSCRIBED' and s."key" >= job.at_subscription
      and (job.subscription is null or s."key" = job.subscription)
    order by s."key", f.notification_key limit $2::int) f),
${taken('n.subscription', 'true')},
placed as (
  update flaghoist_system.resend_progress p
  set at_subscription = coalesce(l.subscription_key, p.at_subscription),
    at_notification = coalesce(l.notification_key, p.at_notification),
    is_moved = (select count(*) from next) < $2::int
  from (select 1) one left join (
    select subscription_key, notification_key from next order by subscription_key desc, notification_key desc
      limit 1) l on true
  where p.job_key = $1::bigint)
select (select count(*) from next)::int as seen, (select count(*) from resent)::int as moved`,
    values: [jobKey, rowsMax],
  };
}

const nextOfReplaced = `next as materialized (
  select f.ctid as place, true as is_wanted from flaghoist_system.resendable_notification f
  where f.subscription_key = (select j.replaced_subscription from flaghoist_service.resend_job j
    where j."key" = $1::bigint)
  order by f.notification_key limit $2::int)`;

const newSubscription = `(select j.subscription from flaghoist_service.resend_job j where j."key" = $1::bigint)`;

/** Whether no more rows can follow: everything that was pending of the replaced subscription is stored as failed. */
const isLastOfReplaced = `(select count(*) from next) < $2::int and not exists (
    select from flaghoist_service.resend_job j where j."key" = $1::bigint and (
      exists (select from flaghoist_system.ended_subscription e where e.subscription_key = j.replaced_subscription)
      or exists (select from flaghoist_system.unshaped_match u where u.subscription_key = j.replaced_subscription)
      or exists (select from flaghoist_system.pending_notification q
        where q.subscription_key = j.replaced_subscription and q.due_at is null)
      or exists (select from flaghoist_system.pending_notification q
        where q.subscription_key = j.replaced_subscription and q.due_at is not null)))`;

/**
 * Like `takeFailed`, for notifications that are carried over to another subscription. No position is needed: rows that
 * are taken leave for good, so the next batch is always at the front.
 */
export function takeReplaced(jobKey: number, rowsMax: number): Statement {
  return {
    text: `with ${nextOfReplaced},
${taken(newSubscription, 'false')},
placed as (update flaghoist_system.resend_progress set is_moved = ${isLastOfReplaced} where job_key = $1::bigint)
select (select count(*) from next)::int as seen, (select count(*) from resent)::int as moved`,
    values: [jobKey, rowsMax],
  };
}

/** For a cancelled carry-over: moves failed notifications to the new subscription, where they can be sent again. */
export function handOverFailed(jobKey: number, rowsMax: number, errorMessage: string): Statement {
  return {
    text: `with ${nextOfReplaced},
handed as (
  update flaghoist_system.resendable_notification set subscription_key = ${newSubscription}
  where ctid = any(array(select place from next))
  returning notification_key as key, created_date),
recorded as (
  update flaghoist_service.webhook_notification n set subscription = ${newSubscription}, error_message = $3,
    modified_date = flaghoist_system.utc_second()
  where ${isIn('handed')} and n.status = 'FAILED'),
placed as (update flaghoist_system.resend_progress set is_moved = ${isLastOfReplaced} where job_key = $1::bigint)
select (select count(*) from next)::int as seen, 0 as moved`,
    values: [jobKey, rowsMax, errorMessage],
  };
}

/**
 * For a cancelled job: fails its pending notifications again, except claimed ones. Those that a replay took up as
 * delivered stay delivered. Returns one row for each.
 */
export function giveUpPending(jobKey: number, rowsMax: number, errorMessage: string): Statement {
  return {
    text: failText({
      where: `p.notification_key = any(array(
    select q.notification_key from flaghoist_system.pending_notification q
    where q.resend_job = $1::bigint and q.claimed_by is null
    order by q.notification_key limit $2::int for update skip locked))`,
      error: '$3',
      isResendable: 'true',
      isCounted: false,
    }),
    values: [jobKey, rowsMax, errorMessage],
  };
}

/**
 * Sets `total` to what was counted, because other jobs may have sent some of the notifications meanwhile. Does not wait
 * for transactions that count or cancel.
 */
export function endDone(jobKey: number): Statement {
  return {
    text: `with ended as (
  update flaghoist_service.resend_job set status = 'DONE', ended_date = flaghoist_system.utc_second(),
    total = done + failed
  where "key" = (select j."key" from flaghoist_service.resend_job j where j."key" = $1::bigint
    and j.status = 'RUNNING' for no key update skip locked)
  returning "key")
delete from flaghoist_system.resend_progress where job_key in (select "key" from ended)`,
    values: [jobKey],
  };
}

export function endCancelled(jobKey: number): Statement {
  return {
    text: `update flaghoist_service.resend_job set status = 'CANCELLED', ended_date = flaghoist_system.utc_second()
where "key" = (select j."key" from flaghoist_service.resend_job j where j."key" = $1::bigint
  and j.status = 'RUNNING' for no key update skip locked)`,
    values: [jobKey],
  };
}

export function deleteProgress(jobKey: number): Statement {
  return { text: 'delete from flaghoist_system.resend_progress where job_key = $1::bigint', values: [jobKey] };
}
