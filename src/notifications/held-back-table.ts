// All SQL of why subscriptions were held back by what they evaluate.

import type { Statement } from '../database/database.ts';

export type HeldBackReason = 'EXPRESSION_FALSE' | 'EXPRESSION_ERROR' | 'SCRIPT_FALSE' | 'SCRIPT_ERROR';

/** Where very many subscriptions of a user hold an event back, only the first of them are told why. */
export const heldBackMax = 1_000;

export interface HeldBackRow {
  eventId: number;
  subscriptionKey: number;
  objectKey: number;
  reason: HeldBackReason;
  message: string | null;
}

export function insertHeldBack(rows: readonly HeldBackRow[]): Statement {
  return {
    text: `insert into flaghoist_system.held_back (event_id, subscription_key, object_key, reason, message)
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

/** What scripts have written, one text for each decision. */
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

/** The same as of what was held back. */
export function deleteOldScriptLogs(eventsKept: number): Statement {
  return {
    text: `delete from flaghoist_system.script_log where ctid = any(array(
  select h.ctid from flaghoist_system.script_log h
  where h.event_id < (select max(id) from flaghoist_system.event) - $1::bigint order by h.event_id limit 10000))
returning 1`,
    values: [eventsKept],
  };
}

/** Those of older events than the last `eventsKept`, a few at a time. */
export function deleteOldHeldBack(eventsKept: number): Statement {
  return {
    text: `delete from flaghoist_system.held_back where ctid = any(array(
  select h.ctid from flaghoist_system.held_back h
  where h.event_id < (select max(id) from flaghoist_system.event) - $1::bigint order by h.event_id limit 10000))
returning 1`,
    values: [eventsKept],
  };
}
