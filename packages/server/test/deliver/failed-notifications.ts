// Subscriptions with failed notifications, and resends of them, for tests.

import { expect } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { Answer, TestService } from '../support/test-service.ts';
import { type Accepted, accepted } from './resend-jobs.ts';
import { storeNotifications } from './stored-notifications.ts';

export const subscriptions = '/ws/rest/WebhookSubscription';

export interface Stored {
  key: number;
  id: string;
  status: string;
  subscription: number;
  attempts: number;
  errorMessage: string | null;
  body: string | null;
}

export async function subscribeTo(
  service: TestService,
  url: string | undefined,
  more: object = {},
  by?: TestClient,
): Promise<number> {
  const answer = await service.post(subscriptions, { eventType: 'Voyage.C', url, ...more }, by?.headers);
  expect(answer.status, answer.text).toBe(201);
  if (answer.body.signingSecret) service.secrets.plant('a signing secret', answer.body.signingSecret);
  return answer.body.key;
}

/** As failed deliveries leave it, without the deliveries. Answers the ids, in order. */
export function storeFailed(
  service: Pick<TestService, 'database'>,
  subscription: number,
  count: number,
  eventTime = '2026-11-01T00:00:00',
): Promise<string[]> {
  const like = { status: 'FAILED', sequence: 7, eventTime, objectKey: 1, subscribedObjectKey: 1 } as const;
  return storeNotifications(service, subscription, count, like);
}

export async function deactivate({ database }: Pick<TestService, 'database'>, subscription: number): Promise<void> {
  await database.pool.query(
    `update flaghoist_service.webhook_subscription set state = 'DEACTIVATED', state_reason = 'Failed.' where key = $1`,
    [subscription],
  );
}

export async function storedOf(
  { database }: Pick<TestService, 'database'>,
  ...ofSubscriptions: number[]
): Promise<Stored[]> {
  const { rows } = await database.pool.query(
    `select key::int, id, status, subscription::int, attempts, error_message as "errorMessage",
  flaghoist_system.body(key) as body
    from flaghoist_service.webhook_notification where subscription = any($1) order by key`,
    [ofSubscriptions],
  );
  return rows;
}

export async function stateOf(service: TestService, subscription: number): Promise<string> {
  return (await service.get(`${subscriptions}/${subscription}`)).body.state;
}

export function resend(
  service: TestService,
  subscription: number | undefined,
  body: object = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  const of = subscription === undefined ? '' : `/${subscription}`;
  return service.post(`${subscriptions}${of}/sendFailedNotifications`, body, headers);
}

/** Expects it to be taken. */
export async function resent(
  service: TestService,
  subscription: number | undefined,
  body: object = {},
  by?: TestClient,
): Promise<Accepted> {
  return accepted(await resend(service, subscription, body, by?.headers));
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export async function jobOf(service: TestService, key: number | null): Promise<any> {
  return (await service.get(`/ws/rest/ResendJob/${key}`)).body;
}

/** Waits until it is no longer running; answers it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export async function ended(service: TestService, key: number | null, timeout = 10_000): Promise<any> {
  await expect
    .poll(async () => (await jobOf(service, key)).status, { timeout, interval: 50 })
    .toMatch(/^(DONE|CANCELLED)$/);
  return jobOf(service, key);
}

export async function countIn({ database }: Pick<TestService, 'database'>, what: string): Promise<number> {
  const { rows } = await database.pool.query(`select count(*)::int as count from ${what}`);
  return rows[0].count;
}
