// All SQL of what is to be sent: claiming what is ready, lane by lane, waking what has waited long enough, giving back what was
// claimed and not tried.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { bytesOf } from './body-bytes.ts';

/** What is claimed, and what of it is sent. */
export interface ClaimedRow {
  /** Whether there are no lanes after these, and the last of these. */
  is_end: boolean;
  last_lane: string;
  /** Null in the only row of a claim that found nothing. */
  key: string | null;
  created_date: string;
  subscription_key: string;
  attempts: number;
  resend_job: string | null;
  /** Null where its body is not kept any more. */
  size: number | null;
  /** Null where an earlier version has made it: what follows stands in the log. */
  id: string | null;
  object_type: string;
  object_key: string;
  event_type: 'C' | 'U' | 'D';
  subscribed_object_key: string;
  event_time: string;
  content_type: string;
  subject: string | null;
  /** Null where it is too much for now. */
  body: Buffer | null;
}

export interface PendingClaim {
  workerId: number;
  /** Lanes after this one come first. */
  afterLane: number;
  lanesMax: number;
  rowsMax: number;
  /** From 0 to 3, by chance: where a lane has room for one only, it is for what was tried before when this is 3. */
  turn: number;
  /** How many of each lane this process has room for, and how many of one that is not named; where fewer of them may be new, how many. */
  rooms: { named: ReadonlyMap<number, number>; others: number; forNew: ReadonlyMap<number, number> };
  /** The bodies of as many as fit into so many bytes, at least one. */
  bytesMax: number;
}

/** So many lanes are walked over at most, including those without room. */
const stepsMax = 1_000;

/**
 * Takes some of each lane that has something ready, the next lanes first: what it costs depends on the number of lanes and rows
 * taken, not on how many there are. The lanes are found by stepping from one to the next in the index; those without room do not count.
 * A quarter of what is taken of a lane, or more where it has less room for what is new, was tried or sent before, if there is so much of it,
 * and the oldest first: however much a receiver is sent, what has failed is tried again in time. `array()` makes the inner selects run
 * once, whatever plan is chosen. The messages come along: a busy process is slow to hear the answer of a second statement.
 */
export function claimPending(claim: PendingClaim): Statement {
  const { workerId, afterLane, lanesMax, rowsMax, rooms, bytesMax, turn } = claim;
  return {
    text: claimText,
    values: [
      workerId,
      afterLane,
      lanesMax,
      rowsMax,
      asJson(rooms.named),
      rooms.others,
      bytesMax,
      turn,
      stepsMax,
      asJson(rooms.forNew),
    ],
    // At once, so that many large strings do not live for long.
    readers: asBytes,
  };
}

function asJson(rooms: ReadonlyMap<number, number>): string {
  return JSON.stringify(Object.fromEntries(rooms));
}

const isReady = 'p.subscription_key = l.lane and p.claimed_by is null and p.due_at is null';
const wasTried = '(p.attempts > 0 or p.resend_job is not null)';

