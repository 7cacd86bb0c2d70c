// All SQL of the alerts that wait to be sent: stores them, claims those whose turn has come, and records the result.

import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import type { AlertKind, NewAlert } from './alert.ts';
import type { AlertedSubscription, StoredAlert } from './render-alert.ts';

export interface ClaimedAlertsRow {
  key: string;
  failures: number;
  /** Whether an alert about the subscription was sent within the last hour. */
  is_more: boolean;
  /** Null: it does not exist any more, or the alerts are about the service. */
  subscription: AlertedSubscription | null;
  alerts: (StoredAlert & { ageMs: number })[];
}

export function insertAlert({ subscriptionKey, kind, facts }: NewAlert): Statement {
  return {
    text: insertAlertsFrom(kind, '$1::bigint', '$2::jsonb', ''),
    values: [subscriptionKey, JSON.stringify(facts)],
  };
}

/**
 * As a part of a statement that finds out whether there is something to report. `from`: SQL, with its `from`.
 *
 * If the same alert waits already, it gets the newer facts: what fails again and again adds no rows. It also gets another
 * id, so that `recordAlertsSent` leaves it if the older facts are being sent.
 */
export function insertAlertsFrom(kind: AlertKind, subscriptionKey: string, facts: string, from: string): string {
  return `insert into flaghoist_system.outgoing_alert (subscription_key, kind, facts)
  select ${subscriptionKey}, '${kind}', ${facts} ${from}
  on conflict (subscription_key, kind, coalesce(facts ->> 'what', facts ->> 'part', ''))
  do update set id = default, facts = excluded.facts, created_at = excluded.created_at`;
}

/** One message contains at most this many. */
const alertsInMessage = 500;

/**
 * Claims the alerts about some subscriptions, if their turn has come: no other process claims them until the lease
 * expires. If this process dies, another one sends them. Two processes that claim the same subscription wait for each
 * other at its row of `alert_turn`, and the second one finds the turn taken.
 */
export function claimAlerts(leaseMs: number, subscriptionsMax: number): Statement {
  return {
    text: `with turn as (
  insert into flaghoist_system.alert_turn as t (subscription_key, not_before)
  select w.subscription_key, now() + $1 * interval '1 millisecond'
  from (select distinct a.subscription_key from flaghoist_system.outgoing_alert a) w
  where not exists (select from flaghoist_system.alert_turn o
    where o.subscription_key = w.subscription_key and o.not_before > now())
  order by w.subscription_key limit $2::int
  on conflict (subscription_key) do update set not_before = excluded.not_before where t.not_before <= now()
  returning t.subscription_key, t.failures, t.sent_at)
select t.subscription_key::text as key, t.failures, t.sent_at is not null as is_more, s.subscription, a.alerts
from turn t
cross join lateral (select json_agg(json_build_object('id', o.id::text, 'kind', o.kind, 'facts', o.facts,
    'date', to_char(o.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'ageMs', extract(epoch from now() - o.created_at) * 1000) order by o.id) as alerts
  from (select * from flaghoist_system.outgoing_alert o where o.subscription_key = t.subscription_key
    order by o.id limit $3::int) o) a
left join lateral (select json_build_object('key', s."key", 'name', s.name, 'eventTypes', s.event_types,
    'channelType', s.channel_info ->> 'channelType', 'url', s.url, 'userCode', u.user_code) as subscription
  from flaghoist_service.webhook_subscription s left join flaghoist_service.api_user u on u."key" = s."user"
  where s."key" = t.subscription_key) s on true
where a.alerts is not null`,
    values: [leaseMs, subscriptionsMax, alertsInMessage],
  };
}

/** The alerts were sent. The next one about the same subscription has to wait. */
export function recordAlertsSent(key: string, ids: readonly string[], quietMs: number): Statement {
  return {
    text: `with sent as (delete from flaghoist_system.outgoing_alert where id = any($2::bigint[]))
update flaghoist_system.alert_turn
set not_before = now() + $3 * interval '1 millisecond', failures = 0, sent_at = now()
where subscription_key = $1::bigint`,
    values: [key, numberArray(ids.map(Number)), quietMs],
  };
}

/** The alerts could not be sent. `givenUp`: the ids of those that are too old by now. */
export function postponeAlerts(key: string, givenUp: readonly string[], delayMs: number): Statement {
  return {
    text: `with given_up as (delete from flaghoist_system.outgoing_alert where id = any($2::bigint[]))
update flaghoist_system.alert_turn
set not_before = now() + $3 * interval '1 millisecond', failures = failures + 1
where subscription_key = $1::bigint`,
    values: [key, numberArray(givenUp.map(Number)), delayMs],
  };
}

/** Deletes turns that are over and have no alerts. */
export function deleteOldTurns(): Statement {
  return {
    text: `delete from flaghoist_system.alert_turn t where t.not_before < now()
  and not exists (select from flaghoist_system.outgoing_alert a where a.subscription_key = t.subscription_key)`,
    values: [],
  };
}
