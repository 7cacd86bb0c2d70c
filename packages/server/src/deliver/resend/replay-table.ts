// All SQL of a replay: counts what can be replayed, creates the job, and takes up its notifications in batches. Each
// statement reads a bounded number of records, in the order of the keys of one subscription, by index.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import { orderColumns, orderValues } from '../queue/notification-state-table.ts';
import { isOrdered, taken } from './resend-progress-table.ts';
import { isEndedInScope, lastFailure, type ResendScope } from './resend-table.ts';

export interface ReplayScope extends ResendScope {
  subscriptionKey: number;
  /** The changed object, or the one that the subscription refers to. */
  objectKey: number | null;
  status: 'DELIVERED' | 'FAILED' | null;
}

/** SQL of the values that select notifications. Null values: no limit. */
interface Selection {
  subscription: string;
  /** The position: only greater keys are read. */
  after: string;
  upTo: string;
  chosen: string;
  from: string;
  to: string;
  objectKey: string;
  status: string;
  rowsMax: string;
}

/**
 * The first time of creation to read, so that older days are not searched. Bodies are dropped by day, so a delivered
 * notification of a day that still exists has its body. A notification is created after its change; the clock may have
 * been set back meanwhile, but not by a day.
 */
const oldestDate = ({ from }: Selection) =>
  `(select greatest(flaghoist_system.oldest_day('flaghoist_system.notification_body'), ${from} - interval '1 day'))`;

const columns = `n."key", n.created_date, n.subscription, n.sequence, n.status, n.delivery_date, n.event_time,
      n.object_key, n.subscribed_object_key`;

/** The next records, selected or not. Chosen ones are found one by one, so that no record between them is read. */
const nextRecords = (selection: Selection) => {
  const { subscription, after, upTo, chosen, rowsMax } = selection;
  return `(
    select ${columns} from flaghoist_service.webhook_notification n
    where ${chosen} is null and n.subscription = ${subscription} and n."key" > ${after} and n."key" <= ${upTo}
      and n.created_date >= ${oldestDate(selection)}
    order by n."key" limit ${rowsMax})
  union all
  select n.* from (select distinct unnest(${chosen}) as key) c cross join lateral (
    select ${columns} from flaghoist_service.webhook_notification n
    where n."key" = c.key and n.subscription = ${subscription} and n."key" > ${after}
      and n.created_date >= ${oldestDate(selection)} offset 0) n`;
};

const isSelected = ({ from, to, objectKey, status }: Selection, recordStatus: string) => `
    (${status} is null or ${status} = ${recordStatus})
    and (${from} is null or n.event_time >= ${from}) and (${to} is null or n.event_time < ${to})
    and (${objectKey} is null or ${objectKey} in (n.object_key, n.subscribed_object_key))`;

/** A pending notification counts as failed if its subscription was deactivated and it is about to be marked. */
const currentStatus = `case when n.status = 'PENDING' and exists (
      select from flaghoist_system.pending_notification p where p.notification_key = n."key" and p.resend_job is null)
    and exists (select from flaghoist_system.ended_subscription e where e.subscription_key = n.subscription)
    then 'FAILED' else n.status end`;

const inScope: Selection = {
  subscription: 's."key"',
  after: '$8::bigint',
  upTo: '$9::bigint',
  chosen: '$5::bigint[]',
  from: '$3::timestamp',
  to: '$4::timestamp',
  objectKey: '$6::bigint',
  status: '$7::text',
  rowsMax: '$10::int',
};

export interface CountedRow {
  /** How many records were read, and the key of the last one. */
  read: number;
  last: string | null;
  total: number;
}

/** Counts among the next records. Counts nothing of a subscription that the user may not see, or that has ended. */
export function countReplayable(
  scope: Omit<ReplayScope, 'userKey'> & { onlyUser: number | null },
  { after, upTo, rowsMax }: { after: number; upTo: number; rowsMax: number },
): Statement {
  const { onlyUser, subscriptionKey, from, to, notifications, objectKey, status } = scope;
  const chosen = notifications === null ? null : numberArray(notifications);
  return {
    text: `with seen as materialized (
  select n.* from flaghoist_service.webhook_subscription s cross join lateral (${nextRecords(inScope)}) n
  where s."key" = $2::bigint and ($1::bigint is null or s."user" = $1::bigint) and s.state <> 'UNSUBSCRIBED')
select count(*)::int as read, max(n."key")::text as last,
  (count(*) filter (where case n.current_status
    when 'DELIVERED' then true
    when 'FAILED' then n.status = 'PENDING' or exists (
      select from flaghoist_system.resendable_notification f where f.notification_key = n."key")
    else false end and ${isSelected(inScope, 'n.current_status')}))::int as total
from (select n.*, ${currentStatus} as current_status from seen n offset 0) n`,
    values: [onlyUser, subscriptionKey, from, to, chosen, objectKey, status, after, upTo, rowsMax],
  };
}

