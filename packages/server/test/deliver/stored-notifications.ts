// Notifications as deliveries leave them, without the deliveries.

import type { TestService } from '../support/test-service.ts';

export interface StoredLike {
  status: 'DELIVERED' | 'FAILED';
  /** Their ids begin with it. */
  sequence: number;
  eventTime: string;
  objectKey: number;
  subscribedObjectKey: number;
}

/** Returns the ids, in order. */
export async function storeNotifications(
  { database }: Pick<TestService, 'database'>,
  subscription: number,
  count: number,
  { status, sequence, eventTime, objectKey, subscribedObjectKey }: StoredLike,
): Promise<string[]> {
  const { rows } = await database.pool.query(
    `with n as materialized (
      select key, $3::text || '-' || key as id, flaghoist_system.utc_second() as created_date,
        $4::text = 'FAILED' as is_failed
      from (select nextval('flaghoist.object_key') as key from generate_series(1, $2)) k),
    bodies as (insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
      select key, created_date, '{"id":"' || id || '"}',
        id || ' Voyage ' || $6::text || ' C ' || $7::text || ' ' || $5::text || ' application/json' from n),
    failed as (insert into flaghoist_system.resendable_notification (subscription_key, notification_key, created_date)
      select $1, key, created_date from n where is_failed order by key),
    marked as (insert into flaghoist_system.notified_subscription values ($1) on conflict do nothing)
    insert into flaghoist_service.webhook_notification (key, created_date, id, subscription, "user", object_type,
      object_key, event_type, subscribed_object_key, occurred_at, content_type, status, attempts, error_message,
      delivery_date)
    select n.key, n.created_date, n.id, s.key, s."user", 'Voyage', $6::bigint, 'C', $7::bigint, $5::text::timestamp,
      'application/json', $4::text, case when is_failed then 2 else 1 end, case when is_failed then 'It failed.' end,
      case when not is_failed then n.created_date end
    from n, flaghoist_service.webhook_subscription s where s.key = $1
    returning id`,
    [subscription, count, String(sequence), status, eventTime, String(objectKey), String(subscribedObjectKey)],
  );
  return rows.map(({ id }) => id as string);
}
