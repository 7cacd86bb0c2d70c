// What the alert URL hears of a running service, and how often.

import { expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { insertAlert } from '../../src/deliver/alerts/outgoing-alert-table.ts';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { alertToken, useAlertReceiver } from './alert-receiver.ts';
import { countIn, stateOf, subscribeTo } from './failed-notifications.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const receiver = await useAlertReceiver();
const service = useTestService({
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
  FLAGHOIST_ALERT_URL: receiver.url,
  FLAGHOIST_ALERT_BACKLOG_SECONDS: '0',
});
const alerts = 'flaghoist_system.outgoing_alert';
const turns = 'flaghoist_system.alert_turn';

async function deactivated(more: object = {}): Promise<{ key: number; host: string; userCode: string }> {
  service.secrets.plant('the token of the alert URL', alertToken);
  const client = await createClient(service, ['read', 'webhook']);
  const hook = await startSwitchedReceiver(500);
  const key = await subscribeTo(service, hook.url, more, client);
  await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
  await expect.poll(() => stateOf(service, key), { timeout: 10_000 }).toBe('DEACTIVATED');
  const { body } = await service.get(`/ws/rest/WebhookSubscription/${key}?fields=user(userCode)`);
  return { key, host: new URL(hook.url).host, userCode: body.user?.userCode };
}

/** As if nothing had been sent for an hour. */
const anHourLater = () =>
  service.database.pool.query(`update flaghoist_system.alert_turn set not_before = now() - interval '1 ms'`);

const store = (subscriptionKey: number, error: string, part: 'script' | 'stylesheet' = 'script') =>
  service.database.connections.run(
    insertAlert({ subscriptionKey, kind: 'SHAPING_FAILING', facts: { part, failures: 3, error } }),
  );

/** Waits until what was sent about the subscription is recorded as sent. */
const recorded = (key: number) =>
  expect.poll(() => countIn(service, `${alerts} where subscription_key = ${key}`), { timeout: 10_000 }).toBe(0);

test('a deactivation is posted once, with text, kind, subscription and link', async () => {
  const { key, host } = await deactivated({ name: 'ERP sync' });
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(1);
  const [alert] = receiver.about(key);
  const link = `${service.url()}/console/subscriptions/${key}`;
  expect(alert).toMatchObject({
    kind: 'SUBSCRIPTION_DEACTIVATED',
    subscription: { key, name: 'ERP sync', eventTypes: ['Voyage.C'], receiver: host, user: expect.any(String) },
    link,
  });
  expect(alert.text).toContain(`Subscription ${key} "ERP sync" (Voyage.C to ${host}, user ${alert.subscription.user})`);
  expect(alert.text).toContain('could not be delivered in 2 attempts. Last error: The receiver answered 500.');
  expect(alert.text).toMatch(new RegExp(`Not delivered: 1 notification\\.\n${link}$`));
  const [{ headers }] = receiver.sent as [(typeof receiver.sent)[0]];
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Flaghoist/),
  });
  await expect.poll(() => countIn(service, alerts)).toBe(0);
  const { text } = await service.get('/metrics');
  expect(text).toMatch(/flaghoist_alerts_total\{outcome="sent"\} [1-9]/);
});

test('within an hour there is one alert about a subscription; the others follow as one summary', async () => {
  const { key } = await deactivated();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(1);
  await recorded(key);
  await store(key, 'one', 'stylesheet');
  await service.database.connections.run(
    insertAlert({
      ...{ subscriptionKey: key, kind: 'BACKLOG_OLD' },
      facts: { what: 'notifications', waiting: 5, ageSeconds: 3_600 },
    }),
  );
  for (let failure = 1; failure <= 50; failure += 1) await store(key, `number ${failure}`);
  // What fails again and again is stored once.
  expect(await countIn(service, `${alerts} where subscription_key = ${key}`)).toBe(3);
  // Another subscription is not held up.
  const other = await deactivated();
  await expect.poll(() => receiver.about(other.key).length, { timeout: 10_000 }).toBe(1);
  expect(receiver.about(key)).toHaveLength(1);
  await anHourLater();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(2);
  const summary = receiver.about(key)[1];
  expect(summary).toMatchObject({ kind: 'SUMMARY', subscription: { key } });
  expect(summary.alerts).toHaveLength(3);
  expect(summary.alerts[2]).toMatchObject({ kind: 'SHAPING_FAILING', text: expect.stringContaining('number 50') });
  expect(summary.text).toMatch(/^3 more alerts about subscription .*:\n(- \d\d:\d\d UTC: .*\n){3}http/);
  // The summary starts another hour, after which a single alert comes as itself.
  await recorded(key);
  await store(key, 'four');
  await anHourLater();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(3);
  expect(receiver.about(key)[2]).toMatchObject({ kind: 'SHAPING_FAILING', text: expect.stringContaining('four') });
});

