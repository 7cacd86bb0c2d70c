// Parts 3, 6 and 8 of the interface where they are about time and channel: mail to the address, a receiver that is too
// slow, the time of the event, the defaults.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audienceOf } from '../../src/config/audience-of.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { createVoyage, readSubscription, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
  FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '0.3',
});

test('a subscription by e-mail is sent a mail to its address', async () => {
  const wishes = { channelInfo: { channelType: 'EMAIL', URL: 'ops@agent.example' } };
  const subscription = await subscribeTo(service, { eventType: 'Vessel.C', ...wishes });
  const { body: vessel } = await service.post('/ws/rest/Vessel', { vesselName: 'Northern Light' });
  await settled(service, subscription, ['DELIVERED']);
  const folder = join(service.dataDir, 'mail');
  const mails = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('To: ops@agent.example');
  expect(mails[0]).toContain(`Subject: Vessel ${vessel.key} created`);
});

test('a receiver that is too slow fails like one that is away, and its subscription is deactivated', async () => {
  const hooks = await startHooks(() => undefined);
  const subscription = await subscribeTo(service, { url: hooks.url });
  await createVoyage(service);
  const [one] = await settled(service, subscription, ['FAILED']);
  expect([one.attempts, hooks.received.length]).toEqual([2, 2]);
  expect((await readSubscription(service, subscription)).state).toBe('DEACTIVATED');
});

test('every notification has an id of its own, also those of one change', async () => {
  const hooks = await startHooks();
  const subscriptions = [];
  for (const path of ['/a', '/b']) subscriptions.push(await subscribeTo(service, { url: `${hooks.url}${path}` }));
  for (let n = 0; n < 5; n += 1) await createVoyage(service);
  for (const subscription of subscriptions) await settled(service, subscription, Array(5).fill('DELIVERED'));
  expect(new Set(hooks.received.map(({ body }) => JSON.parse(body).id)).size).toBe(10);
});

test('eventTime is the time of the change, not of the delivery', async () => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { eventType: 'Vessel.U', url: hooks.url });
  const { body: vessel } = await service.post('/ws/rest/Vessel', { vesselName: 'Northern Light' });
  const { body: changed } = await service.put(`/ws/rest/Vessel/${vessel.key}`, { flag: 'NO' });
  const [one] = await settled(service, subscription, ['DELIVERED']);
  expect(one.eventTime).toBe(changed.modifiedDate);
  expect(JSON.parse(one.body).eventTime).toBe(changed.modifiedDate);
});

test('with nothing set, delivery is tried five times, once a minute', () => {
  const { settings } = loadSettings({});
  expect(settings).toMatchObject({ deliveryAttempts: 5, deliveryIntervalMs: 60_000 });
});

test('an installation is for production or for test, each with an audience of its own', () => {
  const audienceIn = (environment: string) => audienceOf(loadSettings({ FLAGHOIST_ENVIRONMENT: environment }).settings);
  expect(['production', 'test'].map(audienceIn)).toEqual(['https://flaghoist', 'https://flaghoist.dev']);
  expect(['PRODUCTION', 'dev', 'DEV', 'Development'].map(audienceIn)).toEqual([
    'https://flaghoist',
    'https://flaghoist.dev',
    'https://flaghoist.dev',
    'https://flaghoist.dev',
  ]);
});
