// All SQL of the outbox: claiming events that nobody has matched yet, and looking up what happened beside a change.

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
  event_time: string;
}

export const eventColumns = columnsWith('e.old_row::text', 'e.new_row::text');

/** For those who look at many events, and at no image of a row. */
export const eventColumnsWithoutRows = columnsWith('null', 'null');

function columnsWith(oldRow: string, newRow: string): string {
  return `e.id::text as id, e.transaction_id::text as transaction_id, e.object_type, e.operation, e.object_key::text as object_key,
  ${oldRow} as old_row, ${newRow} as new_row, e.roots_before, e.roots_after, e.user_key::text as user_key,
  to_char(e.event_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS') as event_time`;
}

export interface EventClaim {
  eventsMax: number;
  /** Where to begin to look: rows below that are gone, but not yet vacuumed away, need not be walked over. */
  fromId: number;
  /** Of the process that claims: with another model than the tables have, it gets nothing. */
  modelDigest: string;
}

/**
 * Takes events out of the queue for the length of the transaction: whoever commits has matched them, and those of a process
 * that dies are there again. `array()` makes each inner select run once, and its rows be found by index, whatever the planner thinks
 * of the size of tables that were empty a minute ago.
 */
export function claimEvents({ eventsMax, fromId, modelDigest }: EventClaim): Statement {
  return { text: claimText, values: [eventsMax, fromId, modelDigest] };
}

const claimText = `with claimed as (
  delete from flaghoist_system.unmatched_event where event_id = any(array(
    select q.event_id from flaghoist_system.unmatched_event q
    where q.event_id >= $2::bigint and (q.not_before is null or q.not_before <= now()) and ${isModelApplied('$3')}
    order by q.event_id limit $1::int for update skip locked))
  returning event_id)
select ${eventColumns}
from flaghoist_system.event e where e.id = any(array(select event_id from claimed)) order by e.id`;

export function selectEvent(id: number): Statement {
  return { text: `select ${eventColumns} from flaghoist_system.event e where e.id = $1::bigint`, values: [id] };
}

/** Later, the longer the more often it has failed, up to five minutes. The exponent is bounded: `power` overflows at 1,024. */
export function postponeEvent(id: number): Statement {
  return {
    text: `update flaghoist_system.unmatched_event
set failures = failures + 1, not_before = now() + least(power(2, least(failures, 9)), 300) * interval '1 second'
where event_id = $1::bigint`,
    values: [id],
  };
}

/** Of transactions and objects, the pairs in which the object was created or deleted in the transaction. */
export function selectBegunOrEnded(pairs: readonly { transactionId: number; key: number }[]): Statement {
  return {
    text: `select distinct wanted.transaction_id, wanted.object_key::text as object_key
from unnest($1::text[], $2::bigint[]) as wanted (transaction_id, object_key) cross join lateral (
  select from flaghoist_system.event e where e.object_key = wanted.object_key and e.operation in ('C', 'D')
    and e.transaction_id = wanted.transaction_id::xid8 limit 1) e`,
    values: [pairs.map(({ transactionId }) => String(transactionId)), pairs.map(({ key }) => key)],
  };
}
