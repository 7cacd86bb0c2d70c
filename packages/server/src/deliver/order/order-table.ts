// All SQL of ordered subscriptions: finds the first notification about each object, and makes it ready when nothing
// earlier can follow.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import { bodyReaders, bytesOfBody, selectContentOnce } from '../queue/content-table.ts';
import { isNotDead } from '../workers/worker-table.ts';

/** An object of a subscription whose notifications are sent in order. */
export interface OrderedObject {
  readonly subscriptionKey: number;
  readonly orderedObject: number;
}

/** How many unmatched events a statement examines. Notifications of later events wait for the next statement. */
const eventsMax = 10_000;

export interface HeadRow {
  subscription_key: string;
  ordered_object: string;
  is_promoted: boolean;
  is_streamed: boolean;
}

/**
 * Makes the heads of these objects ready. The head is the first pending notification about an object, and there is one
 * more for its resends. Returns the blocked heads; one that is not promoted is to be tried again.
 *
 * A head must not leave while an earlier event can still become a notification: while the event is unmatched or being
 * matched, while its match is unshaped, or while a subscription that was replaced still hands over what it has failed
 * to send. One statement reads one snapshot, and each of these steps is one transaction. So the snapshot shows an
 * earlier event either before such a step or with its notification, never in between: the claim of a matcher deletes
 * the row of the event, but the row stays visible until the matcher commits. Earlier events are never committed later
 * (`queue_events`), so a head stays the head.
 *
 * A resend of one subscription is sent when all of it is taken up, because it is not taken up in order. A replay may be
 * too large for that.
 */
export function promoteHeads(objects: readonly OrderedObject[]): Statement {
  return {
    text: promoteText,
    values: [
      numberArray(objects.map(({ subscriptionKey }) => subscriptionKey)),
      numberArray(objects.map(({ orderedObject }) => orderedObject)),
      eventsMax,
    ],
  };
}

/**
 * `rows`: a named query with the columns `sequence` and `is_repeat`. The events before them that are not matched, and
 * the first of each object. An object of JSON, because a join would compare each row with every event: queues have no
 * other plan for it.
 */
const earlierEvents = (rows: string, most: string) => `unmatched as materialized (
  select u.event_id from flaghoist_system.unmatched_event u
  where u.event_id < (select max(sequence) from ${rows} where not is_repeat) order by u.event_id limit ${most}::int),
unsettled as materialized (
  select jsonb_object_agg(f.key, f.id) filter (where f.key is not null) as first_ids from (
    select h.key, min(u.event_id) as id from unmatched u
    cross join lateral (select * from flaghoist_system.event e where e.id = u.event_id offset 0) e
    cross join lateral unnest(flaghoist_system.hierarchies(e.object_key, e.roots_before, e.roots_after)) as h (key)
    group by 1) f)`;

/** Whether no event before the row `h` can become a notification about its object any more. */
const isSettled = (most: string) => `(
      not coalesce(((select first_ids from unsettled) ->> h.ordered_object::text)::bigint < h.sequence, false)
      and ((select count(*) from unmatched) < ${most}::int or h.sequence <= (select max(event_id) from unmatched))
      and not exists (select from flaghoist_system.unshaped_match m
        where m.is_ordered and m.subscription_key = h.subscription_key and m.subscribed_object_key = h.ordered_object
          and m.event_id < h.sequence))`;

/** No `=`: an index of due dates would offer itself, and the planner may assume that it has only a few blocked ones. */
const isBlocked = (row: string) =>
  `${row}.due_at is not distinct from '-infinity' and ${row}.claimed_by is null and ${row}.leased_until is null`;

const promoteText = `with object as materialized (
  select * from unnest($1::bigint[], $2::bigint[]) as o (subscription_key, ordered_object)),
head as materialized (
  select h.* from object o cross join (values (false), (true)) as c (is_repeat) cross join lateral (
    select p.notification_key, p.subscription_key, p.ordered_object, p.is_repeat, p.sequence, p.due_at,
      p.claimed_by, p.leased_until
    from flaghoist_system.pending_notification p
    where p.subscription_key = o.subscription_key and p.ordered_object = o.ordered_object and p.is_repeat = c.is_repeat
    order by p.sequence limit 1) h
  where ${isBlocked('h')}),
${earlierEvents('head', '$3')},
judged as materialized (
  select h.*, coalesce((select s.is_streamed from flaghoist_service.webhook_subscription s
      where s."key" = h.subscription_key), false) as is_streamed, (h.is_repeat or ${isSettled('$3')})
    and not exists (select from flaghoist_system.resend_progress g
      join flaghoist_service.resend_job j on j."key" = g.job_key
      where j.subscription = h.subscription_key and not g.is_moved and j.kind <> 'REPLAY'
        and (j.replaced_subscription is null) = h.is_repeat) as is_settled
  from head h),
promoted as (
  update flaghoist_system.pending_notification
  set due_at = case when notification_key = any(array(select notification_key from judged where is_streamed))
      then due_at end,
    leased_until = case when notification_key = any(array(select notification_key from judged where is_streamed))
      then '-infinity'::timestamptz end
  where notification_key = any(array(
    select p.notification_key from flaghoist_system.pending_notification p
    where p.notification_key = any(array(select notification_key from judged where is_settled))
      and ${isBlocked('p')} for update skip locked))
  returning notification_key)
select subscription_key::text, ordered_object::text, is_streamed,
  notification_key in (select notification_key from promoted) as is_promoted
from judged`;

