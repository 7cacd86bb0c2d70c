// All SQL of the matching benchmark: bunker orders, subscriptions in bulk, changes to match, and their results.

import pg from 'pg';
import { onDatabase } from '../rest/fleet-table.ts';
import type { PlannedSubscription } from './planned-subscriptions.ts';

/** One per voyage, with two lines. */
export async function fillOrders(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await inBulk(client, async () => {
      await client.query(insertOrders);
      await client.query(insertLines);
    });
    await client.query('vacuum (analyze)');
  });
}

const insertOrders = `
insert into flaghoist.bunker_order (bunker_order_status, external_reference_no, bunkered_date, exchange_rate,
  extra_cost,
  port_call, vessel, bunker_supplier, currency)
select 'ORD', 'ORDER ' || c.key, c.eta, 1.0825, 1250.5, c.key, v.vessel, c.agent, c.currency
from flaghoist.port_call c join flaghoist.voyage v on v.key = c.voyage where c.port_call_sequence = 1 order by c.key`;

const insertLines = `
insert into flaghoist.bunker_order_line (min_quantity, max_quantity, bunkered_quantity, unit_price, extra_cost,
  bunker_order, bunker_type)
select 100, 500.5, 320.25, 512.75, 10 * n, o.key, (select min(key) from flaghoist.bunker_type)
from flaghoist.bunker_order o, generate_series(1, 2) n`;

export async function selectOrderKeys(url: string): Promise<number[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ key: string }>('select key from flaghoist.bunker_order order by key'),
  );
  return rows.map(({ key }) => Number(key));
}

/** A copy of a database. The original must have no connections. */
export async function copyDatabase(url: string, name: string): Promise<string> {
  const copied = new URL(url);
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const template = pg.escapeIdentifier(copied.pathname.slice(1));
  await onDatabase(maintenance.href, (client) =>
    client.query(`create database ${pg.escapeIdentifier(name)} template ${template}`),
  );
  copied.pathname = `/${name}`;
  return copied.href;
}

const rowsAtOnce = 5_000;

export async function insertSubscriptions(
  url: string,
  userKey: number,
  planned: readonly PlannedSubscription[],
): Promise<void> {
  await onDatabase(url, async (client) => {
    await inBulk(client, async () => {
      for (let from = 0; from < planned.length; from += rowsAtOnce)
        await client.query(insertPlanned, valuesOf(planned.slice(from, from + rowsAtOnce), from, userKey));
    });
    // Only matching is measured: nothing is sent to an inactive user.
    await client.query('update flaghoist_service.api_user set active = false where key = $1', [userKey]);
    await client.query('vacuum (analyze) flaghoist_service.webhook_subscription');
  });
}

/** As if each had been created by its own transaction: each with a different snapshot, all in the past. */
const insertPlanned = `
insert into flaghoist_service.webhook_subscription (event_types, event_type, object_type, operation, object_key, url,
  channel_info, raw_object, json, expression,
  "user", created_snapshot)
select array[name] || string_to_array(p.further, ','), case when is_plain then name end,
  case when is_plain then p.object_type end, case when is_plain then p.operation end,
  case when is_plain then p.object_key end,
  'https://receiver.test/' || p.n,
  jsonb_build_object('channelType', 'HTTP', 'URL', 'https://receiver.test/' || p.n), p.is_raw, p.json,
    p.expression, $9::bigint,
  format('%s:%s:', 3 + p.n % 300, 303 + p.n / 300 % 400)
from unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bool[], $7::text[], $8::text[])
  as p (n, object_type, operation, object_key, further, is_raw, json, expression),
  concat_ws('.', p.object_type, p.operation, p.object_key) as name,
  lateral (select name !~ '[*]' and p.further is null as is_plain) as plain`;

function valuesOf(planned: readonly PlannedSubscription[], from: number, userKey: number): unknown[] {
  return [
    planned.map((_, index) => from + index),
    planned.map(({ objectType }) => objectType),
    planned.map(({ operation }) => operation),
    planned.map(({ objectKey }) => objectKey),
    planned.map(({ further }) => further?.join(',') ?? null),
    planned.map(({ isRaw }) => isRaw),
    planned.map(({ selection }) => (selection === null ? null : Buffer.from(selection).toString('base64'))),
    planned.map(({ expression }) => expression),
    userKey,
  ];
}

/** Changes each order this often, in one transaction, so that a running worker finds all events at once. */
export async function changeOrders(url: string, keys: readonly number[], times: number): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query('begin');
    for (let n = 0; n < times; n += 1)
      await client.query(
        'update flaghoist.bunker_order set extra_cost = extra_cost + 1 where key = any($1::bigint[])',
        [keys],
      );
    await client.query('commit');
  });
}

export interface Found {
  events: string;
  /** Unmatched events. */
  unmatched: string;
  notifications: string;
  /** Pairs of an event and a subscription that should have a notification and have none. */
  missing: string;
  /** Pairs that should have none. */
  uncalledFor: string;
  /** Notifications beyond the first of a pair. */
  double: string;
}

/** Of the events after the given one. The expected pairs are derived from the rows alone. */
export async function selectFound(url: string, afterEventId: number): Promise<Found> {
  const { rows } = await onDatabase(url, (client) => client.query<Found>(selectFoundText, [afterEventId]));
  return rows[0]!;
}

const selectFoundText = `
with covering as (
  select e.id as event, concat_ws('.', t.name, o.name, k.key) as name
  from flaghoist_system.event e, unnest(array[e.object_type, '*']) as t (name),
    unnest(array[e.operation, '*']) as o (name), unnest(array[null, e.object_key]) as k (key)
  where e.id > $1
), expected as materialized (
  select distinct c.event, s.key as subscription
  from covering c join (
    select key, unnest(event_types) as name from flaghoist_service.webhook_subscription) s on s.name = c.name
), found as materialized (
  select split_part(id, '-', 1)::bigint as event, subscription from flaghoist_service.webhook_notification
  n where status = 'PENDING'
    and exists (select from flaghoist_system.notification_body b where b.notification_key = n.key
      and b.created_date = n.created_date)
), pairs as materialized (select distinct event, subscription from found)
select (select count(*) from flaghoist_system.event where id > $1) as "events",
  (select count(*) from flaghoist_system.unmatched_event) as "unmatched",
  (select count(*) from found) as "notifications",
  (select count(*) from (select * from expected except select * from pairs) m) as "missing",
  (select count(*) from (select * from pairs except select * from expected) u) as "uncalledFor",
  (select count(*) from found) - (select count(*) from pairs) as "double"`;

export async function selectLastEventId(url: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ id: string }>('select coalesce(max(id), 0) as id from flaghoist_system.event'),
  );
  return Number(rows[0]!.id);
}

/** Every round starts with the same tables. */
export async function forgetNotifications(url: string): Promise<void> {
  await onDatabase(url, (client) =>
    inBulk(client, () =>
      client.query(
        'truncate flaghoist_service.webhook_notification, flaghoist_system.notification_body, ' +
          'flaghoist_system.notification_content, ' +
          'flaghoist_system.pending_notification',
      ),
    ),
  );
}

/** Without triggers: no events, no revisions, no audit. */
export async function inBulk(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await work();
  await client.query('commit');
}
