// All SQL of pending notifications: claims ready ones lane by lane, releases claims, delays and wakes notifications.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import type { Readers, ReadValue } from '../../database/statement-batch.ts';
import { isNotDead } from '../workers/worker-table.ts';
import { bodyReaders, bytesOfBody, selectContentOnce } from './content-table.ts';
import { isIn, thisSecond, unlessDelivered } from './notification-state-table.ts';

export interface PendingClaim {
  workerId: number;
  /** The claim starts with the lanes after this one. */
  afterLane: number;
  lanesMax: number;
  rowsMax: number;
  /** The capacity of this process: per named lane, and for each lane that is not named. */
  capacities: { named: ReadonlyMap<number, number>; others: number };
  /** Bodies are returned up to this many bytes, but at least one. */
  bytesMax: number;
}

/** How many lanes a claim walks at most, including lanes without capacity. */
const stepsMax = 1_000;

/**
 * Claims some notifications of each lane that has any ready, starting with the next lanes. The cost depends on the
 * number of lanes and rows claimed, not on how many are pending. Lanes are found by stepping from one to the next in
 * the index. Lanes without capacity do not count.
 *
 * If enough of them are ready, a quarter of what is claimed of a lane was tried or sent before, oldest first, and at
 * least one. So failed notifications are retried in time, however much a receiver is sent.
 *
 * `array()` makes the inner selects run once, whatever plan is chosen. Messages are returned by the same statement,
 * because a busy process is slow to receive the response to a second one. Each message is a row of its own: a join and
 * casts of that many columns cost the server as much as the claim itself. Messages are read day by day, because each
 * day is a table. A content that several bodies share is returned once, with the first of those that fit: bodies come
 * in the order of the plan, so the one with the lowest key may not fit although others do.
 */
export function claimPending(claim: PendingClaim): Statement {
  const { workerId, afterLane, lanesMax, rowsMax, capacities, bytesMax } = claim;
  const named = JSON.stringify(Object.fromEntries(capacities.named));
  return {
    text: claimText,
    values: [workerId, afterLane, lanesMax, rowsMax, named, capacities.others, bytesMax, stepsMax],
    readers: claimReaders,
  };
}

const isReady = 'p.subscription_key = l.lane and p.claimed_by is null and p.due_at is null';
const wasTried = '(p.attempts > 0 or p.resend_job is not null)';

/** A message fits into the byte limit of the claim, or is the first. */
const fits = `(m.upto <= $7::bigint or m.upto = ${bytesOfBody('m')})`;

const claimText = `with recursive step as (
  select $2::bigint as lane, 0 as capacity, 0 as lanes, 0 as steps
  union all
  select n.lane, n.capacity, s.lanes + (n.capacity > 0)::int, s.steps + 1
  from step s cross join lateral (
    select f.lane, coalesce(($5::jsonb ->> f.lane::text)::int, $6::int) as capacity
    from (select (select p.subscription_key from flaghoist_system.pending_notification p
      where p.due_at is null and p.subscription_key > s.lane order by p.subscription_key limit 1) as lane offset 0) f) n
  where s.lane is not null and s.lanes <= $3::int and s.steps <= $8::int),
walked as materialized (select lane, capacity from step where lanes <= $3::int and steps <= $8::int
  and lane is not null),
lane as materialized (
  select lane, least(capacity, greatest(10, $4::int / greatest(1, count(*) over ()))) as most from walked
    where capacity > 0),
worker as materialized (select id from flaghoist_system.delivery_worker where id = $1::bigint
  and ${isNotDead} for key share),
claimed as (
  update flaghoist_system.pending_notification set claimed_by = (select id from worker)
  where exists (select from worker) and notification_key = any(array(
    select r.notification_key from lane l
    cross join lateral (select array(
      select p.notification_key from flaghoist_system.pending_notification p where ${isReady} and ${wasTried}
      order by ${wasTried}, p.notification_key limit (l.most + 3) / 4 for update skip locked) as keys offset 0) tried
    cross join lateral (
      select unnest(tried.keys) as notification_key
      union all
      select f.notification_key from (
        select p.notification_key from flaghoist_system.pending_notification p
        where ${isReady} and p.notification_key <> all(tried.keys)
        order by ${wasTried}, p.notification_key limit l.most - cardinality(tried.keys) for update skip locked) f) r))
  returning notification_key, created_date, subscription_key, attempts, resend_job, replay_of, ordered_object),
message as materialized (
  select b.*, sum(${bytesOfBody('b')}) over (rows unbounded preceding) as upto
  from (select created_date::date::timestamp as day, array_agg(notification_key) as keys from claimed group by 1
    order by 1) d
  cross join lateral (
    select b.notification_key, b.created_date, b.content_key, b.content_bytes, b.head, b.subject, b.body
    from flaghoist_system.notification_body b
    where b.notification_key = any(d.keys) and b.created_date >= d.day
      and b.created_date < d.day + interval '1 day') b),
fitting as materialized (select m.notification_key, m.content_key from message m where ${fits})
select bool_or(lane is null) as is_end, (select max(lane) from walked) as last_lane, null::bigint as key,
  null::timestamp as created_date,
  null::bigint as subscription_key, null::smallint as attempts, null::bigint as resend_job, null as replay_of,
  null::bigint as ordered_object, null as head, null as subject, null as body,
  null::bigint as content_key, null as content
from step
union all
select null, null, notification_key, created_date, subscription_key, attempts, resend_job, replay_of, ordered_object,
  null, null, null, null, null
from claimed
union all
select null, null, m.notification_key, null, null, null, null, null, null, m.head, m.subject,
  case when ${fits} then m.body end, m.content_key, ${selectContentOnce('m', 'fitting')}
from message m`;