export interface FollowerClaim {
  workerId: number;
  /** Notifications that the worker has claimed. */
  heads: readonly number[];
  /** After each head. */
  followersMax: number;
  /** Of all their bodies. */
  bytesMax: number;
}

/**
 * Claims the notifications that follow these heads, so that the worker can send them one after the other without asking
 * again. They stay blocked: if the claim is released, they wait for a promotion. Only an unbroken run is claimed, and
 * only up to the first event that is not settled. If not all fit into `bytesMax`, each head gets about as many as the
 * others. Returns them in order, with their bodies, up to the first that could not be claimed.
 *
 * Bodies are read at the end: sorted and stored with the rows before, they would be written to temporary files. A join
 * with `claimed` would compare each row with every other.
 */
export function claimFollowers({ workerId, heads, followersMax, bytesMax }: FollowerClaim): Statement {
  return {
    text: followText,
    values: [workerId, numberArray(heads), eventsMax, followersMax, bytesMax],
    readers: new Map(bodyReaders),
  };
}

/** `row`: has the columns `notification_key` and `created_date`. */
const selectBody = (row: string, columns: string) => `
    select ${columns} from flaghoist_system.notification_body b
    where b.notification_key = ${row}.notification_key and b.created_date = ${row}.created_date offset 0`;

const followText = `with head as materialized (
  select p.notification_key, p.subscription_key, p.ordered_object, p.sequence
  from flaghoist_system.pending_notification p
  where p.notification_key = any($2::bigint[]) and p.claimed_by = $1::bigint and not p.is_repeat),
worker as materialized (select id from flaghoist_system.delivery_worker where id = $1::bigint
  and ${isNotDead} for key share),
follower as materialized (
  select h.notification_key as head_key, f.* from head h cross join lateral (
    select p.notification_key, p.created_date, p.subscription_key, p.ordered_object, p.sequence, p.is_repeat,
      p.attempts, p.resend_job, row_number() over (order by p.sequence) as position,
      bool_and(${isBlocked('p')}) over (order by p.sequence) as is_unbroken
    from (select * from flaghoist_system.pending_notification p
      where p.subscription_key = h.subscription_key and p.ordered_object = h.ordered_object and p.is_repeat = false
        and p.sequence > h.sequence
      order by p.sequence limit $4::int) p) f),
${earlierEvents('follower', '$3')},
sized as materialized (
  select h.*, b.content_key, sum(b.bytes) over (order by h.position, h.head_key) as upto
  from follower h cross join lateral (${selectBody('h', `b.content_key, ${bytesOfBody('b')} as bytes`)}) b
  where h.is_unbroken and ${isSettled('$3')}),
claimed as (
  update flaghoist_system.pending_notification p set claimed_by = (select id from worker)
  where exists (select from worker) and p.notification_key = any(array(
    select q.notification_key from flaghoist_system.pending_notification q
    where q.notification_key = any(array(select notification_key from sized where upto <= $5::bigint))
      and ${isBlocked('q')} for update skip locked))
  returning p.notification_key),
sent as materialized (
  select s.* from (
    select s.*, bool_and(
        case when s.notification_key in (select notification_key from claimed) then true else false end)
      over (partition by s.head_key order by s.sequence) as is_claimed
    from sized s) s
  where s.is_claimed)
select s.head_key::text, s.notification_key::text as key, s.created_date::text as created_date,
  s.subscription_key::text as subscription_key, s.attempts, s.resend_job::text as resend_job, null as replay_of,
  s.ordered_object::text as ordered_object, b.head, b.subject, b.body, s.content_key,
  ${selectContentOnce('s', 'sent')} as content
from sent s cross join lateral (${selectBody('s', 'b.head, b.subject, b.body')}) b
order by s.head_key, s.sequence`;

/** The next objects that have pending notifications, blocked or not. Steps from object to object in the index. */
export function selectOrderedObjects({ subscriptionKey, orderedObject }: OrderedObject, objectsMax: number): Statement {
  return {
    text: `with recursive step as (
  select $1::bigint as subscription_key, $2::bigint as ordered_object, 0 as steps
  union all
  select n.subscription_key, n.ordered_object, s.steps + 1 from step s cross join lateral (
    select p.subscription_key, p.ordered_object from flaghoist_system.pending_notification p
    where p.ordered_object is not null
      and (p.subscription_key, p.ordered_object) > (s.subscription_key, s.ordered_object)
    order by p.subscription_key, p.ordered_object limit 1) n
  where s.steps < $3::int)
select subscription_key::text, ordered_object::text from step where steps > 0 order by steps`,
    values: [subscriptionKey, orderedObject, objectsMax],
  };
}