test('what happens again while its alert is being sent is reported by the next one', async () => {
  const { key } = await deactivated();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(1);
  await recorded(key);
  receiver.status = 0;
  await store(key, 'before');
  await anHourLater();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(2);
  await store(key, 'meanwhile');
  const [row] = (await service.database.pool.query(`select facts from ${alerts} where subscription_key = ${key}`)).rows;
  expect(row.facts.error).toBe('meanwhile');
  receiver.answerHeld();
  await expect
    .poll(() => countIn(service, `${turns} where subscription_key = ${key} and not_before > now() + interval '30 min'`))
    .toBe(1);
  expect(await countIn(service, `${alerts} where subscription_key = ${key}`)).toBe(1);
});

test('a URL that fails gets the alert later, with the same id; nothing says where it was sent', async () => {
  receiver.status = 500;
  const { key } = await deactivated();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(1);
  const later = `flaghoist_system.alert_turn where failures = 1 and not_before > now() + interval '10 s'`;
  await expect.poll(() => countIn(service, later)).toBe(1);
  const failed = service.observations.find(({ kind }) => kind === 'alert.failed');
  expect(failed).toMatchObject({ subscription: key, tries: 1, reason: 'The receiver answered 500.' });
  expect(JSON.stringify(service.observations)).not.toContain(alertToken);
  receiver.status = 302;
  await anHourLater();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(2);
  receiver.status = 204;
  await expect.poll(() => countIn(service, 'flaghoist_system.alert_turn where failures = 2')).toBe(1);
  await anHourLater();
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(3);
  expect(new Set(receiver.about(key).map(({ id }) => id)).size).toBe(1);
  expect(receiver.sent.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  await expect.poll(() => countIn(service, alerts)).toBe(0);
});

test('an alert that could not be sent for a day is given up, and the log says so', async () => {
  receiver.status = 404;
  const { key } = await deactivated();
  await expect
    .poll(() => countIn(service, 'flaghoist_system.alert_turn where failures = 1'), { timeout: 10_000 })
    .toBe(1);
  await service.database.pool.query(`update ${alerts} set created_at = created_at - interval '1 day'`);
  await anHourLater();
  await expect
    .poll(() => service.observations.filter(({ kind }) => kind === 'alert.givenUp'), { timeout: 10_000 })
    .toEqual([expect.objectContaining({ subscription: key, alerts: 1, alert: 'SUBSCRIPTION_DEACTIVATED' })]);
  expect(await countIn(service, alerts)).toBe(0);
});

test('a subscription that was deleted since is named by its key, without a channel', async () => {
  const key = 987_654_321;
  await store(key, 'no such port');
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(1);
  const [{ text, subscription, link }] = receiver.about(key);
  expect(subscription).toEqual({ key, name: null, eventTypes: [], receiver: null, user: null });
  expect(text).toBe(
    `Subscription ${key} (deleted since): the script has failed 3 times in a row, and nothing is sent. ` +
      `Last error: no such port.\n${link}`,
  );
  await recorded(key);
});

test('hostile names and errors stay text for Slack and Mattermost', async () => {
  const name =
    '<!here> @channel\n<script>alert(1)</script> [x](https://evil.example) &lt; -@all .@here _@channel a@all';
  const { key } = await deactivated({ name });
  await expect.poll(() => receiver.about(key).length, { timeout: 10_000 }).toBe(1);
  const [{ text, subscription, link }] = receiver.about(key);
  expect(subscription.name).toBe(name);
  expect(text.replace(link, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)|@\w|\]\(/);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toContain('&lt;!here&gt; @\u200bchannelU+000A&lt;script&gt;');
});

test.each([
  'ftp://chat.example/services/s3cret-part',
  'https://user:s3cret-part@chat.example/',
  'https://chat.example/s3cret-part\nx',
  'https://chat.example:0/s3cret-part',
  's3cret-part',
  `https://chat.example/s3cret-part${'x'.repeat(2_000)}`,
])('the URL %j is not accepted, and the message does not repeat it', (url) => {
  const load = () => loadSettings({ FLAGHOIST_ALERT_URL: url });
  expect(load).toThrow('FLAGHOIST_ALERT_URL must be an http or https URL without user and password');
  expect(load).not.toThrow('s3cret-part');
});
