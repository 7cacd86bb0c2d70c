// All SQL of a replay: counts what can be replayed, creates the job, and takes up its notifications in batches. Each
// statement reads a bounded range of keys.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import { indent, startStatement } from '../../query/sql/statement-builder.ts';
import { queueColumns, queueValues } from '../queue/notification-state-table.ts';
import { type KeyRange, type ReplaySelection, selectRecords } from './replay-selection.ts';
import { queueOf, taken } from './resend-progress-table.ts';
import { isEndedInScope, lastFailure } from './resend-table.ts';

export interface CountedRow {
  total: number;
  /** Of the changes. Null: there is none. */
  oldest: string | null;
  newest: string | null;
}

const time = (value: string) => `to_json(${value}) #>> '{}'`;

export function countInRange(selection: ReplaySelection, range: KeyRange): Statement {
  const builder = startStatement();
  const { from, conditions } = selectRecords(builder, selection, range);
  const where = [...conditions, canBeReplayed(selection)].join('\nand ');
  return {
    text: `select count(*)::int as total, ${time('min(n.event_time)')} as oldest,
  ${time('max(n.event_time)')} as newest
from ${from}\nwhere ${where}`,
    values: builder.values,
    isSeldom: selection.filters.length > 0,
  };
}

/**
 * A pending notification counts as failed if its subscription was deactivated and it is about to be marked. With a
 * filter it does not, because the list shows it as pending.
 */
function canBeReplayed({ status, filters }: ReplaySelection): string {
  const delivered = "n.status = 'DELIVERED'";
  const failed = [
    `n.status = 'FAILED' and exists (
    select from flaghoist_system.resendable_notification f where f.notification_key = n."key")`,
    `n.status = 'PENDING' and exists (
    select from flaghoist_system.ended_subscription e where e.subscription_key = n.subscription) and exists (
    select from flaghoist_system.pending_notification p where p.notification_key = n."key" and p.resend_job is null)`,
  ].slice(0, filters.length > 0 ? 1 : 2);
  const any = [...(status === 'FAILED' ? [] : [delivered]), ...(status === 'DELIVERED' ? [] : failed)];
  return `(${any.join('\n  or ')})`;
}

/**
 * The range to read: from the key of the oldest record to the greatest key so far. Notifications that are created later
 * have greater keys, or are not delivered yet.
 */
export function selectKeys(): Statement {
  return {
    text: `select coalesce((select min("key") from flaghoist_service.webhook_notification) - 1, last_value)::text as after,
  last_value::text as up_to
from flaghoist.object_key`,
    values: [],
  };
}

export interface ReplayJob extends Omit<ReplaySelection, 'filters'> {
  /** As sent. Null: the job is for one subscription. */
  filter: readonly string[] | null;
  total: number;
  /** The keys after `after` are to be read. */
  keys: KeyRange;
}

/** A filter selects what has failed by now; a subscription also what counts as failed and is yet to be marked. */
export function insertReplayJob(job: ReplayJob): Statement {
  const { userKey, subscriptionKey, from, to, notifications, objectKey, status, filter, total, keys } = job;
  const chosen = notifications === null ? null : numberArray(notifications);
  return {
    text: `with made as (
  insert into flaghoist_service.resend_job (kind, "user", subscription, "from", "to", notifications, object_key,
    notification_status, filter, total)
  values ('REPLAY', $1::bigint, $2::bigint, $3::timestamp, $4::timestamp, to_jsonb($5::bigint[]), $6::bigint, $7,
    $8::jsonb, $9::int)
  returning "key"),
begun as (
  insert into flaghoist_system.resend_progress (job_key, last_failure, at_notification, last_notification)
  select "key", case when $8::jsonb is not null or not ${isEndedInScope('$1::bigint', '$2::bigint')}
    then ${lastFailure} end, $10::bigint, $11::bigint
  from made)
select "key"::text as job from made`,
    values: [
      ...[userKey, subscriptionKey, from, to, chosen, objectKey, status],
      ...[filter === null ? null : JSON.stringify(filter), total, keys.after, keys.upTo],
    ],
  };
}

export interface ReplayRow {
  user: string | null;
  subscription: string | null;
  from: string | null;
  to: string | null;
  notifications: number[] | null;
  object_key: string | null;
  notification_status: ReplaySelection['status'];
  filter: string[] | null;
  last_notification: string;
}

export function selectReplay(jobKey: number): Statement {
  return {
    text: `select j."user"::text, j.subscription::text, j."from"::text, j."to"::text, j.notifications,
  j.object_key::text, j.notification_status, j.filter, p.last_notification::text
from flaghoist_system.resend_progress p join flaghoist_service.resend_job j on j."key" = p.job_key
where p.job_key = $1::bigint`,
    values: [jobKey],
  };
}

/**
 * Takes up those notifications of a range that the job includes, at most `rowsMax`. The position moves past the last
 * one, or past the range. A notification that is pending for another job is skipped: it is being sent already.
 * Notifications that were delivered or have failed after the request are not included. Returns `seen`, how many the job
 * includes, and `moved`, how many were taken up.
 */
export function takeReplayed(jobKey: number, selection: ReplaySelection, range: KeyRange, rowsMax: number): Statement {
  const builder = startStatement();
  builder.values.push(String(jobKey), String(rowsMax), String(range.upTo));
  const { from, conditions } = selectRecords(builder, selection, range);
  const { status, filters } = selection;
  const isTaken = [
    ...(status === 'FAILED' ? [] : [`n.status = 'DELIVERED' and n.delivery_date <= (select created_date from job)`]),
    ...(status === 'DELIVERED' ? [] : [`f.place is not null`]),
  ];
  return {
    text: `with job as materialized (
  select j.created_date, p.last_failure, p.last_notification
  from flaghoist_system.resend_progress p join flaghoist_service.resend_job j on j."key" = p.job_key
  where p.job_key = $1::bigint),
next as materialized (
  select n."key", n.created_date, n.subscription, n.sequence, n.subscribed_object_key, n.status, f.place,
    true as is_wanted
  from ${indent(from)}
  left join lateral (select f.ctid as place from flaghoist_system.resendable_notification f
    where n.status = 'FAILED' and f.notification_key = n."key"
      and f.failure_no <= (select last_failure from job)) f on true
  where ${indent([...conditions, `(${isTaken.join(' or ')})`].join('\nand '))}
  order by n."key" limit $2::int),
${taken('n.subscription', 'true', "'FAILED'")},
replayed as (
  insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, resend_job,
    replay_of, ${queueColumns})
  select r."key", r.created_date, r.subscription, $1::bigint, 'DELIVERED', ${queueValues('r', 'true')}
  from (select next.*, ${queueOf('next.subscription')} from next) r where r.status = 'DELIVERED'
  order by r."key" on conflict do nothing returning 1),
placed as (
  update flaghoist_system.resend_progress p
  set at_notification = coalesce((select max("key") from next having count(*) = $2::int), $3::bigint),
    is_moved = (select count(*) from next) < $2::int and $3::bigint >= p.last_notification
  where p.job_key = $1::bigint)
select (select count(*) from next)::int as seen,
  ((select count(*) from resent) + (select count(*) from replayed))::int as moved`,
    values: builder.values,
    isSeldom: filters.length > 0,
  };
}
