// All SQL of the sandbox benchmark: changes of voyages, and whether each has exactly one result per subscription.

import { inBulk } from '../matching/matching-table.ts';
import { onDatabase } from '../rest/fleet-table.ts';

/** Changes each voyage once, in one transaction, so that a running worker finds all events at once. */
export async function changeVoyages(url: string, keys: readonly number[], mark: string): Promise<void> {
  await onDatabase(url, (client) =>
    client.query('update flaghoist.voyage set comments = $2::text where key = any($1::bigint[])', [keys, mark]),
  );
}

export interface Decided {
  events: number;
  /** Pairs of an event and a subscription for it. */
  pairs: number;
  notifications: number;
  suppressed: number;
  /** Pairs with neither a notification nor a record of why there is none. */
  missing: number;
  /** Pairs with more than one of them. */
  double: number;
  /** Neither matched nor shaped. */
  left: number;
}

/** Of events of voyages after the given one. The expected pairs are derived from the rows alone. */
export async function selectDecided(url: string, afterEventId: number): Promise<Decided> {
  const { rows } = await onDatabase(url, (client) => client.query<Decided>(selectDecidedText, [afterEventId]));
  return rows[0]!;
}

const selectDecidedText = `
with pair as materialized (
  select e.id as event, s.key as subscription
  from flaghoist_system.event e join flaghoist_service.webhook_subscription s
    on s.object_type = e.object_type and s.operation = e.operation and (s.object_key is null
      or s.object_key = e.object_key)
  where e.id > $1
), notified as materialized (
  select split_part(id, '-', 1)::bigint as event, subscription, count(*)
    from flaghoist_service.webhook_notification group by 1, 2
), held as materialized (
  select event_id as event, subscription_key as subscription, count(*) from flaghoist_system.suppressed_match
    where event_id > $1 group by 1, 2
), counted as materialized (
  select coalesce(n.count, 0) + coalesce(h.count, 0) as count, coalesce(n.count, 0) as notified, coalesce(h.count,
    0) as held
  from pair left join notified n using (event, subscription) left join held h using (event, subscription)
)
select (select count(*)::int from flaghoist_system.event where id > $1 and object_type = 'Voyage') as "events",
  count(*)::int as "pairs",
  coalesce(sum(notified), 0)::int as "notifications", coalesce(sum(held), 0)::int as "suppressed",
  (count(*) filter (where count = 0))::int as "missing", (count(*) filter (where count > 1))::int as "double",
  (select count(*) from flaghoist_system.unmatched_event)::int
    + (select count(*) from flaghoist_system.unshaped_match)::int as "left"
from counted`;

/** Every round starts with the same tables. The worker may be running, but must be idle. */
export async function forgetDecisions(url: string): Promise<void> {
  await onDatabase(url, (client) =>
    inBulk(client, () =>
      client.query(
        'truncate flaghoist_service.webhook_notification, flaghoist_system.notification_body, ' +
          'flaghoist_system.notification_content, ' +
          'flaghoist_system.suppressed_match',
      ),
    ),
  );
}

/** Deletes what a killed worker left. */
export async function forgetUnprepared(url: string): Promise<void> {
  await onDatabase(url, (client) =>
    inBulk(client, () => client.query('truncate flaghoist_system.unshaped_match, flaghoist_system.unshaped_object')),
  );
}
