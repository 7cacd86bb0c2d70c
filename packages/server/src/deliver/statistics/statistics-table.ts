// All SQL of the counts: adds what has happened lately, reads them, and deletes old ones.

import { advisoryLocks } from '../../database/advisory-locks.ts';
import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import type { SubscriptionError } from './activity-table.ts';

/** How long an activity is left for the live feed. */
const activitySeconds = 3;

export interface ActivityRow {
  /** Since 1970. */
  minute: number;
  /** JSON. */
  subscription_keys: string;
  codes: string;
  change_minutes: string;
  change_counts: string;
  errors: string | null;
}

/**
 * Deletes a batch of activities and returns them: they are counted in this transaction. One process does it at a time;
 * for the others, nothing is left. A time in the future is that of a clock that was set back.
 */
export function takeActivity(rowsMax: number): Statement {
  const json = (column: string) => `array_to_json(${column})::text as ${column}`;
  return {
    text: `with turn as materialized (select pg_try_advisory_xact_lock($2) as is_ours)
delete from flaghoist_system.activity where id = any(array(
  select a.id from flaghoist_system.activity a where (select is_ours from turn)
    and (a.recorded_at < now() - ${activitySeconds} * interval '1 second' or a.recorded_at > now() + interval '1 minute')
  order by a.id limit $1::int))
returning floor(extract(epoch from recorded_at) / 60)::int as minute, ${json('subscription_keys')}, ${json('codes')},
  ${json('change_minutes')}, ${json('change_counts')}, errors::text as errors`,
    values: [rowsMax, advisoryLocks.statistics],
  };
}

export interface UserOfSubscription {
  key: string;
  user: string;
}

export function selectUsers(subscriptionKeys: readonly number[]): Statement {
  return {
    text: `select s."key"::text as "key", s."user"::text as "user" from flaghoist_service.webhook_subscription s
where s."key" = any($1::bigint[])`,
    values: [numberArray(subscriptionKeys)],
  };
}

/** What happened to the notifications of a subject in one step. */
export interface Counts {
  changes: number;
  created: number;
  delivered: number;
  retried: number;
  failed: number;
  latencies: readonly number[];
}

export interface StepCounts extends Counts {
  subject: number;
  stepMinutes: number;
  /** Since 1970. */
  minute: number;
}

export function addToCounts(counts: readonly StepCounts[]): Statement {
  const sum = (column: string) => `${column} = c.${column} + excluded.${column}`;
  return {
    text: `insert into flaghoist_system.delivery_count as c (subject_key, step_minutes, starts_at, changes, created,
  delivered, retried, failed, latencies)
select r.subject, r."stepMinutes", to_timestamp(r.minute * 60.0), r.changes, r.created, r.delivered, r.retried, r.failed,
  r.latencies
from jsonb_to_recordset($1::jsonb) as r (subject bigint, "stepMinutes" smallint, minute int, changes int, created int,
  delivered int, retried int, failed int, latencies int[])
order by 1, 2, 3
on conflict (subject_key, step_minutes, starts_at) do update set ${sum('changes')}, ${sum('created')},
  ${sum('delivered')}, ${sum('retried')}, ${sum('failed')},
  latencies = flaghoist_system.add_counts(c.latencies, excluded.latencies)`,
    values: [JSON.stringify(counts)],
  };
}

export function keepErrors(errors: readonly SubscriptionError[]): Statement {
  return {
    text: `insert into flaghoist_system.last_delivery_error as e (subscription_key, failed_at, text, status_code)
select r.subscription, r.at, r.text, r.status
from jsonb_to_recordset($1::jsonb) as r (subscription bigint, at timestamptz, text text, status int) order by 1
on conflict (subscription_key) do update
set failed_at = excluded.failed_at, text = excluded.text, status_code = excluded.status_code
where e.failed_at <= excluded.failed_at`,
    values: [JSON.stringify(errors)],
  };
}

export interface CountsRow extends Omit<Counts, 'latencies'> {
  minute: number;
  /** JSON. */
  latencies: string;
}

const countColumns = `floor(extract(epoch from c.starts_at) / 60)::int as minute, c.changes, c.created, c.delivered,
  c.retried, c.failed, array_to_json(c.latencies)::text as latencies`;

/** The last `points` steps of a subject, oldest first. The last one is the current one. */
export function selectCounts(subjectKey: number, stepMinutes: number, points: number): Statement {
  return {
    text: `select ${countColumns} from flaghoist_system.delivery_count c
where c.subject_key = $1::bigint and c.step_minutes = $2::smallint
  and c.starts_at > now() - $3::int * interval '1 minute' order by c.starts_at`,
    values: [subjectKey, stepMinutes, stepMinutes * points],
  };
}

export function selectMinute(): Statement {
  return { text: 'select floor(extract(epoch from now()) / 60)::int as minute', values: [] };
}

/** Deletes a batch of counts that no statistics show any more. Returns one row for each. */
export function deleteOldCounts(stepMinutes: number, keptMinutes: number, rowsMax: number): Statement {
  return {
    text: `delete from flaghoist_system.delivery_count where ctid = any(array(
  select c.ctid from flaghoist_system.delivery_count c
  where c.step_minutes = $1::smallint and c.starts_at < now() - $2::int * interval '1 minute' limit $3::int))
returning 1`,
    values: [stepMinutes, keptMinutes, rowsMax],
  };
}

export function deleteOldErrors(keptMinutes: number, rowsMax: number): Statement {
  return {
    text: `delete from flaghoist_system.last_delivery_error where ctid = any(array(
  select e.ctid from flaghoist_system.last_delivery_error e
  where e.failed_at < now() - $1::int * interval '1 minute' limit $2::int))
returning 1`,
    values: [keptMinutes, rowsMax],
  };
}
