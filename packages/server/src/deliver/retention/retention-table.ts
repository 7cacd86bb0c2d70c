// All SQL of retention. Days are created ahead and dropped whole. Rows that refer to a day are failed or deleted before
// the day is dropped.

import { advisoryLocks } from '../../database/advisory-locks.ts';
import type { Statement } from '../../database/database.ts';
import { failText } from '../queue/notification-state-table.ts';

/** Tables with one partition per day. A day is dropped with all its rows. */
export type DayTable =
  | 'flaghoist_service.webhook_notification'
  | 'flaghoist_system.notification_body'
  | 'flaghoist_system.notification_content';

/**
 * Days are created a week ahead, and dropped some time after they have expired. So both wait for the next round while a
 * backup reads the tables: a statement that waits for its locks would delay all that come after it.
 */
const unlessInUse = `where pg_try_advisory_xact_lock(${advisoryLocks.days})`;

export function makeDays(table: DayTable): Statement {
  return {
    text: `select flaghoist_system.create_day_partitions($1::regclass) ${unlessInUse}`,
    values: [table],
  };
}

export function selectOldDay(table: DayTable, daysKept: number): Statement {
  return {
    text: `select to_char(flaghoist_system.oldest_expired_day($1::regclass, $2::int), 'YYYY-MM-DD') as day`,
    values: [table, daysKept],
  };
}

/** No row: a backup reads the tables. */
export function dropDay(table: DayTable, day: string): Statement {
  return {
    text: `select flaghoist_system.drop_day_partition($1::regclass, $2::date) ${unlessInUse}`,
    values: [table, day],
  };
}

/**
 * Fails a batch of pending notifications that can no longer be sent, because their bodies are dropped with this day.
 * Returns one row for each. `isWaiting`: for rows that others have locked, such as a consumer of a stream.
 */
export function failWithoutBody(
  day: string,
  { errorMessage, rowsMax, isWaiting }: { errorMessage: string; rowsMax: number; isWaiting: boolean },
): Statement {
  return {
    text: failText({
      where: `p.notification_key = any(array(
    select q.notification_key from flaghoist_system.pending_notification q
    where q.created_date < $1::date + 1 limit $3::int for update ${isWaiting ? '' : 'skip locked'}))`,
      error: '$2',
      isResendable: 'false',
    }),
    values: [day, errorMessage, rowsMax],
  };
}

/** Failed notifications whose bodies are dropped with this day cannot be resent. Returns one row for each. */
export function deleteResendable(day: string, rowsMax: number): Statement {
  return {
    text: `delete from flaghoist_system.resendable_notification where ctid = any(array(
  select f.ctid from flaghoist_system.resendable_notification f where f.created_date < $1::date + 1 limit $2::int))
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
