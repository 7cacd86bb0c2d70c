// All SQL of unshaped matches, which need a script or a stylesheet before they can be sent. They are inserted, claimed
// lane by lane with a lease, released, and deleted when they are done.

import { isModelApplied } from '../database/applied-model.ts';
import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import type { Operation } from '../events/change-event.ts';

/** A match that is still to be shaped. */
export interface UnshapedMatch {
  readonly key: number;
  readonly eventId: number;
  readonly subscriptionKey: number;
  readonly userKey: number;
  readonly objectType: string;
  readonly objectKey: number;
  readonly eventType: Operation;
  readonly subscribedObjectKey: number;
  /** `yyyy-MM-ddTHH:mm:ss.SSSSSSZ` */
  readonly occurredAt: string;
  /** Numbers of texts of the same event: null if none is needed, 0 if it would be too large. */
  readonly shownNo: number | null;
  readonly svcObjectNo: number | null;
  readonly oldSvcObjectNo: number | null;
  readonly changesNo: number | null;
  readonly bytes: number;
  /** Why the notification will not be sent, however it is shaped. */
  readonly errorMessage: string | null;
  /** Whether the subscription is ordered. */
  readonly isOrdered: boolean;
  /** Whether it is streamed. */
  readonly isStreamed: boolean;
}

export interface ObjectText {
  readonly eventId: number;
  readonly no: number;
  readonly text: string;
}

const columns: readonly [column: string, type: 'bigint' | 'int' | 'text' | 'boolean', member: keyof UnshapedMatch][] = [
  ['notification_key', 'bigint', 'key'],
  ['event_id', 'bigint', 'eventId'],
  ['subscription_key', 'bigint', 'subscriptionKey'],
  ['user_key', 'bigint', 'userKey'],
  ['object_type', 'text', 'objectType'],
  ['object_key', 'bigint', 'objectKey'],
  ['event_type', 'text', 'eventType'],
  ['subscribed_object_key', 'bigint', 'subscribedObjectKey'],
  ['occurred_at', 'text', 'occurredAt'],
  ['shown_no', 'int', 'shownNo'],
  ['svc_object_no', 'int', 'svcObjectNo'],
  ['old_svc_object_no', 'int', 'oldSvcObjectNo'],
  ['changes_no', 'int', 'changesNo'],
  ['bytes', 'int', 'bytes'],
  ['error_message', 'text', 'errorMessage'],
  ['is_ordered', 'boolean', 'isOrdered'],
  ['is_streamed', 'boolean', 'isStreamed'],
];
const columnNames = columns.map(([column]) => column).join(', ');

/** The lane is the subscription: each has its own. */
export function insertUnshaped(matches: readonly UnshapedMatch[]): Statement {
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  return {
    text: `insert into flaghoist_system.unshaped_match (lane, ${columnNames})
select subscription_key, m.* from unnest(${arrays}) as m (${columnNames})`,
    values: columns.map(([, type, member]) =>
      type === 'text'
        ? textArray(matches.map((match) => match[member] as string | null))
        : `{${matches.map((match) => match[member] ?? 'null').join(',')}}`,
    ),
  };
}

export function insertObjectTexts(texts: readonly ObjectText[]): Statement {
  return {
    text: `insert into flaghoist_system.unshaped_object (event_id, no, text)
select * from unnest($1::bigint[], $2::int[], $3::text[])`,
    values: [
      numberArray(texts.map(({ eventId }) => eventId)),
      numberArray(texts.map(({ no }) => no)),
      textArray(texts.map(({ text }) => text)),
    ],
  };
}

/** The next lanes that have matches, with their users. Steps from lane to lane in the index, as `claimPending` does. */
export function selectUnshapedLanes(afterLane: number, lanesMax: number): Statement {
  return {
    text: `with recursive step as (
  select $1::bigint as lane, null::bigint as user_key, 0 as steps
  union all
  select n.lane, n.user_key, s.steps + 1 from step s cross join lateral (
    select p.lane, p.user_key from flaghoist_system.unshaped_match p where p.lane > s.lane order by p.lane limit 1) n
  where s.steps < $2::int)
select lane::text, user_key::text from step where steps > 0 order by steps`,
    values: [afterLane, lanesMax],
  };
}

