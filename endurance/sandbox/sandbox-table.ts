// All SQL of the sandbox endurance: the remaining work, and the result of every change for every subscription.

import { onDatabase } from '../../bench/rest/fleet-table.ts';

/** Rows that are not matched, shaped or sent yet. */
export async function countLeft(url: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ left: number }>(`select (select count(*) from flaghoist_system.unmatched_event)::int
      + (select count(*) from flaghoist_system.unshaped_match)::int
      + (select count(*) from flaghoist_system.pending_notification)::int as left`),
  );
  return rows[0]!.left;
}

/** Of one subscription. */
export interface Account {
  subscription: number;
  /** Events of its voyages. */
  due: number;
  delivered: number;
  /** With a reason. */
  failed: number;
  suppressed: number;
  scriptFailed: number;
  /** Notifications in any other state. */
  other: number;
  /** Events without a result; events with more than one. */
  missing: number;
  double: number;
}

/** The expected events are derived from the rows alone. */
export async function selectAccounts(url: string, afterEventId: number): Promise<Account[]> {
  const { rows } = await onDatabase(url, (client) => client.query<Account>(selectAccountsText, [afterEventId]));
  return rows;
}

const selectAccountsText = `
with pair as materialized (
  select e.id as event, s.key as subscription
  from flaghoist_system.event e join flaghoist_service.webhook_subscription s
    on s.object_type = e.object_type and s.operation = e.operation and (s.object_key is null
      or s.object_key = e.object_key)
  where e.id > $1
), come as materialized (
  select split_part(id, '-', 1)::bigint as event, subscription,
    case when status = 'DELIVERED' then 'delivered' when status = 'FAILED' and error_message <> '' then 'failed'
      else 'other' end as what
  from flaghoist_service.webhook_notification
  union all
  select event_id, subscription_key, case reason when 'SCRIPT_FALSE' then 'suppressed'
    when 'SCRIPT_ERROR' then 'scriptFailed' else 'other' end
  from flaghoist_system.suppressed_match
), counted as materialized (
  select event, subscription, count(what) as count, min(what) as what from pair left
    join come using (event, subscription) group by 1, 2
)
select subscription::int as "subscription", count(*)::int as "due",
  ${['delivered', 'failed', 'suppressed', 'scriptFailed', 'other']
    .map((what) => `(count(*) filter (where what = '${what}'))::int as "${what}"`)
    .join(', ')},
  (count(*) filter (where count = 0))::int as "missing", (count(*) filter (where count > 1))::int as "double"
from counted group by 1`;
