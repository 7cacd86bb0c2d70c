// The trouble that a running service finds by itself: old backlogs, long failing, and failing scripts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alertsAbout } from '../../src/deliver/alerts/watch-backlog-loop.ts';
import { isLong } from '../../src/deliver/alerts/watch-failing-loop.ts';
import { scheduleOf } from '../../src/subscriptions/channel/retry-policy.ts';
import { readMail } from '../channels/read-mail.ts';
import { makeScript } from '../shape/shaped.ts';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { alertToken, useAlertReceiver } from './alert-receiver.ts';
import { countIn, subscribeTo } from './failed-notifications.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const settings = {
  ...{ deliveryAttempts: 5, deliveryIntervalMs: 60_000 },
  ...{ bodyRetentionDays: 30, notificationRetentionDays: 90 },
};
const minutes = (count: number) => count * 60_000;

describe('how long is long', () => {
  const day = { attempts: 25, intervalSeconds: 3_600, backoff: 'FIXED', maxIntervalSeconds: 3_600 } as const;

  test('an hour, half of the retry time if that is shorter, and never if it is ten minutes at most', () => {
    expect(isLong(minutes(59), scheduleOf(day, settings))).toBe(false);
    expect(isLong(minutes(60), scheduleOf(day, settings))).toBe(true);
    const twenty = scheduleOf({ ...day, attempts: 21, intervalSeconds: 60 }, settings);
    expect(isLong(minutes(9), twenty)).toBe(false);
    expect(isLong(minutes(10), twenty)).toBe(true);
    expect(isLong(minutes(600), scheduleOf({ ...day, attempts: 11, intervalSeconds: 60 }, settings))).toBe(false);
    expect(isLong(minutes(600), scheduleOf(null, settings))).toBe(false);
  });
});

describe('whose backlog it is', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: String(index + 1), waiting: 2, age_seconds: 1_000 + index }));

  test('a few subscriptions are named, many are the matter of the service', () => {
    expect(alertsAbout(rows(5)).map(({ subscriptionKey }) => subscriptionKey)).toEqual([1, 2, 3, 4, 5]);
    expect(alertsAbout(rows(6))).toEqual([
      {
        subscriptionKey: 0,
        kind: 'BACKLOG_OLD',
        facts: { what: 'notifications', waiting: 12, ageSeconds: 1_005, subscriptions: 6 },
      },
    ]);
  });
});

