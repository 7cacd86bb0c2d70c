// All SQL of the outbox: claims unmatched events, and looks up what else a transaction did.

import { isModelApplied } from '../database/applied-model.ts';
import type { Statement } from '../database/database.ts';

export interface EventRow {
  id: string;
  transaction_id: string;
  object_type: string;
  operation: string;
  object_key: string;
  old_row: string | null;
  new_row: string | null;
  roots_before: Record<string, number[]> | null;
  roots_after: Record<string, number[]> | null;
  user_key: string | null;
  /** `yyyy-MM-ddTHH:mm:ss.SSSSSSZ`. */
  occurred_at: string;
  /** What had been committed when the change was committed. Null: not known. */
  snapshot: string | null;
  /** Whether the transaction has changed the same row more than once. */
  is_repeated: boolean;
}

const rowColumns = { oldRow: 'e.old_row::text', newRow: 'e.new_row::text' };
export const eventColumns = columnsWith(rowColumns);

const withoutRows = columnsWith({ oldRow: 'null', newRow: 'null' });

/** For callers that read many events and no objects. */
export const eventColumnsWithoutRows = `${withoutRows}, null as snapshot, false as is_repeated`;

interface EventColumns {
  oldRow: string;
  newRow: string;
  rootsBefore?: string;
  rootsAfter?: string;
}

function columnsWith({ oldRow, newRow, rootsBefore = 'e.roots_before', rootsAfter = 'e.roots_after' }: EventColumns) {
  return `e.id::text as id, e.transaction_id::text as transaction_id, e.object_type, e.operation,
  e.object_key::text as object_key, ${oldRow} as old_row, ${newRow} as new_row, ${rootsBefore} as roots_before,
  ${rootsAfter} as roots_after, e.user_key::text as user_key,
  to_char(e.event_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at`;
}

export interface EventClaim {
  eventsMax: number;
  /** Where the scan starts. Skips lower rows that are deleted but not vacuumed yet. */
  fromId: number;
  /** The model of the claiming process. If the tables were built from another model, nothing is claimed. */
  modelDigest: string;
}

/**
 * Removes events from the queue within the transaction. COMMIT means that they are matched; if the process dies, the
 * rollback returns them to the queue.
 *
 * With `array()`, each inner select runs once and its rows are found by index. Otherwise the planner may misjudge the
 * size of tables that were empty a minute ago.
 */
export function claimEvents({ eventsMax, fromId, modelDigest }: EventClaim): Statement {
  return { text: claimText, values: [eventsMax, fromId, modelDigest] };
}

/**
 * Without a snapshot, everything is shown as it stands, and so are the hierarchies: the transaction could not see those
 * that the object joined after it began.
 */
const rootsNow = (roots: string, row: string) =>
  `case when c.snapshot is null then
    flaghoist_system.merge_roots(${roots}, flaghoist_system.current_roots(e.object_type, ${row})) else ${roots} end`;

const claimedColumns = columnsWith({
  ...rowColumns,
  rootsBefore: rootsNow('e.roots_before', 'e.old_row'),
  rootsAfter: rootsNow('e.roots_after', 'e.new_row'),
});

const claimText = `with claimed as (
  delete from flaghoist_system.unmatched_event where event_id = any(array(
    select q.event_id from flaghoist_system.unmatched_event q
    where q.event_id >= $2::bigint and (q.not_before is null or q.not_before <= now()) and ${isModelApplied('$3')}
    order by q.event_id limit $1::int for update skip locked))
  returning event_id, snapshot, is_repeated)
select ${claimedColumns}, c.snapshot::text as snapshot, c.is_repeated
from claimed c cross join lateral (select * from flaghoist_system.event e where e.id = c.event_id offset 0) e
order by e.id`;

/** Once an event is matched, only the snapshot of its statement is left, which may be a little older. */
export function selectEvents(ids: readonly number[]): Statement {
  return {
    text: `select ${eventColumns}, coalesce(u.snapshot, e.snapshot)::text as snapshot,
  (select count(*) > 1 from flaghoist_system.event o where o.object_key = e.object_key
    and o.transaction_id = e.transaction_id) as is_repeated
from flaghoist_system.event e left join flaghoist_system.unmatched_event u on u.event_id = e.id
where e.id = any($1::bigint[]) order by e.id`,
    values: [ids],
  };
}

/** The highest id so far, of any transaction. */
export function selectLastEventId(): Statement {
  return { text: "select coalesce(pg_sequence_last_value('flaghoist_system.event_id_seq'), 0)::text as id" };
}

/** The events of the running transaction after this id, in the order of its changes. */
export function selectOwnEvents(afterId: number, eventsMax: number): Statement {
  return {
    text: `with own as (
  select e.* from flaghoist_system.event e where e.id > $1::bigint and e.transaction_id = pg_current_xact_id()
    order by e.id limit $2::int)
select ${eventColumns}, e.snapshot::text as snapshot, count(*) over (partition by e.object_key) > 1 as is_repeated
from own e order by e.id`,
    values: [afterId, eventsMax],
  };
}

/**
 * Postpones a failed event with exponential backoff, up to five minutes. The exponent is bounded because `power`
 * overflows at 1,024.
 */
export function postponeEvent(id: number): Statement {
  return {
    text: `update flaghoist_system.unmatched_event
set failures = failures + 1, not_before = now() + least(power(2, least(failures, 9)), 300) * interval '1 second'
where event_id = $1::bigint`,
    values: [id],
  };
}

export interface CreatedOrDeletedRow {
  transaction_id: string;
  object_key: string;
  /** Whether a transaction of an earlier server did so. Another one of this server may have the same id. */
  is_earlier: boolean;
  last_earlier_id: string;
}

/** Returns the pairs in which the transaction created or deleted the object. */
export function selectCreatedOrDeleted(pairs: readonly { transactionId: number; key: number }[]): Statement {
  return {
    text: `select distinct wanted.transaction_id, wanted.object_key::text as object_key, e.is_earlier,
  s.last_event_id::text as last_earlier_id
from flaghoist_system.earlier_server s
cross join unnest($1::text[], $2::bigint[]) as wanted (transaction_id, object_key) cross join lateral (
  select e.id <= s.last_event_id as is_earlier from flaghoist_system.event e
  where e.object_key = wanted.object_key and e.operation in ('C', 'D')
    and e.transaction_id = wanted.transaction_id::xid8 offset 0) e`,
    values: [pairs.map(({ transactionId }) => String(transactionId)), pairs.map(({ key }) => key)],
  };
}
