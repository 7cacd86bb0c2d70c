// A stream that nobody fetches is reported while there is still time to fetch it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { reportExpiringStreams } from '../../src/deliver/alerts/watch-streams-loop.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { startBeside } from '../auth/service-beside.ts';
import { mailsTo } from '../shape/shaped.ts';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { alertToken, useAlertReceiver } from './alert-receiver.ts';
import { countIn, subscribeTo } from './failed-notifications.ts';

const receiver = await useAlertReceiver();
const settings = { FLAGHOIST_ALERT_URL: receiver.url, FLAGHOIST_BODY_RETENTION_DAYS: '30' };
const service = useTestService(settings);
const { pool, url } = service.database;
const dayMs = 86_400_000;
const streamed = { eventType: 'Vessel.D', channelInfo: { channelType: 'STREAM' } };
let database: Database;

const observe = (observation: Observation) => service.observations.push(observation);

beforeAll(() => {
  database = new Database({ url, observe, connectionsMax: 2, statementTimeoutMs: 30_000, isForQueues: true });
});

afterAll(() => database.close());

const look = () =>
  reportExpiringStreams(
    { database, observe, baseUrl: service.url(), daysKept: 30, hasAlertUrl: true },
    { isStopping: false },
  );
const observed = (key: number) =>
  service.observations
    .filter((each) => each.kind === 'stream.expiring')
    .filter(({ subscription }) => subscription === key);
const reported = (key: number) => countIn(service, `flaghoist_system.expiring_stream where subscription_key = ${key}`);
const kindsAbout = (key: number) => receiver.about(key).map(({ kind }) => kind);
const mails = () => mailsTo(service, 'fleet@consumer.example');

/** Subscribed a year ago. */
async function longAgo(key: number): Promise<number> {
  const text = `update flaghoist_service.webhook_subscription set created_date = created_date - interval '1 y' where key = $1`;
  await pool.query(text, [key]);
  return key;
}

/** Not acknowledged for so many days. */
async function waitingFor(key: number, days: number): Promise<void> {
  await pool.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at,
       leased_until)
     values (nextval('flaghoist.object_key'), now() at time zone 'utc' - $2 * interval '1 day', $1, '-infinity',
       '-infinity')`,
    [key, days],
  );
}

test('after half the time, its owner gets one mail, and the alert URL one alert', async () => {
  service.secrets.plant('the token of the alert URL', alertToken);
  const client = await createClient(service, ['read', 'webhook'], { email: 'fleet@consumer.example' });
  const key = await longAgo(await subscribeTo(service, undefined, { ...streamed, name: 'Night copy' }, client));
  await waitingFor(key, 14.9);
  await look();
  expect(await reported(key)).toBe(0);
  await waitingFor(key, 15.1);
  await Promise.all([look(), look(), look()]);
  await look();
  await expect.poll(() => kindsAbout(key), { timeout: 15_000 }).toEqual(['STREAM_EXPIRING']);
  expect(receiver.about(key)[0].text).toMatch(
    new RegExp(
      `^Subscription ${key} "Night copy" \\(Vessel\\.D to .*\\): nobody fetches its notifications\\. Not acknowledged: ` +
        '2 notifications, the oldest from \\d+ \\w+ \\d{4}\\. From \\d+ \\w+ \\d{4} on, the oldest ones fail, and can no ' +
        'longer be fetched\\.\n',
    ),
  );
  await expect.poll(() => mails().length, { timeout: 15_000 }).toBe(1);
  const { text, headers } = mails()[0]!;
  expect(Object.fromEntries(headers)).toMatchObject({
    to: 'fleet@consumer.example',
    subject: 'Flaghoist: nobody fetches the notifications of Vessel.D',
  });
  expect(text.replace(/\s+/g, ' ')).toContain(
    `2 notifications of webhook subscription ${key} "Night copy" wait to be acknowledged, the oldest since`,
  );
  expect(text).toContain(`${service.url()}/console/subscriptions/${key}`);
  expect(observed(key)).toEqual([expect.objectContaining({ waiting: 2 })]);
});

test('the day that is named is the one on which retention drops it', async () => {
  const key = await longAgo(await subscribeTo(service, undefined, streamed));
  await waitingFor(key, 20);
  await look();
  const [told] = observed(key);
  const daysOld = (day: Date) => (day.getTime() - Date.parse(told!.oldest.slice(0, 10))) / dayMs;
  // Dropped are days that are more than 30 days old.
  expect(daysOld(new Date(told!.expires))).toBe(31);
});

test('when its consumer has caught up, it can be reported again, and not before', async () => {
  const key = await longAgo(await subscribeTo(service, undefined, streamed));
  const clear = () =>
    pool.query('delete from flaghoist_system.pending_notification where subscription_key = $1', [key]);
  await waitingFor(key, 20);
  await look();
  expect(observed(key)).toHaveLength(1);
  // Nothing is older than half of the time, but not much younger.
  for (const days of [14.9, 15.1]) {
    await clear();
    await waitingFor(key, days);
    await look();
  }
  expect(observed(key)).toHaveLength(1);
  await clear();
  await waitingFor(key, 7.4);
  await look();
  expect(await reported(key)).toBe(0);
  await waitingFor(key, 20);
  await look();
  expect(observed(key)).toHaveLength(2);
});

test('other channels, ended streams, resends, and what a young stream has taken over are not reported', async () => {
  const [posted, ended, resent, young] = [
    await longAgo(await subscribeTo(service, 'http://127.0.0.1:9/hook', { eventType: 'Vessel.D' })),
    await longAgo(await subscribeTo(service, undefined, streamed)),
    await longAgo(await subscribeTo(service, undefined, streamed)),
    await subscribeTo(service, undefined, streamed),
  ];
  await service.put(`/ws/rest/WebhookSubscription/${ended}`, { unsubscribed: true });
  for (const key of [posted, ended, resent, young]) await waitingFor(key, 20);
  await pool.query('update flaghoist_system.pending_notification set resend_job = 1 where subscription_key = $1', [
    resent,
  ]);
  await look();
  for (const key of [posted, ended, resent, young]) expect(await reported(key)).toBe(0);
});

test('a running service looks by itself', async () => {
  const key = await longAgo(await subscribeTo(service, undefined, streamed));
  await waitingFor(key, 20);
  await startBeside(service.database, { ...settings, FLAGHOIST_ROLES: 'worker', FLAGHOIST_DATA_DIR: service.dataDir });
  await expect.poll(() => kindsAbout(key), { timeout: 15_000 }).toEqual(['STREAM_EXPIRING']);
});
