// All SQL of streamed notifications: leases them to consumers, releases leases, and records what was acknowledged.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import type { State } from '../../subscriptions/state-machine.ts';
import { appendedLog } from '../outcomes/outcome-table.ts';
import { bodyReaders, bytesOfBody, selectContentOnce } from '../queue/content-table.ts';
import { countInResends, isIn, thisSecond, unlessDelivered } from '../queue/notification-state-table.ts';
import { activityCodes, codeOfDelivered, insertActivity } from '../statistics/activity-table.ts';

export interface StreamRow {
  state: State;
  user: string;
  is_streamed: boolean;
  channel_type: string;
  acknowledge_seconds: number;
}

const secondsByDefault = 30;

export function selectStream(subscriptionKey: number): Statement {
  return {
    text: `select s.state, s."user"::text as "user", coalesce(s.is_streamed, false) as is_streamed,
  s.channel_info ->> 'channelType' as channel_type,
  coalesce(s.acknowledge_seconds, ${secondsByDefault}) as acknowledge_seconds
from flaghoist_service.webhook_subscription s where s."key" = $1::bigint`,
    values: [subscriptionKey],
  };
}

/** What one consumer can take. */
export interface LeaseRequest {
  readonly subscriptionKey: number;
  readonly leaseId: number;
  /** How many notifications the consumer may have at a time without acknowledging them. */
  readonly unacknowledgedMax: number;
  readonly acknowledgeSeconds: number;
}

export interface Lease {
  readonly request: LeaseRequest;
  /** At most so many now. */
  readonly countMax: number;
}

/**
 * Leases the first notifications of each subscription that no consumer has, up to what the consumer may still take. A
 * subscription can be named once. Those that were sent before get an entry in their log: they were not acknowledged.
 *
 * Returns a row for each notification, without a body if it did not fit into `bytesMaxEach` of its subscription and is
 * not leased; for a subscription without any, one row without a key. `capacity`: how many the consumer could take.
 * `ran_out`: the lease that ran out, if there was one. `leased_until`: of all that this statement has leased, and later
 * than that of what earlier statements have leased to the same consumer.
 *
 * Rows are found by lists of keys, never by a join, so that only one plan is possible. Bodies are read at the end.
 */
export function leaseStreamed(leases: readonly Lease[], bytesMaxEach: number): Statement {
  const requests = leases.map(({ request }) => request);
  const byKey = Object.fromEntries(
    requests.map(({ subscriptionKey, leaseId, acknowledgeSeconds }) => [
      subscriptionKey,
      { leaseId, seconds: acknowledgeSeconds },
    ]),
  );
  return {
    text: leaseText,
    values: [
      numberArray(requests.map(({ subscriptionKey }) => subscriptionKey)),
      numberArray(requests.map(({ leaseId }) => leaseId)),
      numberArray(requests.map(({ unacknowledgedMax }) => unacknowledgedMax)),
      JSON.stringify(byKey),
      bytesMaxEach,
      numberArray(leases.map(({ countMax }) => Math.min(countMax, 1_000))),
    ],
    readers: new Map(bodyReaders),
  };
}

const selectBody = (columns: string) => `select ${columns} from flaghoist_system.notification_body b
    where b.notification_key = n.notification_key and b.created_date = n.created_date offset 0`;

const whyAgain = `case when n.leased_until > '-infinity'
      then 'Not acknowledged within ' || ($4::jsonb -> n.subscription_key::text ->> 'seconds') || ' s.'
      else 'The connection ended before it was acknowledged.' end`;

const utcNow = `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A lease need not survive a crash of the server: without it, the notification is only sent again. */
const withoutWaitingForDisk = `select set_config('synchronous_commit', 'off', true)`;

const leasedUntil = (of: string) =>
  `now() + ($4::jsonb -> ${of}.subscription_key::text ->> 'seconds')::float8 * interval '1 second'`;

const leaseText = `with wanted as materialized (
  select w.*, (${withoutWaitingForDisk}) from unnest($1::bigint[], $2::bigint[], $3::int[], $6::int[]) as
    w (subscription_key, lease_id, most, count_max)),
capacity as materialized (
  select w.subscription_key, least(w.count_max, greatest(0, w.most - (select count(*)
    from flaghoist_system.pending_notification p where p.lease_id = w.lease_id and p.leased_until > '-infinity'
      and p.leased_until > now()))) as most
  from wanted w),