const claimText = `with recursive step as (
  select $2::bigint as lane, 0 as room, 0 as lanes, 0 as steps
  union all
  select n.lane, n.room, s.lanes + (n.room > 0)::int, s.steps + 1
  from step s cross join lateral (
    select f.lane, coalesce(($5::jsonb ->> f.lane::text)::int, $6::int) as room
    from (select (select p.subscription_key from flaghoist_system.pending_notification p
      where p.due_at is null and p.subscription_key > s.lane order by p.subscription_key limit 1) as lane offset 0) f) n
  where s.lane is not null and s.lanes <= $3::int and s.steps <= $9::int),
walked as materialized (select lane, room from step where lanes <= $3::int and steps <= $9::int and lane is not null),
lane as materialized (
  select lane, most, least(most, coalesce(($10::jsonb ->> lane::text)::int, most)) as fresh from (
    select lane, least(room, greatest(10, $4::int / greatest(1, count(*) over ()))) as most from walked where room > 0) w),
worker as materialized (select id from flaghoist_system.delivery_worker where id = $1::bigint for key share),
claimed as (
  update flaghoist_system.pending_notification set claimed_by = (select id from worker)
  where exists (select from worker) and notification_key = any(array(
    select r.notification_key from lane l
    cross join lateral (select array(
      select p.notification_key from flaghoist_system.pending_notification p where ${isReady} and ${wasTried}
      order by ${wasTried}, p.notification_key limit greatest(l.most - l.fresh, (l.most + $8::int) / 4) for update skip locked) as keys offset 0) tried
    cross join lateral (
      select unnest(tried.keys) as notification_key
      union all
      select f.notification_key from (
        select p.notification_key from flaghoist_system.pending_notification p
        where ${isReady} and p.notification_key <> all(tried.keys)
        order by ${wasTried}, p.notification_key limit least(l.fresh, l.most - cardinality(tried.keys)) for update skip locked) f) r))
  returning notification_key, created_date, subscription_key, attempts, resend_job)
select ends.is_end, ends.last_lane::text, found.*
from (select (select bool_or(lane is null) from step) as is_end, (select max(lane) from walked) as last_lane) ends
left join (
  select m.notification_key::text as key, m.created_date::text, m.subscription_key::text, m.attempts, m.resend_job::text, m.size, m.id,
    m.object_type, m.object_key, m.event_type, m.subscribed_object_key, m.event_time, m.content_type, m.subject,
    case when m.upto <= $7::bigint or m.upto = m.size then m.body end as body
  from (
    select c.*, b.*, sum(b.size) over (order by c.notification_key) as upto
    from claimed c left join lateral (
      select octet_length(b.body) as size, b.id, b.object_type, b.object_key, b.event_type, b.subscribed_object_key, b.event_time,
        b.content_type, b.subject, b.body
      from flaghoist_system.notification_body b
      where b.notification_key = c.notification_key and b.created_date = c.created_date) b on true) m) found on true`;

const asBytes = new Map([['body', bytesOf]]);

/** A message, without its body. */
export type HeadRow = Pick<
  ClaimedRow,
  'object_type' | 'object_key' | 'event_type' | 'subscribed_object_key' | 'event_time' | 'content_type'
> & { key: string; id: string };

/** What the log says of them. */
export function selectHeads(keys: readonly number[], from: string, to: string): Statement {
  return {
    text: `select n."key", n.id, n.object_type, n.object_key, n.event_type, n.subscribed_object_key,
  to_char(n.event_time, 'YYYY-MM-DD"T"HH24:MI:SS') as event_time, n.content_type
from flaghoist_service.webhook_notification n
where n."key" = any($1::bigint[]) and n.created_date >= $2::timestamp and n.created_date <= $3::timestamp`,
    values: [numberArray(keys), from, to],
  };
}

/** What has waited long enough is ready again. */
export function wakePending(rowsMax: number): Statement {
  return {
    text: `update flaghoist_system.pending_notification set due_at = null where notification_key = any(array(
  select p.notification_key from flaghoist_system.pending_notification p where p.due_at <= now()
  order by p.due_at limit $1::int for update skip locked))
returning 1`,
    values: [rowsMax],
  };
}

/** Claimed, and not tried after all. */
export function giveBack(workerId: number, keys: readonly number[]): Statement {
  return {
    text: `update flaghoist_system.pending_notification set claimed_by = null
where notification_key = any($2::bigint[]) and claimed_by = $1::bigint`,
    values: [workerId, numberArray(keys)],
  };
}

export function selectClaimed(workerId: number): Statement {
  return {
    text: 'select notification_key::text as key from flaghoist_system.pending_notification where claimed_by = $1::bigint',
    values: [workerId],
  };
}

/** Not tried for a fault of ours: later again, and no attempt. */
export function postpone(workerId: number, keys: readonly number[], delayMs: number): Statement {
  return {
    text: `with o as (
  update flaghoist_system.pending_notification set claimed_by = null, due_at = now() + $3 * interval '1 millisecond'
  where notification_key = any($2::bigint[]) and claimed_by = $1::bigint
  returning notification_key as key, created_date)
update flaghoist_service.webhook_notification n
set next_attempt_date = date_trunc('second', (now() + $3 * interval '1 millisecond') at time zone 'utc'), error_message = $4,
  modified_date = flaghoist_system.utc_second()
where n."key" = any(array(select key from o)) and n.created_date >= (select min(created_date) from o) and n.created_date <= (select max(created_date) from o)`,
    values: [workerId, numberArray(keys), delayMs, 'Not sent yet, for a fault of the service itself.'],
  };
}
