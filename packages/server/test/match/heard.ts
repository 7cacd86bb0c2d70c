// Waits until every event is matched, and reads the notifications of a subscription.

import { expect } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { TestDatabase } from '../support/test-database.ts';
import type { TestService } from '../support/test-service.ts';

export interface Heard {
  key: number;
  id: string;
  objectType: string;
  objectKey: number;
  eventType: string;
  subscribedObjectKey: number;
  status: string;
  errorMessage: string | null;
  /** Parsed; null if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any;
  text: string | null;
}

export type Subscribing = Record<string, unknown> & ({ eventType: string } | { eventTypes: readonly string[] });

/** Returns the key. */
export async function subscribe(service: TestService, wishes: Subscribing, by?: TestClient): Promise<number> {
  const body = { url: 'http://127.0.0.1:9/hook', ...wishes };
  const answer = await service.post('/ws/rest/WebhookSubscription', body, by?.headers);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.key;
}

/** All notifications of a subscription so far, oldest first. */
export async function heardBy(service: TestService, subscription: number): Promise<Heard[]> {
  await matched(service);
  const { rows } = await service.database.pool.query(
    `select key::int, id, object_type as "objectType", object_key::int as "objectKey", event_type as "eventType",
      subscribed_object_key::int as "subscribedObjectKey", status, error_message as "errorMessage",
        flaghoist_system.body(key) as text
    from flaghoist_service.webhook_notification where subscription = $1 order by key`,
    [subscription],
  );
  return rows.map((row) => ({ ...row, body: row.text === null ? null : JSON.parse(row.text) }));
}

/** `Voyage.U.1042 of 1042`: the change, and the subscribed object. */
export async function changesHeardBy(service: TestService, subscription: number): Promise<string[]> {
  const heard = await heardBy(service, subscription);
  return heard.map(({ objectType, eventType, objectKey, subscribedObjectKey }) =>
    objectKey === subscribedObjectKey
      ? `${objectType}.${eventType}.${objectKey}`
      : `${objectType}.${eventType}.${objectKey} of ${subscribedObjectKey}`,
  );
}

/** Claimed rows are locked, not deleted, so they count until their batch commits. */
export async function matched({ database }: { database: Pick<TestDatabase, 'pool'> }, timeout = 10_000): Promise<void> {
  const isMore = async () => {
    const { rows } = await database.pool.query('select exists (select from flaghoist_system.unmatched_event) as more');
    return rows[0].more;
  };
  await expect.poll(isMore, { timeout, interval: 10 }).toBe(false);
}
