// Delivered notifications, and replays of them, for tests.

import type { TestClient } from '../support/access.ts';
import type { Answer, TestService } from '../support/test-service.ts';
import { subscriptions } from './failed-notifications.ts';
import { type Accepted, accepted } from './resend-jobs.ts';
import { type StoredLike, storeNotifications } from './stored-notifications.ts';

export type DeliveredLike = Partial<Pick<StoredLike, 'eventTime' | 'objectKey' | 'subscribedObjectKey'>>;

/** As deliveries leave it, without the deliveries. Returns the ids, in order. */
export function storeDelivered(
  service: Pick<TestService, 'database'>,
  subscription: number,
  count: number,
  { eventTime = '2020-11-01T00:00:00', objectKey = 1, subscribedObjectKey = 1 }: DeliveredLike = {},
): Promise<string[]> {
  const like = { status: 'DELIVERED', sequence: 8, eventTime, objectKey, subscribedObjectKey } as const;
  return storeNotifications(service, subscription, count, like);
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
): Promise<Accepted> {
  return accepted(await replay(service, subscription, body, by?.headers));
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
