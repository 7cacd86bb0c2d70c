// All SQL of suppressed matches: what suppressed them, and what scripts logged.

import type { Statement } from '../database/database.ts';

export type SuppressedReason =
  | 'OBJECT_DELETED'
  | 'EXPRESSION_FALSE'
  | 'EXPRESSION_ERROR'
  | 'SCRIPT_FALSE'
  | 'SCRIPT_ERROR';

/** At most this many suppressed matches per event and user have their reason recorded. */
export const suppressedMax = 1_000;

export interface SuppressedRow {
  eventId: number;
  subscriptionKey: number;
  objectKey: number;
  reason: SuppressedReason;
  message: string | null;
}

export function insertSuppressed(rows: readonly SuppressedRow[]): Statement {
  return {
    text: `insert into flaghoist_system.suppressed_match (event_id, subscription_key, object_key, reason, message)
select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])`,
    values: [
      rows.map(({ eventId }) => eventId),
      rows.map(({ subscriptionKey }) => subscriptionKey),
      rows.map(({ objectKey }) => objectKey),
      rows.map(({ reason }) => reason),
      rows.map(({ message }) => message),
    ],
  };
}

/** What a script logged, one text per decision. */
export interface ScriptLogRow {
  eventId: number;
  subscriptionKey: number;
  objectKey: number;
  log: string;
}

export function insertScriptLogs(rows: readonly ScriptLogRow[]): Statement {
  return {
    text: `insert into flaghoist_system.script_log (event_id, subscription_key, object_key, log)
select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])`,
    values: [
      rows.map(({ eventId }) => eventId),
      rows.map(({ subscriptionKey }) => subscriptionKey),
      rows.map(({ objectKey }) => objectKey),
      rows.map(({ log }) => log),
    ],
  };
}

export function deleteOldScriptLogs(eventsKept: number): Statement {
  return deleteOld('script_log', eventsKept);
}

export function deleteOldSuppressed(eventsKept: number): Statement {
  return deleteOld('suppressed_match', eventsKept);
}

/** Deletes the rows of events older than the last `eventsKept`, a few at a time. */
function deleteOld(table: 'script_log' | 'suppressed_match', eventsKept: number): Statement {
  return {
    text: `delete from flaghoist_system.${table} where ctid = any(array(
  select h.ctid from flaghoist_system.${table} h
  where h.event_id < (select max(id) from flaghoist_system.event) - $1::bigint order by h.event_id limit 10000))
returning 1`,
    values: [eventsKept],
  };
}