/** The greatest key so far. Notifications that are created later have greater keys, or are not delivered yet. */
export function selectLastKey(): Statement {
  return { text: 'select last_value::text as key from flaghoist.object_key', values: [] };
}

export function insertReplayJob(scope: ReplayScope, total: number, lastNotification: number): Statement {
  const { userKey, subscriptionKey, from, to, notifications, objectKey, status } = scope;
  const chosen = notifications === null ? null : numberArray(notifications);
  return {
    text: `with made as (
  insert into flaghoist_service.resend_job (kind, "user", subscription, "from", "to", notifications, object_key,
    notification_status, total)
  values ('REPLAY', $1::bigint, $2::bigint, $3::timestamp, $4::timestamp, to_jsonb($5::bigint[]), $6::bigint, $7,
    $8::int)
  returning "key"),
begun as (
  insert into flaghoist_system.resend_progress (job_key, last_failure, last_notification)
  select "key", case when not ${isEndedInScope('$1::bigint', '$2::bigint')} then ${lastFailure} end, $9::bigint
  from made)
select "key"::text as job from made`,
    values: [userKey, subscriptionKey, from, to, chosen, objectKey, status, total, lastNotification],
  };
}

const inJob: Selection = {
  subscription: 'job.subscription',
  after: 'job.at_notification',
  upTo: 'job.last_notification',
  chosen: 'job.chosen',
  from: 'job."from"',
  to: 'job."to"',
  objectKey: 'job.object_key',
  status: 'job.notification_status',
  rowsMax: '$3::int',
};

/** How many records one batch reads, most of which may not be selected. */
const recordsRead = 5_000;

/**
 * Reads the next records, and takes up those that the job includes. The position moves past every record read. A
 * notification that is pending for another job is skipped: it is being sent already. Notifications that were delivered
 * or have failed after the request are not included. Returns `seen`, how many were read, and `moved`, how many were
 * taken up.
 */
export function takeReplayed(jobKey: number, rowsMax: number): Statement {
  return {
    text: `with job as materialized (
  select j.*, p.last_failure, p.last_notification, p.at_notification,
    case when jsonb_typeof(j.notifications) = 'array' then array(select
      jsonb_array_elements_text(j.notifications)::bigint) end as chosen
  from flaghoist_system.resend_progress p join flaghoist_service.resend_job j on j."key" = p.job_key
    where p.job_key = $1::bigint),
seen as materialized (
  select n."key", n.created_date, n.subscription, n.sequence, n.subscribed_object_key, n.status, case n.status
    when 'DELIVERED' then n.delivery_date <= job.created_date
    when 'FAILED' then true
    else false end and ${isSelected(inJob, 'n.status')} as is_selected,
    (select f.ctid from flaghoist_system.resendable_notification f
      where n.status = 'FAILED' and f.notification_key = n."key" and f.failure_no <= job.last_failure) as place
  from job cross join lateral (${nextRecords(inJob)}) n),
next as materialized (
  select s.*, true as is_wanted from seen s where s.is_selected and (s.status = 'DELIVERED' or s.place is not null)
  order by s."key" limit $2::int),
${taken('n.subscription', 'true', "'FAILED'")},
replayed as (
  insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, resend_job,
    replay_of, ${orderColumns})
  select r."key", r.created_date, r.subscription, $1::bigint, 'DELIVERED', ${orderValues('r', 'true')}
  from (select next.*, ${isOrdered('next.subscription')} as is_ordered from next) r where r.status = 'DELIVERED'
  order by r."key" on conflict do nothing returning 1),
placed as (
  update flaghoist_system.resend_progress p
  set at_notification = coalesce(
      (select max("key") from next having count(*) = $2::int), (select max("key") from seen), p.at_notification),
    is_moved = (select count(*) from next) < $2::int and (select count(*) from seen) < $3::int
  where p.job_key = $1::bigint)
select (select count(*) from seen)::int as seen,
  ((select count(*) from resent) + (select count(*) from replayed))::int as moved`,
    values: [jobKey, rowsMax, recordsRead],
  };
}