next as materialized (
  select n.* from capacity c cross join lateral (
    select p.notification_key, p.created_date, p.subscription_key, p.attempts, p.resend_job, p.replay_of,
      p.ordered_object, p.sequence, p.leased_until, p.lease_id
    from flaghoist_system.pending_notification p
    where p.subscription_key = c.subscription_key and p.leased_until is not null and p.leased_until <= now()
    order by p.sequence, p.notification_key limit c.most for update skip locked) n),
sized as materialized (
  select n.*, b.content_key, b.bytes, sum(b.bytes) over (
    partition by n.subscription_key order by n.sequence, n.notification_key) as upto
  from next n cross join lateral (${selectBody(`b.content_key, ${bytesOfBody('b')} as bytes`)}) b),
chosen as materialized (select * from sized where upto <= $5::bigint or upto = bytes),
leased as (
  update flaghoist_system.pending_notification p
  set lease_id = ($4::jsonb -> p.subscription_key::text ->> 'leaseId')::bigint,
    leased_until = ${leasedUntil('p')},
    attempts = least(p.attempts + 1, 32767)
  where p.notification_key = any(array(select notification_key from chosen))),
again as materialized (
  select n.notification_key as key, n.created_date, ${whyAgain} as error from chosen n where n.attempts > 0),
logged as (
  update flaghoist_service.webhook_notification n
  set attempts = n.attempts + 1, ${unlessDelivered('error_message', errorOf('n."key"'))},
    attempt_log = ${appendedLog(`jsonb_build_array(jsonb_build_object('date', ${utcNow}, 'durationMs', 0,
      'statusCode', null, 'answer', null, 'error', ${errorOf('n."key"')}))`)}, modified_date = ${thisSecond}
  where ${isIn('again')}
  returning n."key", n.subscription, n.created_date, ${activityCodes.retried} as code),
activity as (${insertActivity('select * from logged')})
select n.notification_key::text as key, n.created_date::text as created_date,
  c.subscription_key::text as subscription_key, n.attempts, n.resend_job::text as resend_job, n.replay_of,
  n.ordered_object::text as ordered_object, case when n.leased_until > '-infinity' then n.lease_id::text end as ran_out,
  b.head, b.subject, b.body, n.content_key, ${selectContentOnce('n', 'chosen')} as content,
  c.most::int as capacity, (${leasedUntil('c')})::text as leased_until
from capacity c left join sized n on n.subscription_key = c.subscription_key
left join lateral (${selectBody('b.head, b.subject, b.body')}) b
  on n.notification_key = any(array(select notification_key from chosen))
order by n.sequence, n.notification_key`;

/** Of a row of `again`. */
function errorOf(key: string): string {
  return `((select jsonb_object_agg(key, error) from again) ->> ${key}::text)`;
}

export interface EndedLease {
  readonly leaseId: number;
  /** Only what was leased beyond this time: the consumer has the rest. Undefined: everything. */
  readonly beyond?: string | undefined;
}

/** What these consumers do not have, or no longer, can be sent to any consumer at once. */
export function releaseLeases(leases: readonly EndedLease[]): Statement {
  const all = new Set(leases.filter(({ beyond }) => beyond === undefined).map(({ leaseId }) => leaseId));
  const lost = leases.filter(({ leaseId }) => !all.has(leaseId));
  return {
    text: `update flaghoist_system.pending_notification set leased_until = '-infinity'
where notification_key = any(array(select p.notification_key from flaghoist_system.pending_notification p
  where p.lease_id = any($1::bigint[]) and p.leased_until > '-infinity'
    and p.leased_until > coalesce(($2::jsonb ->> p.lease_id::text)::timestamptz, '-infinity') for update skip locked))`,
    values: [
      numberArray([...[...all].flatMap((id) => [id, -id]), ...lost.map(({ leaseId }) => leaseId)]),
      JSON.stringify(Object.fromEntries(lost.map(({ leaseId, beyond }) => [leaseId, beyond]))),
    ],
  };
}

/**
 * Implements `Last-Event-ID`: what was sent up to this notification gets a new lease, so it is not sent again at once,
 * unless the connection ends. The negative lease keeps `upTo` from covering it: some may
 * have been sent to other consumers, or have been lost on the way.
 */
export function leaseSentBefore(
  { subscriptionKey, leaseId, acknowledgeSeconds }: LeaseRequest,
  lastKey: number,
  rowsMax: number,
): Statement {
  return {
    text: `update flaghoist_system.pending_notification
