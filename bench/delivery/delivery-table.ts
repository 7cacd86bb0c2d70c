// All SQL of the delivery benchmark: creates backlogs as matching would, and reads their state and the workers.

import { queueColumns, queueValues } from '../../packages/server/src/deliver/queue/notification-state-table.ts';
import { inBulk } from '../matching/matching-table.ts';
import { onDatabase } from '../rest/fleet-table.ts';
import { nowMs } from './moment.ts';
import type { NotificationPlan, Template } from './planned-notifications.ts';

/** The only notification in the database. */
export async function selectTemplate(url: string): Promise<Template> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<Record<Exclude<keyof Template, 'subject'>, string>>(selectTemplateText),
  );
  const { id, objectType, eventType, occurredAt, contentType, body, ...keys } = rows[0]!;
  return {
    id,
    objectType,
    eventType: eventType as Template['eventType'],
    occurredAt,
    contentType,
    subject: null,
    body,
    key: Number(keys.key),
    subscriptionKey: Number(keys.subscriptionKey),
    userKey: Number(keys.userKey),
    objectKey: Number(keys.objectKey),
    subscribedObjectKey: Number(keys.subscribedObjectKey),
  };
}

const selectTemplateText = `
select n."key", n.id, n.subscription as "subscriptionKey", n."user" as "userKey", n.object_type as "objectType",
  n.object_key as "objectKey",
  n.event_type as "eventType", n.subscribed_object_key as "subscribedObjectKey", to_char(n.occurred_at,
    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "occurredAt",
  n.content_type as "contentType", flaghoist_system.body(n."key") as body
from flaghoist_service.webhook_notification n`;

const rowsAtOnce = 5_000;

/**
 * Inserts the same rows as `insertNotifications`. The log and the bodies come first, in pieces, with the statistics of
 * a backlog that grew over time. Then all become pending at once. Returns when that was.
 */
export async function insertBacklog(url: string, plan: NotificationPlan): Promise<number> {
  const { template, subscribed, count, firstKey, orderedObjects = 0 } = plan;
  return await onDatabase(url, async (client) => {
    const { rows } = await client.query(`select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS') as now`);
    const lanes = [subscribed.map(({ key }) => key), subscribed.map(({ objectKey }) => objectKey), rows[0].now];
    for (let from = 0; from < count; from += rowsAtOnce)
      await client.query(insertLog, [
        firstKey + from,
        Math.min(rowsAtOnce, count - from),
        firstKey,
        ...lanes,
        ...[template.id, template.userKey, template.objectType, template.eventType, template.occurredAt],
        ...[template.contentType, template.body],
      ]);
    await client.query('vacuum (analyze) flaghoist_service.webhook_notification, flaghoist_system.notification_body');
    await client.query(insertPending, [firstKey, count, firstKey, ...lanes, orderedObjects]);
    return nowMs();
  });
}

/** The same as `planNotification`. */
const planned = `planned as materialized (
  select n as "key", n || '-' || n as id, ($4::bigint[])[1 + (n - $3::bigint) % cardinality($4::bigint[])] as
    subscription,
    ($5::bigint[])[1 + (n - $3::bigint) % cardinality($4::bigint[])] as object_key, $6::timestamp as created_date
  from generate_series($1::bigint, $1::bigint + $2::bigint - 1) n)`;

const insertLog = `with ${planned},
bodies as (insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
  select "key", created_date, replace($13::text, $7::text, id), concat_ws(' ', id, $9::text, object_key, $10::text,
    object_key, $11::text, $12::text)
  from planned)
insert into flaghoist_service.webhook_notification ("key", created_date, id, subscription, "user", object_type,
  object_key, event_type,
  subscribed_object_key, occurred_at, content_type, status, next_attempt_date)
select "key", created_date, id, subscription, $8::bigint, $9, object_key, $10, object_key, $11::text::timestamp,
  $12, 'PENDING', created_date from planned`;

const insertPending = `with ${planned}
insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, ${queueColumns})
select "key", created_date, subscription, ${queueValues('p', 'false')}
from (select planned.*, "key" as sequence, $7::int > 0 as is_ordered, false as is_streamed,
    1 + ("key" - $3::bigint) % greatest($7::int, 1) as subscribed_object_key
  from planned where object_key is not null) p order by "key"`;

/** Keys that nothing else uses. */
export async function reserveKeys(url: string, count: number): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ first: string }>(
      "select nextval('flaghoist.object_key') as first, setval('flaghoist.object_key', " +
        "currval('flaghoist.object_key') + $1::int)",
      [count],
    ),
  );
  return Number(rows[0]!.first);
}

const lookedEveryMs = 2;

/** Waits until nothing is pending, or nothing has changed for this long. Returns when that was. */
export async function awaitRecorded(url: string, patienceMs: number): Promise<number> {
  const deadlineMs = nowMs() + patienceMs;
  return await onDatabase(url, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        'select exists (select from flaghoist_system.pending_notification) as is_left',
      );
      if (!rows[0].is_left || nowMs() > deadlineMs) return nowMs();
      await new Promise((resolve) => setTimeout(resolve, lookedEveryMs));
    }
  });
}

export interface Outcomes {
  /** After one attempt. */
  delivered: number;
  other: number;
  pending: number;
}

export async function selectOutcomes(url: string): Promise<Outcomes> {
  const { rows } = await onDatabase(url, (client) => client.query<Outcomes>(selectOutcomesText));
  return rows[0]!;
}

const selectOutcomesText = `
select count(*) filter (where is_delivered)::int as delivered, count(*) filter (where not is_delivered)::int as other,
  (select count(*)::int from flaghoist_system.pending_notification) as pending
from (select status = 'DELIVERED' and attempts = 1 and jsonb_array_length(attempt_log) = 1 as is_delivered
  from flaghoist_service.webhook_notification) n`;

/** Every round starts with the same tables. */
export async function forgetNotifications(url: string): Promise<void> {
  const truncate = `truncate flaghoist_service.webhook_notification, flaghoist_system.notification_body,
    flaghoist_system.notification_content`;
  await onDatabase(url, (client) => inBulk(client, () => client.query(truncate)));
}

/** Notification id → comments of its voyage. */
export async function selectMarks(url: string): Promise<Map<string, string>> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ id: string; mark: string }>(
      `select n.id, e.new_row ->> 'comments' as mark
       from flaghoist_service.webhook_notification n join flaghoist_system.event e on e.id = split_part(n.id, '-',
         1)::bigint`,
    ),
  );
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}

/** Deletes what is left for receivers that do not respond. The service must not be running. */
export async function forgetPending(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query('delete from flaghoist_system.pending_notification');
    await client.query('delete from flaghoist_system.delivery_worker');
    await client.query('delete from flaghoist_system.delivery_health');
    await client.query('vacuum (analyze) flaghoist_system.pending_notification');
  });
  await forgetNotifications(url);
}