describe('in a running service', async () => {
  const receiver = await useAlertReceiver();
  const service = useTestService({ FLAGHOIST_ALERT_URL: receiver.url, FLAGHOIST_ALERT_BACKLOG_SECONDS: '60' });
  const { pool } = service.database;
  const kindsAbout = (key: number) => receiver.about(key).map(({ kind }) => kind);
  const reported = (key: number) => countIn(service, `flaghoist_system.old_backlog where subscription_key = ${key}`);
  const plant = () => service.secrets.plant('the token of the alert URL', alertToken);

  /** Waits in the queue, as if it had done so for two minutes. Nobody has claimed it. */
  async function pending(
    subscription: number,
    columns: { due_at?: string; attempts?: number; resend_job?: number; leased_until?: string },
  ) {
    await pool.query(
      `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at,
         attempts, resend_job, leased_until)
       values (nextval('flaghoist.object_key'), now() at time zone 'utc' - interval '2 min', $1, $2, $3, $4, $5)`,
      [
        subscription,
        columns.due_at ?? null,
        columns.attempts ?? 0,
        columns.resend_job ?? null,
        columns.leased_until ?? null,
      ],
    );
  }

  async function oldSubscription(more: object = {}): Promise<number> {
    const key = await subscribeTo(service, 'http://127.0.0.1:9/hook', { eventType: 'Vessel.D', ...more });
    await pool.query(
      `update flaghoist_service.webhook_subscription set created_date = created_date - interval '1 h' where key = $1`,
      [key],
    );
    return key;
  }

  test('a notification that waits for too long is reported once, until the backlog is young again', async () => {
    plant();
    const streamed = { url: undefined, channelInfo: { channelType: 'STREAM' } };
    const [postponed, streamedTo, orderedStream, ordered, retried, resent, young] = [
      await oldSubscription({ name: 'postponed' }),
      await oldSubscription(streamed),
      await oldSubscription({ ...streamed, ordering: 'OBJECT' }),
      await oldSubscription({ ordering: 'OBJECT' }),
      await oldSubscription(),
      await oldSubscription(),
      await subscribeTo(service, 'http://127.0.0.1:9/hook', { eventType: 'Vessel.D' }),
    ];
    await pending(postponed, { due_at: '2100-01-01' });
    // The consumer is away, or does not acknowledge what it is sent.
    await pending(streamedTo, { due_at: '-infinity', leased_until: '-infinity' });
    await pending(streamedTo, { due_at: '-infinity', leased_until: '2100-01-01', attempts: 5 });
    // Each is behind an earlier one about the same object.
    await pending(orderedStream, { due_at: '-infinity' });
    await pending(ordered, { due_at: '-infinity' });
    await pending(retried, { due_at: '2100-01-01', attempts: 1 });
    await pending(resent, { due_at: '2100-01-01', resend_job: 1 });
    // Taken over from another subscription: it is older than its own.
    await pending(young, { due_at: '2100-01-01' });
    await expect.poll(() => kindsAbout(postponed), { timeout: 30_000, interval: 200 }).toEqual(['BACKLOG_OLD']);
    await expect.poll(() => kindsAbout(ordered), { timeout: 30_000, interval: 200 }).toEqual(['BACKLOG_OLD']);
    expect(receiver.about(postponed)[0].text).toMatch(/waiting to be sent: 1 notification, for up to 2 minutes/);
    expect(await reported(postponed)).toBe(1);
    for (const key of [streamedTo, orderedStream, retried, resent, young])
      expect([await reported(key), kindsAbout(key)]).toEqual([0, []]);
    await pool.query('delete from flaghoist_system.pending_notification');
    await expect.poll(() => reported(postponed), { timeout: 30_000, interval: 200 }).toBe(0);
    expect(kindsAbout(postponed)).toEqual(['BACKLOG_OLD']);
  }, 90_000);

  test('a script that has failed three times in a row is reported once', async () => {
    const { code } = await makeScript(service, 'throw new Error("no <such> port");');
    const key = await subscribeTo(service, 'http://127.0.0.1:9/hook', { dlpAlertScript: code });
    const fail = () => service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
    const failures = async () => (await service.get(`/ws/rest/WebhookSubscription/${key}`)).body.shapingFailures;
    await fail();
    await fail();
    await expect.poll(failures, { timeout: 10_000 }).toBe(2);
    expect(await countIn(service, `flaghoist_system.outgoing_alert where subscription_key = ${key}`)).toBe(0);
    await fail();
    await fail();
    await expect.poll(() => kindsAbout(key), { timeout: 10_000 }).toEqual(['SHAPING_FAILING']);
    await expect.poll(failures, { timeout: 10_000 }).toBe(4);
    expect(receiver.about(key)[0].text).toContain('no &lt;such&gt; port');
    expect(await countIn(service, `flaghoist_system.outgoing_alert where subscription_key = ${key}`)).toBe(0);
  });

  test('an owner whose receiver has been failing for an hour gets one mail, and the alert URL an alert', async () => {
    const client = await createClient(service, ['read', 'webhook'], { email: 'ops@receiver.example' });
    const hook = await startSwitchedReceiver(503);
    const retryPolicy = { attempts: 25, intervalSeconds: 3_600, backoff: 'FIXED' };
    const key = await subscribeTo(service, hook.url, { name: 'Nightly', retryPolicy }, client);
    await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
    const health = `flaghoist_system.delivery_health where subscription_key = ${key}`;
    await expect.poll(() => countIn(service, health), { timeout: 10_000 }).toBe(1);
    await pool.query(`update flaghoist_system.delivery_health set failing_since = failing_since - interval '1 h'`);
    await expect.poll(() => kindsAbout(key), { timeout: 15_000 }).toEqual(['SUBSCRIPTION_FAILING']);
    expect(receiver.about(key)[0].text).toMatch(/Last error: The receiver answered 503\. Waiting: 1 notification\./);
    expect(receiver.about(key)[0].text).toContain('if it fails, the subscription is deactivated');
    expect(await countIn(service, `${health} and reported_at is not null`)).toBe(1);
    const told = service.observations.filter((each) => each.kind === 'subscription.failing');
    expect(told).toEqual([expect.objectContaining({ subscription: key, reason: 'The receiver answered 503.' })]);
    const attempted = service.observations.find(
      (each) => each.kind === 'notification.attempted' && each.subscription === key,
    ) as { nextAttempt: string; lastAttempt: string };
    const hours = (new Date(attempted.lastAttempt).getTime() - new Date(attempted.nextAttempt).getTime()) / 3_600_000;
    expect(hours).toBe(23);
    const folder = join(service.dataDir, 'mail');
    const readFirst = () => readMail(readFileSync(join(folder, readdirSync(folder)[0]!))).text;
    await expect.poll(readFirst, { timeout: 10_000 }).toContain('Last attempt');
    expect(readdirSync(folder)).toHaveLength(1);
    const text = readFirst();
    expect(text).toContain(`Notifications of webhook subscription ${key} "Nightly" have not been delivered since`);
    expect(text).toMatch(/Attempts so far +1\n +Next attempt +\d.* UTC\n +Last attempt +about \d.* UTC/);
    expect(text).toContain('If the last attempt fails, the subscription is deactivated');
    expect(text).toContain(`${service.url()}/console/subscriptions/${key}`);
    // A delivery ends the period of failing.
    hook.status = 200;
    await pool.query('update flaghoist_system.pending_notification set due_at = null where attempts = 1');
    await expect.poll(() => countIn(service, health), { timeout: 10_000 }).toBe(0);
  });
});
