// All SQL of old backlogs: finds subscriptions with notifications that have waited for too long, and remembers those
// that were reported.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';

export interface OldBacklogRow {
  /** 0: changes that wait to be matched. */
  key: string;
  waiting: number;
  age_seconds: number;
}

/**
 * Counts first attempts only, whether they are ready, throttled, parked or waiting for the service itself: retries have
 * a time of their own, and resends are as old as what they repeat. What waits for an earlier notification about the
 * same object counts unless the receiver is failing: the earlier one is then a retry. What waits in a stream does not
 * count: its consumer may be away, and decides when to fetch.
 *
 * Notifications that a subscription has taken over from another one are older than itself, and did not wait here.
 *
 * Reads the whole queue, which takes 200 ms for a million notifications, and is done every few seconds at most.
 */
export function selectOldBacklog(oldMs: number): Statement {
  return {
    text: `select q.key::text, q.waiting::int as waiting,
  extract(epoch from now() - greatest(q.oldest, s.created_date) at time zone 'utc')::float8 as age_seconds
from (
  select w.key, min(w.since) as oldest, count(*) as waiting from (
    select p.subscription_key as key, p.created_date as since from flaghoist_system.pending_notification p
    where p.attempts = 0 and p.leased_until is null and p.resend_job is null
      and (p.due_at is distinct from '-infinity'
      or not exists (select from flaghoist_system.delivery_health h where h.subscription_key = p.subscription_key)
        and not exists (select from flaghoist_service.webhook_subscription s
          where s."key" = p.subscription_key and s.is_streamed))
    union all
    select m.subscription_key, m.occurred_at::timestamptz at time zone 'utc' from flaghoist_system.unshaped_match m
  ) w group by w.key) q
join flaghoist_service.webhook_subscription s on s."key" = q.key and s.state = 'ACTIVE'
where greatest(q.oldest, s.created_date) < now() at time zone 'utc' - $1 * interval '1 millisecond'
union all
select '0', e.waiting::int, extract(epoch from now() - e.since)::float8
from (select count(*) as waiting,
    (select v.event_time from flaghoist_system.event v where v.id = min(u.event_id)) as since
  from (select event_id from flaghoist_system.unmatched_event order by event_id limit $2::int) u) e
where e.since < now() - $1 * interval '1 millisecond'`,
    values: [oldMs, changesCounted],
  };
}

const changesCounted = 100_000;

/** The next time that one of them is old, it is reported again. */
export function forgetOthers(keys: readonly number[]): Statement {
  return {
    text: 'delete from flaghoist_system.old_backlog where subscription_key <> all($1::bigint[])',
    values: [numberArray(keys)],
  };
}

/** Returns those that were not reported before, by any process. */
export function rememberReported(keys: readonly number[]): Statement {
  return {
    text: `insert into flaghoist_system.old_backlog (subscription_key)
select k from unnest($1::bigint[]) as k order by k on conflict do nothing returning subscription_key::text as key`,
    values: [numberArray(keys)],
  };
}
