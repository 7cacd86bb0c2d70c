// All SQL of parked notifications: pending, but not to be sent while their user is inactive. They are kept apart from
// ready ones, so that a claim never reads them.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';

export function park(workerId: number, keys: readonly number[]): Statement {
  return {
    text: `update flaghoist_system.pending_notification set claimed_by = null, due_at = 'infinity'
where notification_key = any($2::bigint[]) and claimed_by = $1::bigint`,
    values: [workerId, numberArray(keys)],
  };
}

export interface UnparkedRow {
  /** How many lanes were examined, and the last of them. */
  lanes: number;
  last_lane: string;
  woken: number;
}

/** In the next lanes with waiting notifications, makes parked ones ready again if their user is active. */
export function unpark(afterLane: number, lanesMax: number, rowsMax: number): Statement {
  return {
    text: `with recursive step as (
  select $1::bigint as lane, 0 as steps
  union all
  select (select p.subscription_key from flaghoist_system.pending_notification p
    where p.due_at is not null and p.subscription_key > s.lane order by p.subscription_key limit 1), s.steps + 1
  from step s where s.lane is not null and s.steps < $2::int),
lane as materialized (
  select step.lane from step join flaghoist_service.webhook_subscription s on s."key" = step.lane
  join flaghoist_service.api_user u on u."key" = s."user" and u.active where step.steps > 0),
woken as (
  update flaghoist_system.pending_notification set due_at = null where notification_key = any(array(
    select r.notification_key from lane l cross join lateral (
      select p.notification_key from flaghoist_system.pending_notification p
      where p.subscription_key = l.lane and p.due_at = 'infinity' limit $3::int for update skip locked) r
    limit $3::int))
  returning 1)
select count(*) filter (where steps > 0 and lane is not null)::int as lanes, max(lane)::text as last_lane,
  (select count(*) from woken)::int as woken
from step`,
    values: [afterLane, lanesMax, rowsMax],
  };
}
