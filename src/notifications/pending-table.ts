// All SQL of what is to be sent: claiming what is ready, lane by lane, waking what has waited long enough, giving back what was
// claimed and not tried.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { keepBytes } from '../database/keep-bytes.ts';
import type { Readers, ReadValue } from '../database/statement-batch.ts';
import type { MessageHead } from './message-head.ts';
import { isNotDead } from './worker-table.ts';

/** Where a claim has ended: whether there are no lanes after these, and the last of these. */
export interface ClaimEnd {
  is_end: boolean;
  last_lane: string;
}

export interface ClaimedRow {
  key: string;
  created_date: string;
  subscription_key: string;
  attempts: number;
  resend_job: string | null;
}

export interface MessageRow {
  key: string;
  /** Null where an earlier version has made it: it stands in the log. */
  head: string | null;
  subject: string | null;
  /** Null where it is too much for now. */
  body: Buffer | null;
}

export interface ClaimAnswer {
  end: ClaimEnd;
  claimed: ClaimedRow[];
  /** Of those whose bodies are kept. */
  messages: MessageRow[];
}

/** All three come as rows of one statement, in this order, with the columns of the others empty. */
export function splitClaim([end, ...rows]: readonly unknown[]): ClaimAnswer {
  const isClaimed = (row: unknown) => (row as Partial<ClaimedRow>).created_date !== null;
  return {
    end: end as ClaimEnd,
    claimed: rows.filter(isClaimed) as ClaimedRow[],
    messages: rows.filter((row) => !isClaimed(row)) as MessageRow[],
  };
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
 * once, whatever plan is chosen. The messages come along: a busy process is slow to hear the answer of a second statement. Each in a row
 * of its own, since a join and casts of so many columns cost the server as much as the claim itself; and day by day, since each day is a table.
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
    readers: claimReaders,
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
worker as materialized (select id from flaghoist_system.delivery_worker where id = $1::bigint and ${isNotDead} for key share),
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
select bool_or(lane is null) as is_end, (select max(lane) from walked) as last_lane, null::bigint as key, null::timestamp as created_date,
  null::bigint as subscription_key, null::smallint as attempts, null::bigint as resend_job, null as head, null as subject, null as body from step
union all
select null, null, notification_key, created_date, subscription_key, attempts, resend_job, null, null, null from claimed
union all
select null, null, m.notification_key, null, null, null, null, m.head, m.subject,
  case when m.upto <= $7::bigint or m.upto = octet_length(m.body) then m.body end
from (
  select b.*, sum(octet_length(b.body)) over (rows unbounded preceding) as upto
  from (select created_date::date::timestamp as day, array_agg(notification_key) as keys from claimed group by 1 order by 1) d
  cross join lateral (
    select b.notification_key, b.head, b.subject, b.body from flaghoist_system.notification_body b
    where b.notification_key = any(d.keys) and b.created_date >= d.day and b.created_date < d.day + interval '1 day') b) m`;

/** Bodies stay bytes, and never become strings; of a time the driver would make one of this place. */
const claimReaders: Readers = new Map<string, ReadValue>([
  ['created_date', (bytes, begin, end) => bytes.toString('utf8', begin, end)],
  ['body', keepBytes],
]);

/** A message, without its body. */
export interface HeadRow {
  key: string;
  id: string;
  object_type: string;
  object_key: string;
  event_type: MessageHead['eventType'];
  subscribed_object_key: string;
  event_time: string;
  content_type: string;
}

/** What the log says of them. */
export function selectHeads(keys: readonly number[], from: string, to: string): Statement {
  return {
    text: `select n."key", n.id, n.object_type, n.object_key, n.event_type, n.subscribed_object_key,
  to_char(n.event_time, 'YYYY-MM-DD"T"HH24:MI:SS') as event_time, coalesce(n.content_type, 'application/json') as content_type
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