export interface UnshapedClaim {
  /** The lanes, and how many matches of each to claim at most. */
  capacities: ReadonlyMap<number, number>;
  rowsMax: number;
  leaseMs: number;
  /** Of the claiming process. If its model differs from that of the tables, it gets nothing. */
  modelDigest: string;
}

export interface ClaimedMatch extends UnshapedMatch {
  /** The number of the claim, the same for all its matches. */
  readonly claim: number;
}

const claimedColumns = columns
  .map(([column, type, member]) => `${column}${type === 'bigint' ? '::float8' : ''} as "${member}"`)
  .join(', ');

/** Claims some matches of each lane. The driver reads a bigint as text and a float8, exact for any key, as a number. */
export function claimUnshaped({ capacities, rowsMax, leaseMs, modelDigest }: UnshapedClaim): Statement {
  return {
    text: `with lane as materialized (select * from unnest($1::bigint[], $2::int[]) as l (lane, capacity)),
claimed as (
  update flaghoist_system.unshaped_match
  set claim = pg_current_xact_id()::text::bigint, claimed_until = now() + $4 * interval '1 millisecond'
  where notification_key = any(array(
    select r.notification_key from lane l cross join lateral (
      select p.notification_key from flaghoist_system.unshaped_match p
      where p.lane = l.lane and (p.claimed_until is null or p.claimed_until < now()) and ${isModelApplied('$5')}
      order by p.notification_key
      limit least(l.capacity, greatest(4, $3::int / greatest(1, (select count(*) from lane))))
      for update skip locked) r))
  returning *)
select claim::float8, ${claimedColumns}
from claimed`,
    values: [numberArray([...capacities.keys()]), numberArray([...capacities.values()]), rowsMax, leaseMs, modelDigest],
  };
}

export function selectObjectTexts(wanted: readonly Omit<ObjectText, 'text'>[]): Statement {
  return {
    text: `select w.event_id::text as event_id, w.no, o.text
from unnest($1::bigint[], $2::int[]) as w (event_id, no) cross join lateral (
  select o.text from flaghoist_system.unshaped_object o where o.event_id = w.event_id and o.no = w.no) o`,
    values: [numberArray(wanted.map(({ eventId }) => eventId)), numberArray(wanted.map(({ no }) => no))],
  };
}

/** Releases the claim, so that any process can claim the matches at once. */
export function releaseUnshaped(keys: readonly number[], claim: number): Statement {
  return {
    text: `update flaghoist_system.unshaped_match set claimed_until = null
where notification_key = any($1::bigint[]) and claim = $2::bigint`,
    values: [numberArray(keys), claim],
  };
}

/** After a restore: no process of the backup is one of this installation. */
export function releaseAllClaims(): Statement {
  return {
    text: `update flaghoist_system.unshaped_match set claim = null, claimed_until = null
where claimed_until is not null`,
    values: [],
  };
}

/** Returns those that this claim still owned. */
export function takeOutUnshaped(keys: readonly number[], claim: number): Statement {
  return {
    text: `delete from flaghoist_system.unshaped_match where notification_key = any($1::bigint[]) and claim = $2::bigint
returning notification_key::text as key`,
    values: [numberArray(keys), claim],
  };
}

/**
 * Deletes texts that no match needs any more. Two transactions that end at the same moment may each see the matches of
 * the other. `deleteLeftTexts` deletes what they leave.
 */
export function deleteObjectTexts(eventIds: readonly number[]): Statement {
  return {
    text: `delete from flaghoist_system.unshaped_object where event_id = any(array(
  select e from unnest($1::bigint[]) as e
  where not exists (select from flaghoist_system.unshaped_match p where p.event_id = e)))`,
    values: [numberArray(eventIds)],
  };
}

/**
 * Deletes leftover texts: those of events older than the event of every match. Texts are inserted in the transaction of
 * their matches, so no match can need these. The scan reads only rows that it deletes, and none that are still needed.
 */
export function deleteLeftTexts(): Statement {
  return {
    text: `delete from flaghoist_system.unshaped_object where ctid = any(array(
  select o.ctid from flaghoist_system.unshaped_object o
  where o.event_id < coalesce(
    (select p.event_id from flaghoist_system.unshaped_match p order by p.event_id limit 1), 9223372036854775807)
  order by o.event_id, o.no limit 1000))
returning 1`,
    values: [],
  };
}
