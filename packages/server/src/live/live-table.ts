// All SQL of the live feed. Each statement reads what is new for all connections of the process.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { isOneOf } from '../deliver/queue/notification-state-table.ts';
import type { ObjectType } from '../model/object-type.ts';
import { startStatement } from '../query/sql/statement-builder.ts';
import { minimizedView, referenceView, showScalar, type View } from '../query/view.ts';
import { type Links, viewColumns } from '../query/view-columns.ts';

/** Up to where the feed has read. */
export interface Position {
  /** What was committed, as PostgreSQL writes a snapshot. */
  seen: string;
  activityId: number;
  eventId: number;
  revision: number;
}

export interface NewsRow {
  seen: string;
  activity_id: string;
  event_id: string;
  revision: string;
  /** JSON: [notification keys, subscription keys, codes, first date, last date], the newest first. */
  activities: string;
  /** JSON, the newest first. */
  events: string;
  subscriptions: string;
}

/** Rows with lower ids may be committed later: how far back to look for them. */
const lookBack = 1_000;

/** How many rows one read returns. A full batch may have left others out. */
export const activitiesMax = 500;
export const eventsMax = 2_000;

/** A snapshot says nothing about events of an earlier server. */
const isEventHere = 'e.id > (select last_event_id from flaghoist_system.earlier_server)';

/** One that is ahead of this server is of an earlier one. It is deleted long before this server has its id. */
const isActivityHere = 'a.transaction_id < pg_snapshot_xmax(pg_current_snapshot())';

const isNew = (row: string) => `not pg_visible_in_snapshot(${row}.transaction_id, $1::pg_snapshot)`;

/** One statement, so that everything is of one snapshot. `position` undefined: only where to begin. */
export function selectNews(position: Position | undefined): Statement {
  const { seen, activityId, eventId, revision } = position ?? {
    seen: null,
    activityId: Number.MAX_SAFE_INTEGER,
    eventId: Number.MAX_SAFE_INTEGER,
    revision: Number.MAX_SAFE_INTEGER,
  };
  const last = (table: string) => `coalesce((select max(id) from flaghoist_system.${table}), 0)::text`;
  return {
    text: `select pg_current_snapshot()::text as seen, ${last('activity')} as activity_id, ${last('event')} as event_id,
  (select r.value::text from flaghoist_system.revision r where r.name = 'subscriptions') as revision,
  (select coalesce(json_agg(json_build_array(a.notification_keys, a.subscription_keys, a.codes, a.first_date,
      a.last_date)), '[]')::text
    from (select * from flaghoist_system.activity a where a.id > $2::bigint - ${lookBack} and ${isActivityHere}
      and ${isNew('a')} and a.notification_keys <> '{}' order by a.id desc limit ${activitiesMax}) a) as activities,
  (select coalesce(json_agg(e.id), '[]')::text
    from (select e.id from flaghoist_system.event e where e.id > $3::bigint - ${lookBack} and ${isEventHere}
      and ${isNew('e')} order by e.id desc limit ${eventsMax}) e) as events,
  (select coalesce(json_agg(distinct c.subscription_key), '[]')::text from flaghoist_system.subscription_change c
    where c.revision > $4::bigint) as subscriptions`,
    values: [seen, activityId, eventId, revision],
  };
}

/** As a list shows a notification, with what a reference to its subscription shows, and its name. */
export function liveView(type: ObjectType): View {
  const view = minimizedView(type);
  return {
    ...view,
    items: view.items.map((item) => {
      if (item.kind !== 'reference' || item.attribute.name !== 'subscription') return item;
      const { target } = item.attribute;
      const name = showScalar(target.attributes.get('name')!)!;
      return { ...item, view: { type: target, items: [...referenceView(target).items, name] } };
    }),
  };
}

export interface NotificationRow {
  key: string;
  /** JSON. */
  object: string;
}

/** The days bound the partitions that are read. */
export function selectNotifications(
  view: View,
  links: Links,
  keys: readonly number[],
  { first, last }: { first: string; last: string },
): Statement {
  const columns = viewColumns({ builder: startStatement(), links }, view, 't');
  return {
    text: `select t."key"::text as "key", row_to_json(v.*)::text as object
from (select n.* from flaghoist_service.webhook_notification n where ${isOneOf('$1::bigint[]', '$2', '$3')}) t
cross join lateral (select ${columns}) v`,
    values: [numberArray(keys), first, last],
  };
}

export interface CountedFor {
  event_id: string;
  user: string;
  count: number;
}

/** The notifications of these events, by user. */
export function countByUser(ids: readonly number[], countedMax: number): Statement {
  return {
    text: `select w.id::text as event_id, n."user"::text as "user", count(*)::int as count
from unnest($1::bigint[]) as w (id) cross join lateral (
  select n."user" from flaghoist_service.webhook_notification n where n.sequence = w.id limit $2::int) n
group by 1, 2`,
    values: [numberArray(ids), countedMax],
  };
}

export interface UserBacklog {
  user: string;
  pending: number;
  oldest_seconds: number;
}

/** How many notifications of each user are pending, counted up to a limit. */
export function selectUserBacklogs(users: readonly number[], countedMax: number): Statement {
  return {
    text: `select u.key::text as "user", p.pending, p.oldest_seconds from unnest($1::bigint[]) as u (key)
cross join lateral (
  select count(*)::int as pending,
    greatest(0, coalesce(extract(epoch from now() at time zone 'utc' - min(w.created_date)), 0))::float8 as oldest_seconds
  from (select p.created_date from flaghoist_service.webhook_subscription s
    join flaghoist_system.pending_notification p on p.subscription_key = s."key"
    where s."user" = u.key limit $2::int) w) p`,
    values: [numberArray(users), countedMax],
  };
}
