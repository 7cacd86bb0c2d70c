// All SQL of the console benchmark: fills a database with users, subscriptions and a log of notifications, as a month
// leaves it. Rows are loaded in bulk, without triggers.

import type pg from 'pg';
import { inBulk } from '../matching/matching-table.ts';
import { onDatabase } from '../rest/fleet-table.ts';

export interface LogPlan {
  users: number;
  subscriptions: number;
  notifications: number;
  days: number;
}

const rowsAtOnce = 20_000;

const reserveKeys = `
select setval('flaghoist.object_key', last_value + $1) - $1 + 1 as key from flaghoist.object_key`;

/** Needs voyages and port calls. */
export async function fillLog(url: string, plan: LogPlan, tell: (line: string) => void): Promise<void> {
  await onDatabase(url, async (client) => {
    await createDays(client, plan.days);
    await inBulk(client, async () => {
      await client.query(insertUsers, [plan.users]);
      await client.query(insertSubscriptions, [plan.subscriptions]);
    });
    for (const statement of numberParts) await client.query(statement);
    const { rows: reserved } = await client.query<{ key: string }>(reserveKeys, [plan.notifications]);
    for (let from = 0; from < plan.notifications; from += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, plan.notifications - from);
      const values = [from, rows, plan.notifications, plan.days, reserved[0]!.key];
      await inBulk(client, () => client.query(insertLog, values));
      if (from % 200_000 === 0) tell(`${from} notifications`);
    }
    await client.query('vacuum (analyze)');
  });
}

async function createDays(client: pg.Client, days: number): Promise<void> {
  for (const table of [
    'flaghoist_service.webhook_notification',
    'flaghoist_system.notification_body',
    'flaghoist_system.notification_content',
  ])
    await client.query(
      `select flaghoist_system.create_day_partition($1::regclass, (now() at time zone 'utc')::date - ahead)
      from generate_series(0, $2::int) ahead`,
      [table, days],
    );
}

const insertUsers = `
insert into flaghoist_service.api_user (user_code, name) select 'user-' || n, 'User ' || n
from generate_series(1, $1::int) n`;

/** Each is for one voyage; the last voyages have none. Every hundredth is deactivated. */
const insertSubscriptions = `
insert into flaghoist_service.webhook_subscription (event_types, event_type, object_type, operation, object_key, name,
  url, state, channel_info, "user", created_snapshot)
select array['Voyage.U.' || v.key], 'Voyage.U.' || v.key, 'Voyage', 'U', v.key, 'Berth ' || n,
  'https://receiver.test/' || n, case when n % 100 = 0 then 'DEACTIVATED' else 'ACTIVE' end,
  jsonb_build_object('channelType', 'HTTP', 'URL', 'https://receiver.test/' || n),
  u.keys[1 + n % cardinality(u.keys)], '3:303:'
from generate_series(1, $1::int) n
join (select row_number() over (order by key) as no, count(*) over () as count, key from flaghoist.voyage) v
  on v.no = 1 + n % (v.count / 2),
  (select array_agg(key order by key) as keys from flaghoist_service.api_user where user_code like 'user-%') u`;

/** What the rows of the log refer to, by number. */
const numberParts = [
  `create temporary table numbered_subscription as select row_number() over (order by key)::int as no, key, "user"
  from flaghoist_service.webhook_subscription where name like 'Berth %'`,
  `create temporary table numbered_voyage as select row_number() over (order by v.key)::int as no, v.key, c.key as call
  from flaghoist.voyage v join flaghoist.port_call c on c.voyage = v.key and c.port_call_sequence = 1`,
  'analyze numbered_subscription',
  'analyze numbered_voyage',
];

/**
 * A fifth of all belongs to the first subscription. One in a hundred has failed. The newest 500 are pending, and twenty
 * old ones. Deletions, cargoes and an expired certificate are rare and old.
 */
const insertLog = `
with planned as materialized (
  select n, $5::bigint + n as key,
    date_trunc('second', (now() at time zone 'utc') - ($3::int - n) * ($4::int * interval '1 day' / $3::int)) as created,
    n >= $3::int - 500 or (n < $3::int / 2 and n % ($3::int / 40) = 1) as is_pending,
    n % 100 = 7 as is_failed,
    n < $3::int / 4 and n % ($3::int / 80) = 3 as is_rare
  from generate_series($1::int, $1::int + $2::int - 1) n),
row as materialized (
  select r.*, (r.n + 1) || '-' || r.key as id, s.key as subscription, s."user", v.key as voyage, v.call,
    case when is_pending then 'PENDING' when is_failed or is_rare then 'FAILED' else 'DELIVERED' end as status,
    case when is_rare then 'The certificate of the receiver has expired.'
      when n % 300 = 7 then 'The receiver answered with status 503.'
      when is_failed then 'The receiver did not answer within 15 seconds.' end as error
  from planned r
  join numbered_subscription s on s.no = case when n % 5 = 0 then 1
    else 1 + (hashint4(n)::bigint + 2147483648) % (select max(no) from numbered_subscription) end
  join numbered_voyage v on v.no = 1 + n::bigint * 7919 % (select max(no) from numbered_voyage)),
failed as (
  insert into flaghoist_system.resendable_notification (subscription_key, notification_key, created_date)
  select subscription, key, created from row where status = 'FAILED' order by key),
pending as (
  insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at)
  select key, created, subscription, 'infinity' from row where status = 'PENDING'),
bodies as (
  insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
  select key, created, jsonb_build_object('id', id, 'resource', jsonb_build_object('key', voyage))::text,
    concat_ws(' ', id, 'Voyage', voyage, 'U', voyage, created::text, 'application/json')
  from row where n % 20 = 0)
insert into flaghoist_service.webhook_notification ("key", created_date, modified_date, id, subscription, "user",
  object_type, object_key, event_type, subscribed_object_key, occurred_at, content_type, status, attempts,
  delivery_date, error_message, attempt_log)
select key, created, created, id, subscription, "user",
  case when is_rare then 'Cargo' when n % 20 < 7 then 'Voyage' when n % 20 < 18 then 'PortCall' else 'BunkerOrder' end,
  case when n % 20 < 7 then voyage else call end,
  case when is_rare then 'D' when n % 10 = 0 then 'C' else 'U' end, voyage, created, 'application/json', status, 1,
  case when status = 'DELIVERED' then created end, error,
  jsonb_build_array(jsonb_build_object('date', to_char(created, 'YYYY-MM-DD"T"HH24:MI:SS'), 'durationMs', n % 500,
    'statusCode', case when status = 'DELIVERED' then 204 end, 'answer', null, 'error', error))
from row order by key`;