set lease_id = -$5::bigint, leased_until = now() + $2::float8 * interval '1 second'
where notification_key = any(array(select p.notification_key from flaghoist_system.pending_notification p
  where p.subscription_key = $1::bigint and p.leased_until is not null and p.leased_until <= now()
    and p.lease_id is not null and (p.sequence, p.notification_key) <= ((select n.sequence
      from flaghoist_service.webhook_notification n where n."key" = $3::bigint and n.subscription = $1::bigint),
      $3::bigint)
  order by p.sequence, p.notification_key limit $4::int for update skip locked))`,
    values: [subscriptionKey, acknowledgeSeconds, lastKey, rowsMax, leaseId],
  };
}

/** Of these subscriptions, those with notifications that no consumer has. */
export function selectWaiting(subscriptionKeys: readonly number[]): Statement {
  return {
    text: `select k::text as key from unnest($1::bigint[]) as k where exists (
  select from flaghoist_system.pending_notification p
  where p.subscription_key = k and p.leased_until is not null and p.leased_until <= now())`,
    values: [numberArray(subscriptionKeys)],
  };
}

/**
 * This notification, if it was sent, and those before it that the same connection or pull was sent before it. If it was
 * sent more than once, it alone: the lease may be that of another consumer, and what that one was sent with it, the
 * caller may never have seen. Each statement that leases sets a later time than the one before it, and its
 * notifications are sent in order of sequence.
 */
export function selectSentUpTo(subscriptionKey: number, lastKey: number, rowsMax: number): Statement {
  return {
    text: `select p.notification_key::text as key
from flaghoist_system.pending_notification last
join flaghoist_system.pending_notification p on p.lease_id = last.lease_id and p.leased_until > '-infinity'
where last.notification_key = $2::bigint and last.subscription_key = $1::bigint and last.lease_id > 0
  and p.subscription_key = $1::bigint
  and (p.sequence, p.notification_key) <= (last.sequence, last.notification_key)
  and p.leased_until <= last.leased_until and last.attempts = 1
union select last.notification_key::text from flaghoist_system.pending_notification last
where last.notification_key = $2::bigint and last.subscription_key = $1::bigint and last.lease_id is not null
limit $3::int`,
    values: [subscriptionKey, lastKey, rowsMax],
  };
}

export interface AcknowledgedRow {
  key: string;
  id: string;
  ordered_object: string | null;
  lease_id: string;
  duration_ms: number;
}

const acknowledgedActivity = `select d."key", d.subscription, d.created_date, ${codeOfDelivered(
  'd.occurred_at',
  '0',
  'd."key" = any(array(select a.key from acknowledged a where a.resend_job is not null))',
)} as code from delivered d`;

/** Only what was sent. What was acknowledged before is left out. */
export function acknowledge(subscriptionKey: number, keys: readonly number[], acknowledgeSeconds: number): Statement {
  const memberOf = (member: string) => `((select by_key from logs) -> n."key"::text -> '${member}')`;
  return {
    text: `with acknowledged as (
  delete from flaghoist_system.pending_notification p
  where p.notification_key = any($2::bigint[]) and p.subscription_key = $1::bigint and p.lease_id is not null
  returning p.notification_key as key, p.created_date, p.subscription_key, p.resend_job, p.replay_of, p.ordered_object,
    p.lease_id, case when p.leased_until > '-infinity'
      then p.leased_until - $3::float8 * interval '1 second' else now() end as sent_at),
timed as materialized (select *, greatest(0, round(extract(epoch from now() - sent_at) * 1000))::int as duration_ms
  from acknowledged),
logs as materialized (select jsonb_object_agg(key, jsonb_build_object('date',
    to_char(sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'durationMs', duration_ms)) as by_key
  from timed),
counted as (${countInResends('done', 'acknowledged')}),
delivered as (
  update flaghoist_service.webhook_notification n
  set status = 'DELIVERED', attempts = n.attempts + 1, ${unlessDelivered('delivery_date', thisSecond)},
    next_attempt_date = null, error_message = null, modified_date = ${thisSecond},
    attempt_log = ${appendedLog(`jsonb_build_array(jsonb_build_object('date', ${memberOf('date')},
      'durationMs', ${memberOf('durationMs')}, 'statusCode', null, 'answer', null, 'error', null))`)}
  where ${isIn('acknowledged')}
  returning n."key", n.id, n.subscription, n.created_date, n.occurred_at),
activity as (${insertActivity(acknowledgedActivity)})
select t.key::text, d.id, t.ordered_object::text, t.lease_id::text, t.duration_ms
from timed t join delivered d on d."key" = t.key`,
    values: [subscriptionKey, numberArray(keys), acknowledgeSeconds],
  };
}