/** Times stay text, because the driver would convert them to local time. */
const claimReaders: Readers = new Map<string, ReadValue>([['created_date', (text) => text], ...bodyReaders]);

/** Makes notifications ready again whose delay is over. Blocked ones have none. */
export function wakePending(rowsMax: number): Statement {
  return {
    text: `update flaghoist_system.pending_notification set due_at = null where notification_key = any(array(
  select p.notification_key from flaghoist_system.pending_notification p
  where p.due_at > '-infinity' and p.due_at <= now()
  order by p.due_at limit $1::int for update skip locked))
returning 1`,
    values: [rowsMax],
  };
}

/** Releases notifications that were claimed but not attempted. */
export function releaseClaimed(workerId: number, keys: readonly number[]): Statement {
  return {
    text: `update flaghoist_system.pending_notification set claimed_by = null
where notification_key = any($2::bigint[]) and claimed_by = $1::bigint`,
    values: [workerId, numberArray(keys)],
  };
}

/**
 * Keys that a worker has claimed: in some blocks of the table, and among `keys`. No index has `claimed_by`, because it
 * would slow down claims, so the table is read in parts. `next_block`: where the next part starts; 0 after the last.
 */
export function selectClaimed(
  workerId: number,
  { block, blocks, keys }: { block: number; blocks: number; keys: Iterable<number> },
): Statement {
  const next = block + blocks;
  return {
    text: `select array(
  select p.notification_key from flaghoist_system.pending_notification p
  where p.ctid >= $2::tid and p.ctid < $3::tid and p.claimed_by = $1::bigint
  union
  select p.notification_key from flaghoist_system.pending_notification p
  where p.notification_key = any($4::bigint[]) and p.claimed_by = $1::bigint)::text[] as keys,
  case when pg_relation_size('flaghoist_system.pending_notification') > $5::bigint * current_setting('block_size')::int
    then $5::int else 0 end as next_block`,
    values: [workerId, `(${block},0)`, `(${next},0)`, numberArray([...keys]), next],
  };
}

/** Postpones notifications that were not sent for a fault of the service. Does not count as an attempt. */
export function postpone(workerId: number, keys: readonly number[], delayMs: number): Statement {
  return {
    text: `with moved as (
  update flaghoist_system.pending_notification set claimed_by = null, due_at = now() + $3 * interval '1 millisecond'
  where notification_key = any($2::bigint[]) and claimed_by = $1::bigint
  returning notification_key as key, created_date)
update flaghoist_service.webhook_notification n
set next_attempt_date = date_trunc('second', (now() + $3 * interval '1 millisecond') at time zone 'utc'),
  ${unlessDelivered('error_message', '$4')}, modified_date = ${thisSecond}
where ${isIn('moved')}`,
    values: [workerId, numberArray(keys), delayMs, 'Not sent yet because of a fault of the service itself.'],
  };
}

/**
 * Parks notifications of inactive users: they stay pending and are not sent. Parked ones have a due date, so that a
 * claim never reads them.
 */
export function park(workerId: number, keys: readonly number[]): Statement {
  return {
    text: `update flaghoist_system.pending_notification set claimed_by = null, due_at = 'infinity'
where notification_key = any($2::bigint[]) and claimed_by = $1::bigint`,
    values: [workerId, numberArray(keys)],
  };
}

export interface UnparkedRow {
  /** How many lanes were examined, and the last of them. */
  lanes: number;
  last_lane: string;
  woken: number;
}

/** In the next lanes with waiting notifications, makes parked ones ready again if their user is active. */
export function unpark(afterLane: number, lanesMax: number, rowsMax: number): Statement {
  return {
    text: `with recursive step as (
  select $1::bigint as lane, 0 as steps
  union all
  select (select p.subscription_key from flaghoist_system.pending_notification p
    where p.due_at is not null and p.subscription_key > s.lane order by p.subscription_key limit 1), s.steps + 1
  from step s where s.lane is not null and s.steps < $2::int),
lane as materialized (
  select step.lane from step join flaghoist_service.webhook_subscription s on s."key" = step.lane
  join flaghoist_service.api_user u on u."key" = s."user" and u.active where step.steps > 0),
woken as (
  update flaghoist_system.pending_notification set due_at = null where notification_key = any(array(
    select r.notification_key from lane l cross join lateral (
      select p.notification_key from flaghoist_system.pending_notification p
      where p.subscription_key = l.lane and p.due_at = 'infinity' limit $3::int for update skip locked) r
    limit $3::int))
  returning 1)
select count(*) filter (where steps > 0 and lane is not null)::int as lanes, max(lane)::text as last_lane,
  (select count(*) from woken)::int as woken
from step`,
    values: [afterLane, lanesMax, rowsMax],
  };
}
