// The SQL of the health of subscriptions: their states, counts, pending notifications and errors.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import type { State } from '../../subscriptions/state-machine.ts';

export interface HealthRow {
  key: string;
  state: State;
  is_shaping_failing: boolean;
  failing_since: string | null;
  delivered: number;
  failed: number;
  pending: number;
  oldest_pending: string | null;
  error_at: string | null;
  error_text: string | null;
  error_status: number | null;
  /** JSON: [hour since 1970, delivered, failed]. */
  hours: string;
  /** Since 1970. */
  current_hour: number;
}

export interface HealthWanted {
  /** Null: of all users. */
  userKey: number | null;
  /** Null: all. */
  keys: readonly number[] | null;
  subscriptionsMax: number;
  pendingMax: number;
}

/** Each pending notification is in one of two indexes. */
const pending = `select p.created_date from flaghoist_system.pending_notification p where p.subscription_key = s."key"
      and p.due_at`;

const time = (value: string, format = 'YYYY-MM-DD"T"HH24:MI:SS"Z"') => `to_char(${value}, '${format}')`;
const hourOf = (value: string) => `floor(extract(epoch from ${value}) / 3600)::int`;

export function selectHealth({ userKey, keys, subscriptionsMax, pendingMax }: HealthWanted): Statement {
  return {
    text: `with chosen as materialized (
  select s."key", s.state from flaghoist_service.webhook_subscription s
  where ($1::bigint is null or s."user" = $1::bigint) and ($2::bigint[] is null or s."key" = any($2::bigint[]))
  order by s.state = 'UNSUBSCRIBED', s."key" desc limit $3::int)
select s."key"::text as "key", s.state, coalesce(sh.failures >= 3, false) as is_shaping_failing,
  ${time('dh.failing_since')} as failing_since, hour.delivered, hour.failed, waiting.pending,
  ${time('waiting.oldest')} as oldest_pending,
  ${time(`e.failed_at at time zone 'utc'`, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')} as error_at, e.text as error_text,
  e.status_code as error_status, day.hours, ${hourOf('now()')} as current_hour
from chosen s
left join flaghoist_system.shaping_health sh on sh.subscription_key = s."key"
left join flaghoist_system.delivery_health dh on dh.subscription_key = s."key"
left join flaghoist_system.last_delivery_error e on e.subscription_key = s."key"
cross join lateral (
  select coalesce(sum(c.delivered), 0)::int as delivered, coalesce(sum(c.failed), 0)::int as failed
  from flaghoist_system.delivery_count c
  where c.subject_key = s."key" and c.step_minutes = 15 and c.starts_at > now() - interval '1 hour') hour
cross join lateral (
  select count(*)::int as pending, min(w.created_date) as oldest from (
    (${pending} is null limit $4::int) union all (${pending} is not null limit $4::int) limit $4::int) w) waiting
cross join lateral (
  select coalesce(json_agg(json_build_array(${hourOf('c.starts_at')}, c.delivered, c.failed)), '[]')::text as hours
  from flaghoist_system.delivery_count c
  where c.subject_key = s."key" and c.step_minutes = 60 and c.starts_at > now() - interval '24 hours') day
order by s.state = 'UNSUBSCRIBED', s."key" desc`,
    values: [userKey, keys === null ? null : numberArray(keys), subscriptionsMax, pendingMax],
  };
}
