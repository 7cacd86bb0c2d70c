// All SQL of "Why was I notified, and why not?". Each statement reads a bounded number of rows, however many there are.

import type { Statement } from '../../database/database.ts';
import { eventColumnsWithoutRows } from '../../events/event-table.ts';
import type { SuppressedReason } from '../../shape/suppressed-table.ts';
import { wildcard } from '../../subscriptions/event-type.ts';
import { type SubscriptionRow, subscriptionColumns } from '../../subscriptions/subscription-table.ts';

/** How many events of each type are scanned for changes in the hierarchy of a subscribed object. */
const scannedPerType = 2_000;

/** How many of the newest notifications of a subscription or user are scanned. Older ones have no decisions. */
const notificationsScanned = 20_000;

export interface EventsWanted {
  subscribedTypes: readonly string[];
  /** The subscribed types, and all types that can be in the hierarchy of one of them. */
  changedTypes: readonly string[];
  /** The changed object, or an object that has it in its hierarchy; null: any. */
  objectKey: number | null;
  eventsMax: number;
}

/** Newest first. Events of one object have their own index, so they are found however old they are. */
export function selectRecentEvents({ subscribedTypes, changedTypes, objectKey, eventsMax }: EventsWanted): Statement {
  // With `@>`, a JSON array contains every array of some of its elements, and the empty array.
  const roots = subscribedTypes.map((type) => JSON.stringify({ [type]: objectKey === null ? [] : [objectKey] }));
  return {
    text: `with looked_at as (
  select recent.id from unnest($1::text[]) as t (object_type) cross join lateral (
    select e.id from flaghoist_system.event e where e.object_type = t.object_type order by e.id desc
      limit $5::int) recent
  union
  (select e.id from flaghoist_system.event e where e.object_key = $4::bigint order by e.id desc limit $6::int))
select ${eventColumnsWithoutRows} from looked_at join flaghoist_system.event e on e.id = looked_at.id
where (e.object_type = any($2::text[]) and ($4::bigint is null or e.object_key = $4::bigint))
  or (e.object_type = any($1::text[]) and e.object_key = $4::bigint and (e.roots_before ?| $2::text[]
    or e.roots_after ?| $2::text[]))
  or e.roots_before @> any($3::jsonb[]) or e.roots_after @> any($3::jsonb[])
order by e.id desc limit $6::int`,
    values: [changedTypes, subscribedTypes, roots, objectKey, scannedPerType, eventsMax],
  };
}

export function selectOneEvent(id: number): Statement {
  return {
    text: `select ${eventColumnsWithoutRows} from flaghoist_system.event e where e.id = $1::bigint`,
    values: [id],
  };
}

export interface SubscriptionsWanted {
  /** Null: of all users. */
  userKey: number | null;
  /** Null: all. */
  types: readonly string[] | null;
  /** Null: any. */
  keys: readonly number[] | null;
  subscriptionsMax: number;
}

export interface NamedSubscriptionRow extends SubscriptionRow {
  name: string | null;
}

/** Newest first, including unsubscribed ones. A condition that is null is omitted, so that an index can be used. */
export function selectSubscriptionsOf(wanted: SubscriptionsWanted): Statement {
  const { userKey, types, keys, subscriptionsMax } = wanted;
  const values: unknown[] = [subscriptionsMax];
  const place = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const conditions = [
    ...(userKey === null ? [] : [`s."user" = ${place(userKey, 'bigint')}`]),
    ...(types === null ? [] : [`${objectTypes} && ${place([...types, wildcard], 'text[]')}`]),
    ...(keys === null ? [] : [`s.key = any(${place(keys, 'bigint[]')})`]),
  ];
  return {
    text: `select ${subscriptionColumns}, s.name from flaghoist_service.webhook_subscription s
${conditions.length > 0 ? `where ${conditions.join(' and ')} ` : ''}order by s.key desc limit $1::int`,
    values,
  };
}

/** The types that the event types of a subscription name. */
const objectTypes = `array(select split_part(t, '.', 1) from unnest(s.event_types) t)`;

export function selectUnmatched(eventIds: readonly number[]): Statement {
  return {
    text: 'select event_id::text as event_id from flaghoist_system.unmatched_event where event_id = any($1::bigint[])',
    values: [eventIds],
  };
}

/** What is on record of a candidate. */
export interface RecordFound {
  event_id: string;
  subscription_key: string;
  /** Of the subscribed object. */
  object_key: string;
}

export interface LogFound extends RecordFound {
  log: string;
}

export interface SuppressedFound extends RecordFound {
  reason: SuppressedReason;
  message: string | null;
}

/** The columns of each kind of record, besides those of every `RecordFound`. */
const recordTables = {
  /** The matches that wait for a script or a stylesheet. */
  unshaped_match: 'r.subscribed_object_key::text as object_key',
  suppressed_match: 'r.object_key::text as object_key, r.reason, r.message',
  script_log: 'r.object_key::text as object_key, r.log',
};

/** `subscriptionKeys` null: of all subscriptions. */
export function selectRecords(
  table: keyof typeof recordTables,
  eventIds: readonly number[],
  subscriptionKeys: readonly number[] | null,
): Statement {
  return {
    text: `select r.event_id::text as event_id, r.subscription_key::text as subscription_key, ${recordTables[table]}
from flaghoist_system.${table} r
where r.event_id = any($1::bigint[]) and ($2::bigint[] is null or r.subscription_key = any($2::bigint[]))`,
    values: [eventIds, subscriptionKeys],
  };
}

export interface NotificationFound extends RecordFound {
  key: string;
  id: string;
}

/** Whose notifications are scanned: those of one subscription, of one user, or all. */
export type NotificationsOf = { subscriptionKey: number } | { userKey: number } | 'all';

/** The sequence of a notification is the id of its event. A join, because `any` would scan the whole array per row. */
export function selectNotificationsOf(whose: NotificationsOf, eventIds: readonly number[]): Statement {
  const [condition, values] = conditionOf(whose);
  return {
    text: `select n.sequence::text as event_id, n.key::text as key, n.id,
  n.subscription::text as subscription_key, n.subscribed_object_key::text as object_key
from (select key, id, sequence, subscription, subscribed_object_key from flaghoist_service.webhook_notification
  ${condition} order by key desc limit $2::int) n
join unnest($1::bigint[]) as wanted (event_id) on wanted.event_id = n.sequence`,
    values: [eventIds, notificationsScanned, ...values],
  };
}

function conditionOf(whose: NotificationsOf): [condition: string, values: number[]] {
  if (whose === 'all') return ['', []];
  if ('userKey' in whose) return ['where "user" = $3::bigint', [whose.userKey]];
  return ['where subscription = $3::bigint', [whose.subscriptionKey]];
}
