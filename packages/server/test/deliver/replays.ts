// Delivered notifications, and replays of them, for tests.

import { expect } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { Answer, TestService } from '../support/test-service.ts';
import { subscriptions } from './failed-notifications.ts';

export interface DeliveredLike {
  eventTime?: string;
  objectKey?: number;
  subscribedObjectKey?: number;
}

/** As deliveries leave it, without the deliveries. Returns the ids, in order. */
export async function storeDelivered(
  { database }: Pick<TestService, 'database'>,
  subscription: number,
  count: number,
  { eventTime = '2020-11-01T00:00:00', objectKey = 1, subscribedObjectKey = 1 }: DeliveredLike = {},
): Promise<string[]> {
  const { rows } = await database.pool.query(
    `with n as materialized (
      select nextval('flaghoist.object_key') as key, flaghoist_system.utc_second() as created_date
        from generate_series(1, $2)),
    bodies as (insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
      select key, created_date, '{"id":"8-' || key || '"}',
        '8-' || key || ' Voyage ' || $4::text || ' C ' || $5::text || ' ' || $3::text || ' application/json' from n),
    marked as (insert into flaghoist_system.notified_subscription values ($1) on conflict do nothing)
    insert into flaghoist_service.webhook_notification (key, created_date, id, subscription, "user", object_type,
      object_key, event_type, subscribed_object_key, occurred_at, content_type, status, attempts, delivery_date)
    select n.key, n.created_date, '8-' || n.key, s.key, s."user", 'Voyage', $4::bigint, 'C', $5::bigint,
      $3::text::timestamp, 'application/json', 'DELIVERED', 1, n.created_date
    from n, flaghoist_service.webhook_subscription s where s.key = $1
    returning id`,
    [subscription, count, eventTime, objectKey, subscribedObjectKey],
  );
  return rows.map(({ id }) => id as string);
}

export const keyIn = (id: string) => Number(id.split('-')[1]);

export function replay(
  service: TestService,
  subscription: number,
  body: object = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  return service.post(`${subscriptions}/${subscription}/replay`, body, headers);
}

/** Expects it to be accepted. */
export async function replayed(
  service: TestService,
  subscription: number,
  body: object = {},
  by?: TestClient,
): Promise<{ total: number; job: number | null; jobSelf: string | null }> {
  const answer = await replay(service, subscription, body, by?.headers);
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

export interface DeliveryRecord {
  id: string;
  status: string;
  attempts: number;
  deliveryDate: string | null;
  nextAttemptDate: string | null;
  errorMessage: string | null;
}

/** In the order of keys. */
export async function recordsOf(service: TestService, subscription: number): Promise<DeliveryRecord[]> {
  const { rows } = await service.database.pool.query(
    `select id, status, attempts, delivery_date::text as "deliveryDate", next_attempt_date::text as "nextAttemptDate",
      error_message as "errorMessage"
    from flaghoist_service.webhook_notification where subscription = $1 order by key`,
    [subscription],
  );
  return rows;
}
