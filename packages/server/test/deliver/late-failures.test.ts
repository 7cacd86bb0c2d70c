// An attempt that is in flight when its subscription is deactivated or unsubscribed is in the log when it ends.

import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { recordLateFailures } from '../../src/deliver/outcomes/outcome-table.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { type TestService, useTestService } from '../support/test-service.ts';
import { createVoyage, notificationsOf, readSubscription, settled, startHooks, subscribeTo } from './hooks.ts';

interface Ended {
  subscription: { key: number };
  /** Ends the attempt that hangs. */
  end(status: number): void;
}

const poll = { timeout: 10_000, interval: 50 };

/** Two notifications: the first attempt of one hangs, and the other one uses up its attempts. */
async function deactivateInFlight(service: TestService): Promise<Ended> {
  const held: { id: string; response: ServerResponse }[] = [];
  const hooks = await startHooks((response, { headers }) => {
    const id = String(headers['webhook-id']);
    if (held.length === 0) held.push({ id, response });
    else response.writeHead(500).end('no');
  });
  const subscription = await subscribeTo(service, { url: hooks.url });
  await createVoyage(service);
  await expect.poll(() => held.length, poll).toBe(1);
  await createVoyage(service);
  await expect.poll(async () => (await readSubscription(service, subscription)).state, poll).toBe('DEACTIVATED');
  await settled(service, subscription, ['FAILED', 'FAILED']);
  expect((await notificationsOf(service, subscription))[0]).toMatchObject({ attempts: 0, attemptLog: null });
  return { subscription, end: (status) => held[0]!.response.writeHead(status).end('late') };
}

const late = { statusCode: 500, answer: 'late', error: 'The receiver answered 500.', durationMs: expect.any(Number) };

async function firstAfter(service: TestService, subscription: { key: number }, attempts: number) {
  await expect.poll(async () => (await notificationsOf(service, subscription))[0].attempts, poll).toBe(attempts);
  return (await notificationsOf(service, subscription))[0];
}

describe('while attempts are left', () => {
  const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' });

  test('a failure stays failed, with its own attempt on record', async () => {
    const { subscription, end } = await deactivateInFlight(service);
    end(500);
    expect(await firstAfter(service, subscription, 1)).toMatchObject({
      status: 'FAILED',
      errorMessage: 'The subscription is deactivated.',
      nextAttemptDate: null,
      attemptLog: [late],
    });
    const resent = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/sendFailedNotifications`, {
      dryRun: true,
    });
    expect(resent.body).toMatchObject({ total: 2 });
  });

  test('a success is delivered', async () => {
    const { subscription, end } = await deactivateInFlight(service);
    end(200);
    expect(await firstAfter(service, subscription, 1)).toMatchObject({
      status: 'DELIVERED',
      errorMessage: null,
      attemptLog: [{ statusCode: 200 }],
    });
  });

  test('a failure after an unsubscribe is on record too', async () => {
    const held: ServerResponse[] = [];
    const hooks = await startHooks((response) => held.push(response));
    const subscription = await subscribeTo(service, { url: hooks.url });
    await createVoyage(service);
    await expect.poll(() => held.length, poll).toBe(1);
    await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, { unsubscribed: true });
    await settled(service, subscription, ['FAILED']);
    held[0]!.writeHead(500).end('late');
    expect(await firstAfter(service, subscription, 1)).toMatchObject({
      status: 'FAILED',
      errorMessage: 'Unsubscribed.',
      attemptLog: [late],
    });
  });

  test('a failure is added to what a resend has recorded meanwhile, and does not undo it', async () => {
    const { subscription, end } = await deactivateInFlight(service);
    const [first] = await notificationsOf(service, subscription);
    const resent = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/sendFailedNotifications`, {
      notifications: [first.key],
    });
    expect(resent.status, resent.text).toBe(202);
    await firstAfter(service, subscription, 2);
    end(500);
    const { status, attemptLog } = await firstAfter(service, subscription, 3);
    expect(status).toBe('FAILED');
    expect(attemptLog.map(({ answer }: { answer: string }) => answer)).toEqual(['no', 'no', 'late']);
  });

  test('the same attempt is recorded once, and never for another notification with the same key', async () => {
    const { subscription, end } = await deactivateInFlight(service);
    end(500);
    const { key, attemptLog } = await firstAfter(service, subscription, 1);
    const { pool } = service.database;
    const { rows } = await pool.query(
      'select created_date::text as date from flaghoist_service.webhook_notification where key = $1',
      [key],
    );
    const record = async (createdDate: string, startedAt: string) => {
      const notification = { key, createdDate, subscriptionKey: subscription.key } as ReadyNotification;
      const attempt = { startedAt: new Date(startedAt), durationMs: 1, endedAtMs: 0, result: failed };
      const { text, values } = recordLateFailures([{ kind: 'failure', notification, attempt, error: 'x' }]);
      return (await pool.query(text, values)).rowCount;
    };
    const another = '2026-01-01T00:00:00.000Z';
    expect(await record(rows[0].date, attemptLog[0].date)).toBe(0);
    expect(await record('2020-01-01 00:00:00', another)).toBe(0);
    expect(await record(rows[0].date, another)).toBe(1);
    expect(await record(rows[0].date, another)).toBe(0);
  });
});

const failed = { kind: 'failed', reason: 'x', statusCode: null, answer: null, retryAfterMs: undefined } as const;

describe('at the last attempt', () => {
  const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '1' });

  test('a failure stays failed, with its own attempt on record, and there is one deactivation', async () => {
    const { subscription, end } = await deactivateInFlight(service);
    end(500);
    expect(await firstAfter(service, subscription, 1)).toMatchObject({ status: 'FAILED', attemptLog: [late] });
    const { body } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${subscription.key}`);
    expect(body).toHaveLength(2);
  });
});
