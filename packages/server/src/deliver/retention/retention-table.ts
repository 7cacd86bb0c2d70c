// All SQL of retention. Days are created ahead and dropped whole. Rows that refer to a day are failed or deleted before
// the day is dropped.

import type { Statement } from '../../database/database.ts';

/** Tables with one partition per day. A day is dropped with all its rows. */
export type DayTable = 'flaghoist_service.webhook_notification' | 'flaghoist_system.notification_body';

export function makeDays(table: DayTable): Statement {
  return { text: 'select flaghoist_system.make_days($1::regclass)', values: [table] };
}

export function selectOldDay(table: DayTable, daysKept: number): Statement {
  return {
    text: `select to_char(flaghoist_system.old_day($1::regclass, $2::int), 'YYYY-MM-DD') as day`,
    values: [table, daysKept],
  };
}

export function dropDay(table: DayTable, day: string): Statement {
  return { text: 'select flaghoist_system.drop_day($1::regclass, $2::date)', values: [table, day] };
}

/**
 * Fails a batch of pending notifications that can no longer be sent, because their bodies are dropped with this day.
 * Returns one row for each.
 */
export function failWithoutBody(day: string, errorMessage: string, rowsMax: number): Statement {
  return {
    text: `with o as (
  delete from flaghoist_system.pending_notification where notification_key = any(array(
    select p.notification_key from flaghoist_system.pending_notification p
    where p.created_date < $1::date + 1 limit $3::int for update skip locked))
  returning notification_key as key, created_date, resend_job),
counted as (update flaghoist_service.resend_job j set failed = j.failed + g.count
  from (select resend_job, count(*) from o where resend_job is not null group by 1) g where j."key" = g.resend_job)
update flaghoist_service.webhook_notification n
set status = 'FAILED', is_failed = true, error_message = $2, next_attempt_date = null, modified_date = flaghoist_system.utc_second()
where n."key" = any(array(select key from o)) and n.created_date < $1::date + 1
returning 1`,
    values: [day, errorMessage, rowsMax],
  };
}

/**
 * Deletes a batch of entries of failed notifications. They have failed for good: no body is left to send again. Returns
 * one row for each.
 */
export function forgetFailed(day: string, rowsMax: number): Statement {
  return {
    text: `delete from flaghoist_system.failed_notification where ctid = any(array(
  select f.ctid from flaghoist_system.failed_notification f where f.created_date < $1::date + 1 limit $2::int))
returning 1`,
    values: [day, rowsMax],
  };
}

/** Deletes a batch of events that are older than `daysKept`, but never an unmatched one. Returns one row for each. */
export function deleteOldEvents(daysKept: number, rowsMax: number): Statement {
  return {
    text: `delete from flaghoist_system.event where id = any(array(
  select e.id from (select id, event_time from flaghoist_system.event order by id limit $2::int) e
  where e.event_time < now() - $1 * interval '1 day'
    and not exists (select from flaghoist_system.unmatched_event u where u.event_id = e.id)))
returning 1`,
    values: [daysKept, rowsMax],
  };
}
